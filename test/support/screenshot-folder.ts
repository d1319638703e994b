// The folder for pictures of the screens.

import { join } from 'node:path';
import { projectRoot } from './test-data.ts';

export const screenshotFolder = join(projectRoot, 'out', 'screenshots');
