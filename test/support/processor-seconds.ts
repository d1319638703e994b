// Notes what each file of tests costs in processor time, itself and with the programs that it starts and ends: one line a file,
// in the file that `ISOLINE_TEST_PROCESSOR_SECONDS` names. `npm test` prints the dearest of them.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';
import { projectRoot } from './test-data.ts';

const notesPath = process.env.ISOLINE_TEST_PROCESSOR_SECONDS;

const PROCESS_STATUS = '/proc/self/stat';
/** The clock in which Linux counts processor time is the same on every machine of today (proc(5), `sysconf(_SC_CLK_TCK)`). */
const TICKS_PER_SECOND = 100;
/** Places of `cutime` and `cstime` behind the name of the program, which may hold spaces (proc(5)). */
const CHILDREN = [13, 14] as const;

/** Programs count from when they have ended; other systems than Linux do not say it of them. */
function childrenSeconds(): number {
  if (!existsSync(PROCESS_STATUS)) return 0;
  const fields = readFileSync(PROCESS_STATUS, 'latin1')
    .replace(/^.*\) /s, '')
    .split(' ');
  return CHILDREN.reduce((sum, place) => sum + Number(fields[place]), 0) / TICKS_PER_SECOND;
}

function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
}

if (notesPath !== undefined) {
  const startSeconds = usedSeconds();
  afterAll(() => {
    const file = relative(projectRoot, expect.getState().testPath ?? '');
    appendFileSync(notesPath, `${(usedSeconds() - startSeconds).toFixed(2)} ${file}\n`);
  });
}
