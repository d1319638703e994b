// What a page shows of a recording: its ten seconds, and the beats and rhythms of the whole of it.

import { useMemo } from 'react';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import type { IsolineError } from '../../../shared/errors.ts';
import { isLeadCode, type LeadCode, leadName, STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import type { ReviewLead } from '../../trace/draw-review.ts';

/** A page asks for a whole number of these, so that turning back finds what is there already. */
const BLOCK_SECONDS = 20;
/** Enough at any rate to learn the rate. */
const FIRST_SAMPLES = 1;

export interface RecordingFrame {
  readonly sampleRateHz: number;
  readonly recordedSamples: number;
}

const floats = (bytes: Uint8Array): Float32Array => new Float32Array(Uint8Array.from(bytes).buffer);

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

/** As they are printed; others behind them, in the order of the file. */
const placeOf = (name: string): number => {
  const place = STANDARD_LEADS.indexOf(name as LeadCode);
  return place < 0 ? STANDARD_LEADS.length : place;
};

/** Puts the parts of two blocks together and cuts the page out of them. */
function cut(
  blocks: readonly (CallOutput<'review.signal'> | undefined)[],
  startSample: number,
  sampleCount: number,
): ReviewLead[] | undefined {
  const [first] = blocks;
  if (first === undefined || blocks.some((block) => block === undefined)) return undefined;
  const order = first.leads
    .map(({ name, isCalibrated }, lead) => ({ name, isCalibrated, lead }))
    .sort((a, b) => placeOf(a.name) - placeOf(b.name));
  return order.map(({ name, isCalibrated, lead }) => {
    const mv = new Float32Array(sampleCount).fill(Number.NaN);
    for (const block of blocks) {
      const part = floats(block?.leads[lead]?.mv ?? new Uint8Array());
      const shift = (block?.startSample ?? 0) - startSample;
      const from = Math.max(0, -shift);
      const to = Math.min(part.length, sampleCount - shift);
      if (to > from) mv.set(part.subarray(from, to), from + shift);
    }
    return { name: isLeadCode(name) ? leadName(name) : name, isCalibrated, mv };
  });
}

/** Its leads are undefined while they are being read. */
export function usePage(
  taskId: number,
  frame: RecordingFrame | undefined,
  startSample: number,
  sampleCount: number,
): { leads: readonly ReviewLead[] | undefined; error: IsolineError | null } {
  const block = Math.max(1, Math.round(BLOCK_SECONDS * (frame?.sampleRateHz ?? 1)));
  const first = Math.floor(startSample / block);
  const isEnabled = frame !== undefined;
  const ask = (index: number) => ({ taskId, startSample: index * block, sampleCount: block });
  const { data: one, error } = useBridgeQuery('review.signal', ask(first), { isEnabled });
  const isTwo = startSample + sampleCount > (first + 1) * block;
  const { data: two, error: error2 } = useBridgeQuery('review.signal', ask(first + 1), {
    isEnabled: isEnabled && isTwo,
  });
  const leads = useMemo(
    () => cut(isTwo ? [one, two] : [one], startSample, sampleCount),
    [one, two, isTwo, startSample, sampleCount],
  );
  return { leads, error: error ?? (isTwo ? error2 : null) };
}

export interface Marks extends Omit<CallOutput<'review.marks'>, 'beatSamples'> {
  readonly beatSamples: Uint32Array;
}

/** They are undefined before the analysis has finished. */
export function useMarks(
  taskId: number,
  isAnalysed: boolean,
): { marks: Marks | undefined; error: IsolineError | null } {
  const { data, error } = useBridgeQuery('review.marks', { taskId }, { isEnabled: isAnalysed });
  const marks = useMemo(
    () => data && { ...data, beatSamples: new Uint32Array(Uint8Array.from(data.beatSamples).buffer) },
    [data],
  );
  return { marks, error };
}
