// The built renderer held in memory: a closed list of files, found by exact path. No request ever reaches the
// disk (SEC2).

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
};

export interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
}

export type PageFiles = ReadonlyMap<string, PageFile>;

/** @throws IsolineError `renderer_missing` where nothing was built. */
export function loadRenderer(folder: string): PageFiles {
  const files = new Map<string, PageFile>();
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const name = path.slice(folder.length).replaceAll('\\', '/');
      files.set(name, {
        bytes: readFileSync(path),
        type: TYPES[extname(entry.name)] ?? 'application/octet-stream',
      });
    }
  } catch (error) {
    throw new IsolineError(
      'renderer_missing',
      'The screens have not been built. Run "npm run build" once.',
      {},
      { cause: error },
    );
  }
  if (!files.has('/index.html'))
    throw new IsolineError('renderer_missing', 'The screens have not been built. Run "npm run build" once.');
  return files;
}

/**
 * The file behind a path of a page's address, or undefined. Only exact names count: nothing is decoded or
 * joined.
 */
export function findPage(files: PageFiles, pathname: string): PageFile | undefined {
  return files.get(pathname === '/' ? '/index.html' : pathname);
}
