// What a page shows of a recording: its own seconds, and the beats and rhythms of all of it.

import { useMemo } from 'react';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import type { IsolineError } from '../../../shared/errors.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import type { ReviewLead } from '../../trace/draw-review.ts';
import { pageLeads } from './page-leads.ts';

/** A page lies in two blocks at most, so that turning back finds what is there already. */
const BLOCK_SECONDS = 20;
/** Enough at any rate to learn the rate. */
const FIRST_SAMPLES = 1;

export interface RecordingFrame {
  readonly sampleRateHz: number;
  readonly recordedSamples: number;
}

/** Its rate and length; undefined until they are known. */
export function useRecordingFrame(taskId: number): {
  frame: RecordingFrame | undefined;
  error: IsolineError | null;
} {
  const { data, error } = useBridgeQuery('review.signal', {
    taskId,
    startSample: 0,
    sampleCount: FIRST_SAMPLES,
  });
  return { frame: data, error };
}

/** Its leads are undefined while they are being read. */
export function usePage(
  taskId: number,
  frame: RecordingFrame | undefined,
  startSample: number,
  sampleCount: number,
): { leads: readonly ReviewLead[] | undefined; error: IsolineError | null } {
  const block = Math.max(1, sampleCount, Math.round(BLOCK_SECONDS * (frame?.sampleRateHz ?? 1)));
  const first = Math.floor(startSample / block);
  const isEnabled = frame !== undefined;
  const ask = (index: number) => ({ taskId, startSample: index * block, sampleCount: block });
  const { data: one, error } = useBridgeQuery('review.signal', ask(first), { isEnabled });
  const isTwo = startSample + sampleCount > (first + 1) * block;
  const { data: two, error: errorOfTwo } = useBridgeQuery('review.signal', ask(first + 1), {
    isEnabled: isEnabled && isTwo,
  });
  const leads = useMemo(
    () => pageLeads(isTwo ? [one, two] : [one], startSample, sampleCount),
    [one, two, isTwo, startSample, sampleCount],
  );
  return { leads, error: error ?? (isTwo ? errorOfTwo : null) };
}

export interface Marks extends Omit<CallOutput<'review.marks'>, 'beatSamples' | 'beatShapes'> {
  readonly beatSamples: Uint32Array;
  /** The same for beats of one shape. */
  readonly beatShapes: Uint32Array;
}

const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(Uint8Array.from(bytes).buffer);

/** They are undefined before the analysis has finished. */
export function useMarks(
  taskId: number,
  isAnalysed: boolean,
): { marks: Marks | undefined; error: IsolineError | null } {
  const { data, error } = useBridgeQuery('review.marks', { taskId }, { isEnabled: isAnalysed });
  const marks = useMemo(
    () =>
      data && {
        ...data,
        beatSamples: wordsOf(data.beatSamples),
        beatShapes: wordsOf(data.beatShapes),
      },
    [data],
  );
  return { marks, error };
}
