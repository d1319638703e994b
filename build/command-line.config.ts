// Bundles the command line beside the threads that it starts, and a clinic thread that outlives its workstation: for
// tests, which start hundreds.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vite';
import electron from './electron.config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig(
  mergeConfig(electron, {
    build: {
      rolldownOptions: {
        input: {
          isoline: join(root, 'main/host/cli/isoline.ts'),
          'reused-clinic-thread': join(root, 'test/support/reused-clinic-thread.ts'),
        },
      },
    },
  }),
);
