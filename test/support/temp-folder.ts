// A folder that is gone after the test.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

export async function tempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'isoline-test-'));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 5 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
