// What is set at this workstation, as text.

import { useQueryClient } from '@tanstack/react-query';
import { SETTINGS, type SettingKey } from '../../shared/settings.ts';
import { useBridgeQuery } from './use-bridge.tsx';
import { useCommand } from './use-command.ts';

/** Until the workstation has answered: what is set where nobody has changed anything. */
export function useSetting(key: SettingKey): string {
  const { data } = useBridgeQuery('setting.list', {});
  return data?.values[key] ?? String(SETTINGS[key].initial);
}

export interface SettingChange {
  readonly isRunning: boolean;
  readonly trouble: string | undefined;
  /** @returns whether it was accepted */
  change(key: SettingKey, text: string): Promise<boolean>;
}

export function useSettingChange(): SettingChange {
  const command = useCommand('setting.change');
  const queries = useQueryClient();
  return {
    isRunning: command.isRunning,
    trouble: command.trouble,
    async change(key, text) {
      const answer = await command.run({ key, text });
      await queries.invalidateQueries({ queryKey: ['setting.list'] });
      await queries.invalidateQueries({ queryKey: ['session.get'] });
      return answer !== undefined;
    },
  };
}
