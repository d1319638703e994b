// What lies in a folder: files that can be read, folders, and what neither is. Nothing that lies there ends a run, and nothing is passed
// over in silence: it may be a recording.

import { accessSync, constants, type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';

/** A file with the sentence that says why it is not taken. */
export interface NamedFault {
  readonly name: string;
  readonly message: string;
}

export interface FolderEntries {
  /** Names of files that may be read, links to files among them. */
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** What may be a recording, and may not be read. */
  readonly failed: readonly NamedFault[];
  /** What holds no recording by its kind. */
  readonly ignored: readonly NamedFault[];
}

const byCodePoints = (a: Dirent, b: Dirent): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** What a name that is no UTF-8 shows. */
const LOST_LETTER = '\uFFFD';

type Entry = 'file' | 'folder' | { readonly isMissed: boolean; readonly message: string };

function missed(message: string): Entry {
  return { isMissed: true, message };
}

function kindOf(entry: Dirent, path: string): Entry {
  let found: Stats;
  try {
    found = statSync(path);
    if (found.isFile()) accessSync(path, constants.R_OK);
  } catch {
    if (entry.name.includes(LOST_LETTER))
      return missed('Its name has letters that this computer does not know. Rename it, and try again.');
    return missed(
      entry.isSymbolicLink()
        ? 'It is a link to something that is not there.'
        : 'It may not be read. Change its permissions, and try again.',
    );
  }
  if (found.isFile()) return 'file';
  if (!found.isDirectory()) return { isMissed: false, message: 'It is no file.' };
  // A link may lead back to a folder above it.
  return entry.isSymbolicLink()
    ? missed('It is a link to a folder, and was not followed. Name that folder.')
    : 'folder';
}

/** @param prefix of the names in what is not taken */
export function listFolder(folder: string, prefix: string): FolderEntries {
  const found = {
    files: [] as string[],
    folders: [] as string[],
    failed: [] as NamedFault[],
    ignored: [] as NamedFault[],
  };
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true }).sort(byCodePoints);
  } catch {
    const message = 'The folder may not be read. Change its permissions, and try again.';
    found.failed.push({ name: prefix === '' ? folder : prefix.slice(0, -1), message });
    return found;
  }
  for (const entry of entries) {
    const kind = kindOf(entry, join(folder, entry.name));
    if (kind === 'file') found.files.push(entry.name);
    else if (kind === 'folder') found.folders.push(entry.name);
    else
      found[kind.isMissed ? 'failed' : 'ignored'].push({ name: prefix + entry.name, message: kind.message });
  }
  return found;
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
