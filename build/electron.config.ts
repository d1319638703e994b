// Bundles Electron's main process and its worker entries into dist/main; packages with native files stay
// outside.

import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files that rooms of main/ read at run time. */
function resources(): Plugin {
  let outDir = '';
  return {
    name: 'main-resources',
    configResolved({ build }) {
      outDir = resolve(root, build.outDir);
    },
    closeBundle() {
      for (const folder of ['fonts', 'colour'])
        cpSync(join(root, 'main', 'report', folder), join(outDir, 'report', folder), { recursive: true });
    },
  };
}

export default defineConfig({
  root,
  plugins: [resources()],
  publicDir: false,
  ssr: {
    noExternal: true,
    external: [
      'electron',
      'electron-updater',
      'better-sqlite3',
      'serialport',
      'piscina',
      'pdfkit',
      'bidi-js',
      'fastify',
      'ws',
      'xz-decompress',
      'unbzip2-stream',
      'tar-stream',
    ],
  },
  build: {
    ssr: true,
    outDir: join(root, 'dist', 'main'),
    emptyOutDir: true,
    target: 'node24',
    minify: false,
    rolldownOptions: {
      // No part that is loaded later imports an entry, which would run as one a second time.
      preserveEntrySignatures: 'strict',
      input: {
        electron: join(root, 'main/host/electron/electron.ts'),
        'host-clinic-thread': join(root, 'main/host/clinic-thread.ts'),
        'store-backup-backup-thread': join(root, 'main/store/backup/backup-thread.ts'),
        'store-database-look-through-thread': join(root, 'main/store/database/look-through-thread.ts'),
        'pool-worker': join(root, 'main/pool/worker.ts'),
      },
      output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    },
  },
});
