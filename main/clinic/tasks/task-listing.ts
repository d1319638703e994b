// What a task is found by in the worklist: words of its patient, tags, indications, findings; severity;
// whether it is real. Kept up to date in the transaction that changes any of these.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Statement } from '../../../shared/analysis-result.ts';
import { nameKeys } from '../../../shared/entry/name-key.ts';
import { tellsNoAbnormality } from '../../../shared/findings/no-abnormality.ts';
import { readFindings } from '../../../shared/review/read-findings.ts';
import { type ClinicContext, type Tx, transact } from '../context.ts';
import { patientWords } from '../patients/patient-words.ts';
import type { Store } from '../store.ts';
import { findingWords } from './finding-words.ts';
import type { FirstFinding, RecordingFacts, Task } from './records.ts';
import { statementsOf } from './statements.ts';
import { patientOf } from './task-patient.ts';

const MOST_WORDS = 500;
const TASKS_AT_ONCE = 100;
const STEPS_AT_START = 5;

function wordsOf(
  { fields }: Task,
  facts: RecordingFacts | undefined,
  statements: readonly Statement[],
): string[] {
  const { deviceId, investigationId, indications = [], tags = [] } = fields;
  const texts = [deviceId, facts?.deviceId, investigationId, ...tags, ...indications];
  const words = [
    ...patientWords(patientOf(fields, facts?.patient ?? {})),
    ...texts.flatMap((text) => nameKeys(text ?? '')),
    ...statements.flatMap(findingWords),
  ];
  return [...new Set(words)].slice(0, MOST_WORDS);
}

/** What a row of the list has room for: the first statement, and how many others tell something abnormal. */
function firstOf(statements: readonly Statement[]): FirstFinding | undefined {
  const [first, ...others] = statements;
  if (first === undefined) return undefined;
  const { code, text, values } = first;
  const more = others.filter((other) => !tellsNoAbnormality(other)).length;
  return { code, text, more, ...(values !== undefined && { values }) };
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
  const statements = finding === undefined ? [] : statementsOf(finding);
  store.tasks.setListing(taskId, {
    words: wordsOf(task, facts, statements),
    severity: read?.severity,
    firstFinding: firstOf(statements),
    isSimulated: (facts?.isSimulated ?? store.streams.byId(taskId)?.device?.isSimulated) === true,
  });
}

/**
 * Lists the newest tasks before one that an earlier version had not listed so. One that cannot be read is left as it is, and tried
 * again at the next start.
 * @returns the last one that was looked at; undefined where none was left
 */
async function listSome({ store, log }: ClinicContext, before: number): Promise<number | undefined> {
  const ids = store.tasks.unlisted(TASKS_AT_ONCE, before);
  if (ids.length === 0) return undefined;
  await transact(store, (tx) => {
    for (const id of ids)
      try {
        listTask(tx, store, id);
      } catch (error) {
        log('listing.failed', { task: id, reason: error instanceof Error ? error.name : 'unknown' });
      }
  });
  // Whoever asks meanwhile is answered between the steps.
  await nextTurn();
  return ids.at(-1);
}

/**
 * Tasks of a version whose list told less. As many as somebody sees at first are listed before this returns, the rest behind it.
 * @returns ends that, and waits for the step that is under way
 */
export async function listUnlistedTasks(context: ClinicContext): Promise<() => Promise<void>> {
  let before: number | undefined = Number.MAX_SAFE_INTEGER;
  const next = async (): Promise<void> => {
    if (before !== undefined) before = await listSome(context, before);
  };
  for (let step = 0; step < STEPS_AT_START && before !== undefined; step++) await next();
  let isEnded = false;
  const rest = async (): Promise<void> => {
    while (!isEnded && before !== undefined) await next();
  };
  const running = rest().catch((error: unknown) =>
    context.log('listing.failed', { reason: error instanceof Error ? error.name : 'unknown' }),
  );
  return async () => {
    isEnded = true;
    await running;
  };
}
