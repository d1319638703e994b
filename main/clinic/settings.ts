// Changing a setting is a change of state like any other: checked, audited, in one transaction.

import { parseSetting } from '../../shared/settings.ts';
import { type ClinicContext, change } from './context.ts';

/** @throws IsolineError `unknown_setting`, `invalid_setting`. */
export async function changeSetting(
  context: ClinicContext,
  key: string,
  text: string,
  actor: string,
): Promise<void> {
  const value = parseSetting(key, text);
  await change(context, () => {
    context.store.settings.set(key, text, context.clock.nowMs());
    return {
      result: undefined,
      notes: [{ actor, action: 'setting.changed', subject: `setting:${key}`, detail: { value } }],
    };
  });
  context.settingsChanged();
}
