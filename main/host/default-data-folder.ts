// The data folder of a person who names none.

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The local profile: the roaming one is copied over the network at every sign-in, a database among it. Who
 * has data there keeps them.
 */
function onWindows(): string {
  const roaming = join(process.env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Isoline');
  if (existsSync(join(roaming, 'isoline.sqlite'))) return roaming;
  return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Isoline');
}

/** Where the workstation keeps its data when nobody says otherwise. */
export function defaultDataFolder(): string {
  if (process.platform === 'win32') return onWindows();
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Isoline');
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'isoline');
}
