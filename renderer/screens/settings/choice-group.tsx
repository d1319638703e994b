// Settings that are one choice, one number or one text each, as rows with the effect that they have.

import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SETTINGS, type SettingKey } from '../../../shared/settings.ts';
import { useSession } from '../../bridge/use-session.ts';
import { Segments } from '../../parts/segments.tsx';
import { type UndoableSetting, useUndoableSetting } from './changed-settings.tsx';
import { choiceLabel, wordKey } from './choice-label.ts';
import { SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';

/** They have room beside their words. */
const SHORT_TEXTS: ReadonlySet<SettingKey> = new Set(['report.rhythmLeads', 'service.host', 'seats.host']);

interface ControlProps {
  readonly name: SettingKey;
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly setting: UndoableSetting;
}

/** More than these, or longer ones, do not fit side by side. */
const MOST_SEGMENTS = 4;
const MOST_SEGMENT_LETTERS = 44;

function Control({ name, label, isReadOnly, setting: { value, set } }: ControlProps): ReactNode {
  const { t } = useTranslation();
  const setting = SETTINGS[name];
  if (setting.kind === 'switch')
    return (
      <Switch
        size="lg"
        aria-label={label}
        labelPosition="left"
        label={<span className="quiet">{choiceLabel(t, name, value)}</span>}
        checked={value === 'true'}
        disabled={isReadOnly}
        onChange={(event) => set(String(event.currentTarget.checked))}
      />
    );
  if (setting.kind !== 'choice')
    return <TypedControl name={name} label={label} value={value} isReadOnly={isReadOnly} onSave={set} />;
  const choices = setting.choices.map((choice) => ({
    value: choice as string,
    label: choiceLabel(t, name, choice),
  }));
  const letters = choices.reduce((sum, choice) => sum + choice.label.length, 0);
  if (choices.length > MOST_SEGMENTS || letters > MOST_SEGMENT_LETTERS)
    return (
      <Select
        size="md"
        w={260}
        aria-label={label}
        value={value}
        data={choices}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(text) => text !== null && set(text)}
      />
    );
  return (
    <Segments
      label={label}
      name={name}
      value={value}
      segments={choices}
      onChoose={(text) => {
        if (!isReadOnly) set(text);
      }}
    />
  );
}

interface TypedControlProps extends Pick<ControlProps, 'name' | 'label' | 'isReadOnly'> {
  readonly value: string;
  onSave(text: string): void;
}

/** Counts when it is left, or with Enter. */
function TypedControl({ name, label, value, isReadOnly, onSave }: TypedControlProps): ReactNode {
  const [typed, setTyped] = useState<string | undefined>();
  const save = (): void => {
    if (typed !== undefined && typed !== value) onSave(typed);
    setTyped(undefined);
  };
  const usual = {
    size: 'md',
    'aria-label': label,
    value: typed ?? value,
    disabled: isReadOnly,
    onBlur: save,
    onKeyDown: (event: KeyboardEvent) => void (event.key === 'Enter' && save()),
  } as const;
  if (SETTINGS[name].kind === 'number')
    return (
      <NumberInput {...usual} w={140} allowDecimal={false} onChange={(next) => setTyped(String(next))} />
    );
  return (
    <TextInput
      {...usual}
      w={SHORT_TEXTS.has(name) ? 200 : '100%'}
      maxLength={1024}
      spellCheck={false}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

function ChoiceRow({ name }: { name: SettingKey }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const setting = useUndoableSetting(name);
  const label = t(`settings.name.${wordKey(name)}`);
  return (
    <>
      <SettingRow
        title={label}
        effect={t(`settings.effect.${wordKey(name)}`)}
        was={setting.was}
        isWide={SETTINGS[name].kind === 'text' && !SHORT_TEXTS.has(name)}
      >
        <Control name={name} label={label} isReadOnly={!may('settings')} setting={setting} />
      </SettingRow>
      {setting.trouble !== undefined && (
        <p role="alert" className={classes.rowTrouble}>
          {setting.trouble}
        </p>
      )}
    </>
  );
}

/** @param children more rows of the same card */
export function ChoiceGroup({
  settings,
  children,
}: {
  settings: readonly SettingKey[];
  children?: ReactNode;
}): ReactNode {
  return (
    <div className={classes.card}>
      {settings.map((name) => (
        <ChoiceRow key={name} name={name} />
      ))}
      {children}
    </div>
  );
}
