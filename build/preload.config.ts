// Bundles the preload script into one CommonJS file: a sandboxed preload can load nothing else.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root,
  publicDir: false,
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: join(root, 'preload/preload.ts'),
    outDir: join(root, 'dist', 'preload'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: { output: { format: 'cjs', entryFileNames: 'preload.cjs' } },
  },
});
