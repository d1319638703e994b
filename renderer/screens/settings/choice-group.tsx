// Settings that are one choice or one number each, with the effect that they have.

import { NumberInput, Switch } from '@mantine/core';
import { type ReactNode, useState } from 'react';
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

function Control({ name, isReadOnly, changing }: SettingProps): ReactNode {
  const { t } = useTranslation();
  const value = useSetting(name);
  const setting = SETTINGS[name];
  const label = t(`settings.name.${name.replaceAll('.', '_')}`);
  if (setting.kind === 'choice')
    return (
      <Segments
        label={label}
        name={name}
        value={value}
        segments={setting.choices.map((choice) => ({
          value: choice as string,
          label: t(`settings.choice.${name.replaceAll('.', '_')}.${choice}`, { defaultValue: choice }),
        }))}
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
  return <NumberControl name={name} label={label} value={value} isReadOnly={isReadOnly} changing={changing} />;
}

function NumberControl({ name, label, value, isReadOnly, changing }: SettingProps & { label: string; value: string }): ReactNode {
  const [typed, setTyped] = useState<string | undefined>();
  const save = (): void => {
    if (typed !== undefined && typed !== value) void changing.change(name, typed);
    setTyped(undefined);
  };
  return (
    <NumberInput
      size="md"
      w={160}
      aria-label={label}
      value={typed ?? value}
      disabled={isReadOnly}
      allowDecimal={false}
      onChange={(next) => setTyped(String(next))}
      onBlur={save}
      onKeyDown={(event) => event.key === 'Enter' && save()}
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
