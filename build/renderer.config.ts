// Builds the screens into dist/renderer: files for the browser host and for Electron's app:// protocol alike.

import { cpSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { thirdPartyNotices } from './release/shipped-parts.ts';

// Always a build for production, even where the shell or a test runner sets NODE_ENV otherwise: one for development is
// larger and slower.
process.env.NODE_ENV = 'production';

const root = fileURLToPath(new URL('..', import.meta.url));
const outDir = join(root, 'dist', 'renderer');

/** pdf.js reads fonts and character maps of a PDF as files; only those that it may need are copied. */
function pdfResources(): Plugin {
  return {
    name: 'pdf-resources',
    closeBundle() {
      const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
      for (const name of ['standard_fonts', 'cmaps'])
        cpSync(join(folder, name), join(outDir, 'pdf', name), { recursive: true });
    },
  };
}

/** Whose work is in the program, for the page that says so. */
function notices(): Plugin {
  return {
    name: 'third-party-notices',
    closeBundle: () => writeFileSync(join(outDir, 'third-party-notices.txt'), thirdPartyNotices(root)),
  };
}

const FRAME =
  /\/(renderer\/(parts|bridge|text|entry|theme)|shared)\/|\/node_modules\/(react|react-dom|scheduler|i18next|react-error-boundary|react-i18next|@tanstack|@msgpack)\//;
/** Big, and not needed for the first look. */
const LATER = /top-menus|reason-dialog|segments|es\.json|shared\/(signal|v3|bridge)|recording-entry/;
const inFrame = (id: string): boolean => FRAME.test(id) && !LATER.test(id);

export default defineConfig({
  root: join(root, 'renderer'),
  base: './',
  plugins: [react(), pdfResources(), notices()],
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2024',
    chunkSizeWarningLimit: 2000,
    // What the frame and the worklist need comes in one piece: each file more is another way to the
    // workstation and back.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'frame', test: inFrame }] } } },
  },
});
