// The findings that a reader may add, in the order of a report.

import { ABOUT_RECORDING } from './about-recording.ts';
import { CHAMBERS } from './chambers.ts';
import { CONDUCTION } from './conduction.ts';
import type { LibraryFinding } from './finding.ts';
import { ISCHAEMIA } from './ischaemia.ts';
import { REPOLARISATION } from './repolarisation.ts';
import { RHYTHMS } from './rhythms.ts';

export const FINDING_LIBRARY: readonly LibraryFinding[] = [
  ...RHYTHMS,
  ...CONDUCTION,
  ...ISCHAEMIA,
  ...CHAMBERS,
  ...REPOLARISATION,
  ...ABOUT_RECORDING,
];
