// Where the screens are, once they are built.

import { join } from 'node:path';
import { projectRoot } from './test-data.ts';

export const builtScreens = join(projectRoot, 'dist', 'renderer');
