// Builds the screens into dist/renderer: files for the browser host and for Electron's app:// protocol alike.

import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = join(root, 'dist', 'renderer');

/** pdf.js reads fonts and character maps of a PDF as files; only those that it may need are copied. */
function pdfResources(): Plugin {
  return {
    name: 'pdf-resources',
    closeBundle() {
      const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
      for (const name of ['standard_fonts', 'cmaps']) cpSync(join(folder, name), join(outDir, 'pdf', name), { recursive: true });
    },
  };
}

export default defineConfig({
  root: join(root, 'renderer'),
  base: './',
  plugins: [react(), pdfResources()],
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    chunkSizeWarningLimit: 2000,
  },
});
