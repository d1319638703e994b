// Recording from the screen: for whom, for how long, and what became of it.

import { useRef, useState } from 'react';
import type { DeskDevice } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { type FinishedRecording, finishedOf, isStillOf } from '../../entry/finished-recording.ts';
import { useEntry } from '../../entry/use-entry.tsx';
import { patientWords } from '../../parts/patient-line.tsx';
import { subjectOf } from '../../parts/whose-recording.tsx';

/** What `saveLast` holds. */
export const SAVED_MS = 10_000;

export interface RecorderControl {
  readonly isRecording: boolean;
  readonly isBusy: boolean;
  readonly isStopping: boolean;
  /** Nobody was confirmed: said, not hidden. */
  readonly isPatientMissing: boolean;
  readonly finished: FinishedRecording | undefined;
  /** Nothing is recorded, and somebody has to say what becomes of what was. */
  readonly isFinished: boolean;
  /** The task of the seconds that were saved meanwhile, while this recording runs. */
  readonly savedMeanwhile: number | undefined;
  /** Events that were set in this recording. */
  readonly marks: number;
  readonly trouble: string | undefined;
  /** @param durationMs absent: until it is stopped */
  record(durationMs: number | undefined): Promise<void>;
  stop(): Promise<void>;
  saveLast(): Promise<void>;
  mark(): Promise<void>;
  /** The patient is done: the form is empty, and nothing of this one stays. */
  finishPatient(): Promise<void>;
  /** Another try for the same patient. */
  dismiss(): void;
}

export function useRecorder(device: DeskDevice | undefined): RecorderControl {
  const entry = useEntry();
  const record = useCommand('desk.record');
  const stop = useCommand('desk.stop');
  const saveLast = useCommand('desk.saveLast');
  const forget = useCommand('desk.forgetPast');
  const mark = useCommand('desk.mark');
  const [isPatientMissing, setPatientMissing] = useState(false);
  const [marks, setMarks] = useState(0);
  const [savedMeanwhile, setSavedMeanwhile] = useState<number | undefined>();
  const isAsking = useRef(false);
  const { recording, lastRecording } = device ?? {};
  const isRecording = recording !== undefined && !recording.isFinishing;
  const { person, last } = entry.state;
  const ended = finishedOf(last, lastRecording);
  const { data: row } = useBridgeQuery(
    'task.get',
    { taskId: ended?.taskId ?? 1 },
    { isEnabled: ended !== undefined },
  );
  const now = row !== undefined && row.taskId === ended?.taskId ? subjectOf(row) : undefined;
  const finished = isStillOf(patientWords(entry.read.request), now) ? ended : undefined;
  return {
    isRecording,
    isBusy: record.isRunning || stop.isRunning || saveLast.isRunning || recording?.isFinishing === true,
    isStopping: stop.isRunning,
    isPatientMissing,
    finished,
    isFinished: finished !== undefined && !isRecording,
    savedMeanwhile,
    marks,
    trouble: record.trouble ?? stop.trouble ?? saveLast.trouble ?? mark.trouble,
    async record(durationMs) {
      if (isAsking.current || isRecording) return;
      const forWhom = entry.recordingEntry();
      setPatientMissing(forWhom === undefined);
      if (device === undefined || forWhom === undefined) return;
      setMarks(0);
      setSavedMeanwhile(undefined);
      isAsking.current = true;
      const begun = await record
        .run({ id: device.id, entry: forWhom, ...(durationMs !== undefined && { durationMs }) })
        .finally(() => {
          isAsking.current = false;
        });
      // What is refused, as a second one that runs already, does not forget the first.
      if (begun !== undefined)
        entry.send({ kind: 'recorded', person, last: { kind: 'begun', taskId: begun.taskId } });
    },
    async stop() {
      if (device !== undefined) await stop.run({ id: device.id });
    },
    async saveLast() {
      if (device === undefined) return;
      if (isRecording) {
        // It is of whoever is being recorded, whoever is being entered meanwhile.
        setSavedMeanwhile((await saveLast.run({ id: device.id }))?.taskId);
        return;
      }
      const forWhom = entry.recordingEntry();
      setPatientMissing(forWhom === undefined);
      if (forWhom === undefined) return;
      const saved = await saveLast.run({ id: device.id, entry: forWhom });
      if (saved !== undefined)
        entry.send({
          kind: 'recorded',
          person,
          last: { kind: 'saved', taskId: saved.taskId, recordedMs: SAVED_MS },
        });
    },
    async mark() {
      if (device !== undefined && (await mark.run({ id: device.id })) !== undefined)
        setMarks((count) => count + 1);
    },
    async finishPatient() {
      entry.send({ kind: 'cleared' });
      await forget.run({});
    },
    dismiss: () => entry.send({ kind: 'recorded', person, last: undefined }),
  };
}
