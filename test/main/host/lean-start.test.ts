// What threads load when they start: nothing that only some clinics or some jobs need. It loads with its first use.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtProgram } from '../../support/built-program.ts';

/** Packages and parts of Node.js behind an entry of the built program, without what it imports later. */
function loadedBy(entry: string): ReadonlySet<string> {
  const loaded = new Set<string>();
  const seen = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(join(builtProgram, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^(?:import|export)\b[^\n]*?"([^"\n]+)";$/gm))
      name.startsWith('./') ? waiting.push(name.slice(2)) : loaded.add(name);
    for (const [, name = ''] of text.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm))
      loaded.add(name);
  }
  return loaded;
}

test.each([
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
])('%s starts without what few need', (_what, entry, needed, notYet) => {
  const loaded = loadedBy(entry);
  expect(needed.filter((name) => !loaded.has(name))).toEqual([]);
  expect(notYet.filter((name) => loaded.has(name))).toEqual([]);
});
