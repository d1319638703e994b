// Recording from the screen: for whom, for how long, and what became of it.

import { useEffect, useRef, useState } from 'react';
import type { DeskDevice } from '../../../shared/bridge/contract.ts';
import { useCommand } from '../../bridge/use-command.ts';
import { useEntry } from '../../entry/use-entry.tsx';

/** A recording of this patient that has just ended. */
export interface Finished {
  readonly taskId: number;
  readonly recordedMs: number;
  readonly kind: 'recorded' | 'saved';
}

export interface RecorderControl {
  readonly isRecording: boolean;
  readonly isBusy: boolean;
  /** Nobody was confirmed: said, not hidden. */
  readonly isPatientMissing: boolean;
  readonly finished: Finished | undefined;
  readonly trouble: string | undefined;
  /** @param durationMs absent: until it is stopped */
  record(durationMs: number | undefined): Promise<void>;
  stop(): Promise<void>;
  saveLast(): Promise<void>;
  mark(): Promise<void>;
  /** The patient is done: the form is empty, and nothing of this one stays. */
  finishPatient(): Promise<number | undefined>;
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
  const [finished, setFinished] = useState<Finished | undefined>();
  const [isPatientMissing, setPatientMissing] = useState(false);
  const running = useRef<{ taskId: number; recordedMs: number } | undefined>(undefined);
  const { recording } = device ?? {};
  const isRecording = recording !== undefined && !recording.isFinishing;

  // A recording of fixed length ends by itself.
  useEffect(() => {
    if (recording !== undefined) {
      running.current = { taskId: recording.taskId, recordedMs: recording.recordedMs };
      return;
    }
    if (running.current === undefined) return;
    setFinished({ ...running.current, kind: 'recorded' });
    running.current = undefined;
  }, [recording]);

  return {
    isRecording,
    isBusy: record.isRunning || stop.isRunning || saveLast.isRunning || recording?.isFinishing === true,
    isPatientMissing,
    finished,
    trouble: record.trouble ?? stop.trouble ?? saveLast.trouble ?? mark.trouble,
    async record(durationMs) {
      const forWhom = entry.recordingEntry();
      setPatientMissing(forWhom === undefined);
      if (device === undefined || forWhom === undefined) return;
      setFinished(undefined);
      await record.run({ id: device.id, entry: forWhom, ...(durationMs !== undefined && { durationMs }) });
    },
    async stop() {
      if (device !== undefined) await stop.run({ id: device.id });
    },
    async saveLast() {
      const forWhom = entry.recordingEntry();
      setPatientMissing(forWhom === undefined);
      if (device === undefined || forWhom === undefined) return;
      const saved = await saveLast.run({ id: device.id, entry: forWhom });
      if (saved !== undefined) setFinished({ taskId: saved.taskId, recordedMs: 10_000, kind: 'saved' });
    },
    async mark() {
      if (device !== undefined) await mark.run({ id: device.id });
    },
    async finishPatient() {
      const taskId = finished?.taskId;
      setFinished(undefined);
      entry.send({ kind: 'cleared' });
      await forget.run({});
      return taskId;
    },
    dismiss: () => setFinished(undefined),
  };
}
