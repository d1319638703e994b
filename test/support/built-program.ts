// The command line and the threads of a workstation, bundled as the threads are shipped. A bundled one starts in
// less than half the time of one that loads hundreds of sources, and tests start hundreds.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './test-data.ts';

export const builtProgram = join(projectRoot, 'out', 'program');

/** Not outside of Vitest, where nobody has built it. */
const isBuilt = process.env.ISOLINE_TEST_BUILT_PROGRAM === '1';

/** The clinic thread as it is shipped. */
export const builtClinicThread = isBuilt
  ? pathToFileURL(join(builtProgram, 'host-clinic-thread.mjs'))
  : undefined;

/** A clinic thread that serves one workstation after the other; undefined where it is not built. */
export const reusedClinicThread = isBuilt
  ? pathToFileURL(join(builtProgram, 'reused-clinic-thread.mjs'))
  : undefined;

/** The entry that is not bundled. @param root of the repository */
export const sourceOfCommandLine = (root = projectRoot): string =>
  join(root, 'main', 'host', 'cli', 'isoline.ts');

/** The entry of the command line. */
export const commandLine = isBuilt ? join(builtProgram, 'isoline.mjs') : sourceOfCommandLine();
