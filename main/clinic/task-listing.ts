// What a task is found by in the worklist: words of its patient, tags, indications, findings; severity; whether it is real. Kept up to date
// in the transaction that changes any of these.

import { nameKeys } from '../../shared/entry/name-key.ts';
import { patientWords } from '../../shared/entry/patient-words.ts';
import { severityRank } from '../../shared/severity.ts';
import { type ClinicContext, transact } from './context.ts';
import type { Store, Task } from './ports.ts';
import { patientOf } from './task-patient.ts';

const MOST_WORDS = 500;
const TASKS_AT_ONCE = 500;

/** Whether a task's signal comes from no patient who is there. */
export function isSimulated(store: Store, task: Task): boolean {
  const facts = task.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId)?.facts;
  return (facts?.isSimulated ?? store.streams.byId(task.id)?.device?.isSimulated) === true;
}

function wordsOf(store: Store, task: Task): string[] {
  const facts = task.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId)?.facts;
  const { device_id, investigation_id, indications = [], searching_tags = [] } = task.fields;
  const statements = store.findings.latest(task.id)?.summary.statements ?? [];
  const texts = [device_id, facts?.deviceId, investigation_id, ...searching_tags, ...indications, ...statements.map(({ text }) => text)];
  const words = [...patientWords(patientOf(task.fields, facts?.patient ?? {})), ...texts.flatMap((text) => nameKeys(text ?? ''))];
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** Inside a running transaction, after anything that the worklist shows or searches has changed. */
export function listTask(store: Store, taskId: number): void {
  const task = store.tasks.byId(taskId);
  if (task === undefined) return;
  if (task.state === 'DELETED') {
    store.tasks.setListing(taskId, undefined);
    return;
  }
  const severity = store.findings.latest(taskId)?.summary.severity;
  store.tasks.setListing(taskId, {
    words: wordsOf(store, task),
    severity: severity === undefined ? undefined : severityRank(severity),
    isSimulated: isSimulated(store, task),
  });
}

/** Tasks of a version that had no such list. */
export async function listUnlistedTasks({ store }: ClinicContext): Promise<void> {
  for (let ids = store.tasks.unlisted(TASKS_AT_ONCE); ids.length > 0; ids = store.tasks.unlisted(TASKS_AT_ONCE)) {
    const batch = ids;
    await transact(store, () => {
      for (const id of batch) listTask(store, id);
    });
  }
}
