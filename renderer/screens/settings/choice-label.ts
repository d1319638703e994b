// The words for a value of a setting.

import type { TFunction } from 'i18next';
import { SETTINGS, type SettingKey } from '../../../shared/settings.ts';

/** Keys of the catalogues have no dots. */
export const wordKey = (name: SettingKey): string => name.replaceAll('.', '_');

export function choiceLabel(t: TFunction, name: SettingKey, value: string): string {
  if (SETTINGS[name].kind === 'switch') return t(value === 'true' ? 'settings.on' : 'settings.off');
  if (value === '') return t('settings.empty');
  return t(`settings.choice.${wordKey(name)}.${value}`, { defaultValue: value });
}
