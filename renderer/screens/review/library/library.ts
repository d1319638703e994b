// The findings that a reader may add, in the order of a report.

import { CONDUCTION } from './conduction.ts';
import type { LibraryFinding } from './finding.ts';
import { RHYTHMS } from './rhythms.ts';
import { SHAPES } from './shapes.ts';

export const FINDING_LIBRARY: readonly LibraryFinding[] = [...RHYTHMS, ...CONDUCTION, ...SHAPES];
