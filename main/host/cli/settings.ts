// `isoline settings`: shows and changes the settings of a data folder, also beside a running workstation.

import { resolve } from 'node:path';
import { parseSetting, resolveSettings, SETTING_KEYS, SETTINGS } from '../../../shared/settings.ts';
import { changeSetting } from '../../clinic/settings.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { type Command, print, usageError } from './command.ts';

function table(stored: ReadonlyMap<string, string>): string {
  const values = resolveSettings(stored);
  const rows = SETTING_KEYS.map(
    (key) => [key, String(values[key]), stored.has(key) ? 'set' : 'default', SETTINGS[key].meaning] as const,
  );
  const widths = [0, 1, 2].map(
    (column) => Math.max(...rows.map((row) => (row[column] as string).length)) + 2,
  );
  return rows
    .map(
      ([key, value, origin, meaning]) =>
        key.padEnd(widths[0] as number) +
        value.padEnd(widths[1] as number) +
        origin.padEnd(widths[2] as number) +
        meaning,
    )
    .join('\n');
}

export const settingsCommand: Command = {
  name: 'settings',
  usage: 'list|set [KEY VALUE] --data-dir D',
  options: { 'data-dir': { value: 'D', meaning: 'The data folder.' } },
  positionals: [1, 3],
  async run(args) {
    const [action, key, value] = args.positionals;
    const dataDir = resolve(args.required('data-dir'));
    if (action === 'list' && key === undefined) {
      using store = openDataStore(dataDir, 'command');
      return print(table(store.settings.all()));
    }
    if (action !== 'set' || key === undefined || value === undefined)
      throw usageError('Use "settings list" or "settings set KEY VALUE".', settingsCommand);
    parseSetting(key, value);
    using store = openDataStore(dataDir, 'command');
    await changeSetting(await commandContext(dataDir, store), key, value, 'cli');
    print(`${key} = ${value}`);
  },
};
