// The log: one JSON object a line, a file a day, in the data folder. Fields hold ids, counts and codes only
// (SEC70).

import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../clinic/ports.ts';

const KEPT_FILES = 30;

export function openLog(dataDir: string): Log {
  const folder = join(dataDir, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const old = readdirSync(folder)
    .filter((name) => /^\d{4}-\d\d-\d\d\.log$/.test(name))
    .sort()
    .slice(0, -KEPT_FILES);
  for (const name of old) rmSync(join(folder, name), { force: true });
  return (event, facts) => {
    const time = new Date().toISOString();
    try {
      appendFileSync(
        join(folder, `${time.slice(0, 10)}.log`),
        `${JSON.stringify({ time, event, ...facts })}\n`,
        { mode: 0o600 },
      );
    } catch {
      // A log that can't be written, on a full disk say, must not stop what it tells of.
    }
  };
}
