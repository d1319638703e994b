// What threads of a built program load when they start, and what is to load with its first use.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const IMPORTS = /^(?:import|export)\b[^\n]*?"([^"\n]+)";$/gm;
const BUNDLED = /^\/\/ node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm;

/** What is started, its entry, some of what it needs at once, and what it does not. */
export const STARTS = [
  [
    'a worker of the pool',
    'pool-worker.mjs',
    ['typebox', 'pako', 'node:worker_threads'],
    ['pdfkit', 'tar-stream', 'xz-decompress', '@zip.js/zip.js', 'iconv-lite', 'dcmjs'],
  ],
  [
    'the clinic thread',
    'host-clinic-thread.mjs',
    ['typebox', 'fastify', 'better-sqlite3'],
    // An import statement for `node:http` also loads the WebSocket client of Node.js.
    ['undici', 'node:http', 'iconv-lite', 'dcmjs', 'pdfkit', 'selfsigned'],
  ],
] as const;

const importsOf = (text: string): string[] => [...text.matchAll(IMPORTS)].map(([, name = '']) => name);

/** Packages and parts of Node.js behind an entry, without what it imports later. @param folder of the built program */
export function loadedBy(folder: string, entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(folder, file), 'utf8');
    for (const name of importsOf(text))
      name.startsWith('./') ? waiting.push(name.slice(2)) : loaded.add(name);
    for (const [, name = ''] of text.matchAll(BUNDLED)) loaded.add(name);
  }
  return loaded;
}

/** Parts that import an entry, which would so run twice. @param folder of the built program */
export const importersOfEntries = (folder: string): string[] =>
  readdirSync(folder).filter(
    (file) =>
      file.endsWith('.mjs') &&
      importsOf(readFileSync(join(folder, file), 'utf8')).some((name) =>
        STARTS.some(([, entry]) => name === `./${entry}`),
      ),
  );
