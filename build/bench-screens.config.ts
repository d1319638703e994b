// Builds the page of `npm run bench:ui`: what is drawn is the product's code, minified as it is shipped.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  root: join(root, 'test', 'bench', 'screens'),
  base: './',
  build: {
    outDir: join(root, 'out', 'bench-screens'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    target: 'es2024',
  },
});
