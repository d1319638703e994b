// Files that somebody opened with the program: by a double click, or dropped on its icon. Their paths come from outside
// (SEC14): only files that can be ECGs are taken, and a page reads them by a number of their own.

import { randomUUID } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import { IsolineError } from '../../shared/errors.ts';
import type { OpenedFiles } from '../clinic/ports.ts';

/** The endings that the packages register, and what else an operating system may hand over. */
const ENDINGS: ReadonlySet<string> = new Set([
  '.edf',
  '.bdf',
  '.scp',
  '.hea',
  '.dat',
  '.dcm',
  '.xml',
  '.ecg',
  '.flac',
  '.cmdt',
  '.json',
  '.atc',
  '.csv',
  '.zip',
  '.tar',
  '.gz',
  '.tgz',
  '.bz2',
  '.xz',
  '.zst',
  '.pdf',
]);
const MOST_FILES = 50;

interface OpenedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
}

export class FilesOpenedWith implements OpenedFiles {
  readonly #files = new Map<string, OpenedFile>();

  async add(args: readonly string[], folder: string): Promise<void> {
    for (const arg of args) {
      const path = resolve(folder, arg);
      if (arg.startsWith('-') || !ENDINGS.has(extname(path).toLowerCase())) continue;
      const found = await stat(path).catch(() => undefined);
      const isKnown = [...this.#files.values()].some((file) => file.path === path);
      if (found?.isFile() !== true || isKnown || this.#files.size >= MOST_FILES) continue;
      this.#files.set(randomUUID(), { path, name: basename(path), sizeBytes: found.size });
    }
  }

  get views(): OpenedFiles['views'] {
    return [...this.#files].map(([id, { name, sizeBytes }]) => ({ id, name, sizeBytes }));
  }

  async read(id: string, offsetBytes: number, lengthBytes: number): Promise<Uint8Array> {
    const file = this.#files.get(id);
    if (file === undefined) throw gone();
    try {
      await using handle = await open(file.path);
      const bytes = new Uint8Array(lengthBytes);
      const { bytesRead } = await handle.read(bytes, 0, lengthBytes, offsetBytes);
      if (bytesRead === lengthBytes) return bytes;
    } catch {
      // Why it cannot be read any more is the same to whoever opened it.
    }
    throw gone();
  }

  close(ids: readonly string[]): void {
    for (const id of ids) this.#files.delete(id);
  }
}

const gone = (): IsolineError =>
  new IsolineError('file_not_found', 'The file is not there any more. Open it again.');
