// What a workstation has stored of a task, read from its file as the analysis reads it.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Recording } from '../../shared/signal/recording.ts';
import { eventually, type RunningWorkstation } from './running-workstation.ts';
import { recordingFrom } from './test-data.ts';

/** Waits until the stream of the task is a file. */
export async function storedRecording(
  { dataDir }: Pick<RunningWorkstation, 'dataDir'>,
  taskId: number,
): Promise<Recording> {
  const sha256 = await eventually(async () => {
    using database = closing(new Database(join(dataDir, 'isoline.sqlite'), { readonly: true }));
    return database.db
      .prepare<[number], string>(
        'SELECT recording.sha256 FROM task JOIN recording ON recording.id = task.recording_id WHERE task.id = ?',
      )
      .pluck()
      .get(taskId);
  }, `the file of task ${taskId}`);
  return recordingFrom(join(dataDir, 'files', sha256.slice(0, 2), sha256.slice(2)));
}

const closing = (db: Database.Database): { readonly db: Database.Database } & Disposable => ({
  db,
  [Symbol.dispose]: () => void db.close(),
});
