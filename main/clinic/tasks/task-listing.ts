// What a task is found by in the worklist: words of its patient, tags, indications, findings; severity;
// whether it is real. Kept up to date in the transaction that changes any of these.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { nameKeys } from '../../../shared/entry/name-key.ts';
import { type ReadFindings, readFindings } from '../../../shared/review/read-findings.ts';
import { type ClinicContext, type Tx, transact } from '../context.ts';
import { patientWords } from '../patients/patient-words.ts';
import type { Store } from '../store.ts';
import type { RecordingFacts, Task } from './records.ts';
import { patientOf } from './task-patient.ts';

const MOST_WORDS = 500;
const TASKS_AT_ONCE = 100;

function wordsOf(
  { fields }: Task,
  facts: RecordingFacts | undefined,
  read: ReadFindings | undefined,
): string[] {
  const { deviceId, investigationId, indications = [], tags = [] } = fields;
  const statements = read?.statements.map(({ statement }) => statement.text) ?? [];
  const texts = [deviceId, facts?.deviceId, investigationId, ...tags, ...indications, ...statements];
  const words = [
    ...patientWords(patientOf(fields, facts?.patient ?? {})),
    ...texts.flatMap((text) => nameKeys(text ?? '')),
  ];
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** To be called after anything that the worklist shows or searches has changed. */
export function listTask(_tx: Tx, store: Store, taskId: number): void {
  const task = store.tasks.byId(taskId);
  if (task === undefined) return;
  if (task.state === 'DELETED') {
    store.tasks.setListing(taskId, undefined);
    return;
  }
  const facts = task.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId)?.facts;
  const finding = store.findings.latest(taskId);
  const read = finding && readFindings(finding.summary, finding.corrections);
  store.tasks.setListing(taskId, {
    words: wordsOf(task, facts, read),
    severity: read?.severity,
    isSimulated: (facts?.isSimulated ?? store.streams.byId(taskId)?.device?.isSimulated) === true,
  });
}

/** Tasks of a version that had no such list. Whoever asks meanwhile is answered between the steps. */
export async function listUnlistedTasks({ store }: ClinicContext): Promise<void> {
  for (
    let ids = store.tasks.unlisted(TASKS_AT_ONCE);
    ids.length > 0;
    ids = store.tasks.unlisted(TASKS_AT_ONCE)
  ) {
    const batch = ids;
    await transact(store, (tx) => {
      for (const id of batch) listTask(tx, store, id);
    });
    await nextTurn();
  }
}
