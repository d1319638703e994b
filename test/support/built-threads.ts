// The threads of a workstation, bundled as they are shipped. A bundled one starts in less than half the time of
// one that loads some 300 sources, and tests start hundreds.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './test-data.ts';

export const builtThreads = join(projectRoot, 'out', 'threads');

/** Undefined outside of Vitest, where nobody has built them. */
export const builtClinicThread =
  process.env.ISOLINE_TEST_BUILT_THREADS === '1'
    ? pathToFileURL(join(builtThreads, 'host-clinic-thread.mjs'))
    : undefined;
