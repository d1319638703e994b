// Source that was read once is kept compiled, so that the program starts in half the time. Beside the sources
// alone: a packaged program is one file a thread, and may not write beside itself.

import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Called before anything else is imported. */
export function keepCompiled(): void {
  const libraries = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'node_modules');
  // Whoever may write there may change the program anyway.
  if (!import.meta.url.endsWith('.ts') || !existsSync(libraries)) return;
  const folder = join(libraries, '.cache', 'isoline');
  enableCompileCache(folder);
  // Threads that are started from here look for it there.
  process.env.NODE_COMPILE_CACHE ??= folder;
}
