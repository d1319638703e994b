// What threads of a built program load when they start, and what is to load with its first use.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const IMPORTS = /^(?:import|export)\b[^\n]*?"([^"\n]+)";$/gm;
const BUNDLED = /^\/\/ node_modules\/((?:@[^/]+\/)?[^/\n]+)/gm;

interface Start {
  readonly entry: string;
  /** Some of what it needs at once. */
  readonly needed: readonly string[];
  readonly notYet: readonly string[];
}

const STARTS: readonly Start[] = [
  {
    entry: 'pool-worker.mjs',
    needed: ['typebox', 'pako', 'node:worker_threads'],
    notYet: ['pdfkit', 'tar-stream', 'xz-decompress', '@zip.js/zip.js', 'iconv-lite', 'dcmjs'],
  },
  {
    entry: 'host-clinic-thread.mjs',
    needed: ['typebox', 'fastify', 'better-sqlite3'],
    // An import statement for `node:http` also loads the WebSocket client of Node.js.
    notYet: ['undici', 'node:http', 'iconv-lite', 'dcmjs', 'pdfkit', 'selfsigned'],
  },
];

const importsOf = (text: string): string[] => [...text.matchAll(IMPORTS)].map(([, name = '']) => name);

/** Packages and parts of Node.js behind an entry, without what it imports later. */
function loadedBy(folder: string, entry: string): ReadonlySet<string> {
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

/**
 * @param folder of the built program
 * @returns what loads too early or not at all, and parts that import an entry, which would so run twice
 */
export function startFaults(folder: string): string[] {
  const faults: string[] = [];
  for (const { entry, needed, notYet } of STARTS) {
    const loaded = loadedBy(folder, entry);
    for (const name of needed) if (!loaded.has(name)) faults.push(`${entry} does not load ${name}`);
    for (const name of notYet) if (loaded.has(name)) faults.push(`${entry} loads ${name}`);
  }
  const entries = STARTS.map(({ entry }) => `./${entry}`);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.mjs')))
    for (const name of importsOf(readFileSync(join(folder, file), 'utf8')))
      if (entries.includes(name)) faults.push(`${file} imports ${name}`);
  return faults;
}
