// Where the program's own files are and which version it is, the same from source and bundled.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** From source this file is main/product/product.ts; bundled it is dist/main/<entry>.mjs. */
const isSource = import.meta.url.endsWith('.ts');

export const projectRoot = join(here, '..', '..');

export const PRODUCT_VERSION = (
  JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
).version;

/** A file that belongs to a room of main/, such as a font. */
export const resourcePath = (path: string): string =>
  isSource ? join(projectRoot, 'main', path) : join(here, path);

/** The entry of a worker thread, by its path in main/; bundled they lie side by side. */
export const workerUrl = (path: string): URL =>
  isSource
    ? pathToFileURL(join(projectRoot, 'main', `${path}.ts`))
    : new URL(`./${path.replaceAll('/', '-')}.mjs`, import.meta.url);

export const rendererFolder = join(projectRoot, 'dist', 'renderer');
