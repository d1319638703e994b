// What settings were before they were changed, as long as the screen is open: each can be taken back.

import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingKey } from '../../../shared/settings.ts';
import { type SettingChange, useSetting, useSettingChange } from '../../bridge/use-settings.ts';
import { choiceLabel } from './choice-label.ts';
import classes from './settings.module.css';

interface Changes {
  readonly before: ReadonlyMap<SettingKey, string>;
  note(key: SettingKey, text: string): void;
}

const Changed = createContext<Changes>({ before: new Map(), note: () => undefined });

export function ChangedSettings({ children }: { children: ReactNode }): ReactNode {
  const [before, setBefore] = useState<ReadonlyMap<SettingKey, string>>(new Map());
  const value = useMemo<Changes>(
    () => ({
      before,
      note: (key, text) => setBefore((known) => (known.has(key) ? known : new Map([...known, [key, text]]))),
    }),
    [before],
  );
  return <Changed value={value}>{children}</Changed>;
}

export interface UndoableSetting extends Pick<SettingChange, 'trouble'> {
  readonly value: string;
  set(text: string): void;
  /** Absent where it is as it was. */
  readonly was: ReactNode;
}

export function useUndoableSetting(name: SettingKey): UndoableSetting {
  const { t } = useTranslation();
  const value = useSetting(name);
  const changing = useSettingChange();
  const { before, note } = use(Changed);
  const first = before.get(name);
  const set = async (text: string, previous: string): Promise<void> => {
    if (await changing.change(name, text)) note(name, previous);
  };
  return {
    value,
    trouble: changing.trouble,
    set: (text) => void set(text, value),
    was:
      first === undefined || first === value ? undefined : (
        <span className={classes.was}>
          {t('settings.was', { value: choiceLabel(t, name, first) })}{' '}
          <button type="button" onClick={() => void set(first, value)}>
            {t('settings.undo')}
          </button>
        </span>
      ),
  };
}
