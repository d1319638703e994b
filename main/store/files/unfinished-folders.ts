// Folders in which work that takes long lays aside what it has, so that it goes on after the program has ended.

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '../../clinic/ports.ts';
import { assert } from '../../ground/assert.ts';

type Unfinished = Pick<Files, 'unfinishedFolder' | 'unfinishedTasks' | 'removeUnfinished'>;

/** @param folder is there */
export function unfinishedFolders(folder: string): Unfinished {
  const unfinishedFolder = (taskId: number): string => {
    assert(Number.isSafeInteger(taskId) && taskId > 0, 'a folder is named by a task');
    return join(folder, String(taskId));
  };
  return {
    unfinishedFolder,
    unfinishedTasks: async () =>
      (await readdir(folder)).map(Number).filter((taskId) => Number.isSafeInteger(taskId) && taskId > 0),
    removeUnfinished: (taskId) => rm(unfinishedFolder(taskId), { force: true, recursive: true }),
  };
}
