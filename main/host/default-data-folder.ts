// The data folder of a person who names none.

import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the workstation keeps its data when nobody says otherwise. */
export function defaultDataFolder(): string {
  if (process.platform === 'win32') return join(process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Isoline');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Isoline');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'isoline');
}
