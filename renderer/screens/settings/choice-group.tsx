// Settings that are one choice or one number each, with the effect that they have.

import { NumberInput, Select, Switch, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SETTINGS, type SettingKey } from '../../../shared/settings.ts';
import { useSession } from '../../bridge/use-session.ts';
import { type SettingChange, useSetting, useSettingChange } from '../../bridge/use-settings.ts';
import { Segments } from '../../parts/segments.tsx';
import classes from './settings.module.css';

interface SettingProps {
  readonly name: SettingKey;
  readonly isReadOnly: boolean;
  readonly changing: SettingChange;
}

/** More than these do not fit side by side. */
const MOST_SEGMENTS = 4;

const choiceLabel = (t: TFunction, name: SettingKey, choice: string): string =>
  t(`settings.choice.${name.replaceAll('.', '_')}.${choice}`, { defaultValue: choice });

function Control({ name, isReadOnly, changing }: SettingProps): ReactNode {
  const { t } = useTranslation();
  const value = useSetting(name);
  const setting = SETTINGS[name];
  const label = t(`settings.name.${name.replaceAll('.', '_')}`);
  const choices =
    setting.kind === 'choice'
      ? setting.choices.map((choice) => ({ value: choice as string, label: choiceLabel(t, name, choice) }))
      : [];
  if (choices.length > MOST_SEGMENTS)
    return (
      <Select
        size="md"
        w={320}
        aria-label={label}
        value={value}
        data={choices}
        allowDeselect={false}
        disabled={isReadOnly}
        onChange={(text) => text !== null && void changing.change(name, text)}
      />
    );
  if (setting.kind === 'choice')
    return (
      <Segments
        label={label}
        name={name}
        value={value}
        segments={choices}
        onChoose={(text) => {
          if (!isReadOnly) void changing.change(name, text);
        }}
      />
    );
  if (setting.kind === 'switch')
    return (
      <Switch
        size="lg"
        aria-label={label}
        checked={value === 'true'}
        disabled={isReadOnly}
        onChange={(event) => void changing.change(name, String(event.currentTarget.checked))}
      />
    );
  return <TypedControl name={name} label={label} value={value} isReadOnly={isReadOnly} changing={changing} />;
}

/** Counts when it is left, or with Enter. */
function TypedControl({
  name,
  label,
  value,
  isReadOnly,
  changing,
}: SettingProps & { label: string; value: string }): ReactNode {
  const [typed, setTyped] = useState<string | undefined>();
  const save = (): void => {
    if (typed !== undefined && typed !== value) void changing.change(name, typed);
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
      <NumberInput {...usual} w={160} allowDecimal={false} onChange={(next) => setTyped(String(next))} />
    );
  return (
    <TextInput
      {...usual}
      w="100%"
      maxLength={1024}
      spellCheck={false}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}

export function ChoiceGroup({ settings }: { settings: readonly SettingKey[] }): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const changing = useSettingChange();
  return (
    <>
      {settings.map((name) => (
        <div key={name} className={classes.setting}>
          <strong>{t(`settings.name.${name.replaceAll('.', '_')}`)}</strong>
          <Control name={name} isReadOnly={!may('settings')} changing={changing} />
          <p className="quiet">{t(`settings.effect.${name.replaceAll('.', '_')}`)}</p>
        </div>
      ))}
      {changing.trouble !== undefined && (
        <p role="alert" className={classes.trouble}>
          {changing.trouble}
        </p>
      )}
    </>
  );
}
