// Bundles the command line beside the threads that it starts, for tests, which run it hundreds of times.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vite';
import electron from './electron.config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig(
  mergeConfig(electron, {
    build: { rolldownOptions: { input: { isoline: join(root, 'main/host/cli/isoline.ts') } } },
  }),
);
