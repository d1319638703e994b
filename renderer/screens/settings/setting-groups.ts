// The groups of the settings under their headings, and what is found in them.

import type { TFunction } from 'i18next';
import type { SettingKey } from '../../../shared/settings.ts';
import type { IconName } from '../../parts/icon.tsx';
import { wordKey } from './choice-label.ts';
import { SHOWN_SETTINGS } from './shown-settings.ts';

export const HEADINGS = {
  workplace: ['screen', 'recording', 'patients'],
  reading: ['report', 'printing'],
  data: ['orders', 'hospital', 'sync', 'storage'],
  administration: ['users', 'seats', 'tokens', 'service', 'updates', 'audit'],
} as const;

export type SettingGroup = (typeof HEADINGS)[keyof typeof HEADINGS][number];

export const GROUP_ICONS: Readonly<Record<SettingGroup, IconName>> = {
  screen: 'enlarge',
  recording: 'live',
  patients: 'patient',
  report: 'report',
  printing: 'print',
  orders: 'worklist',
  hospital: 'archive',
  sync: 'sync',
  storage: 'storage',
  users: 'person',
  seats: 'seat',
  tokens: 'key',
  service: 'devices',
  updates: 'save',
  audit: 'worklist',
};

export const GROUPS: readonly SettingGroup[] = Object.values(HEADINGS).flat();

export interface FoundSettings {
  readonly group: SettingGroup;
  /** Empty where the name of the group matched, and none of its settings. */
  readonly settings: readonly SettingKey[];
}

const settingsOf = (group: SettingGroup): readonly SettingKey[] =>
  group in SHOWN_SETTINGS ? SHOWN_SETTINGS[group as keyof typeof SHOWN_SETTINGS] : [];

/** What has all the words in its name, its effect or its group. */
export function findSettings(t: TFunction, typed: string): FoundSettings[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const hasAll = (text: string): boolean => words.every((word) => text.toLocaleLowerCase().includes(word));
  return GROUPS.flatMap((group) => {
    const about = `${t(`settings.group.${group}`)} ${t(`settings.intro.${group}`)}`;
    const settings = settingsOf(group).filter((name) =>
      hasAll(`${about} ${t(`settings.name.${wordKey(name)}`)} ${t(`settings.effect.${wordKey(name)}`)}`),
    );
    return settings.length > 0 || hasAll(about) ? [{ group, settings }] : [];
  });
}
