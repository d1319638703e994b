// What a page shows of a recording: its own seconds, and the beats and rhythms of all of it.

import { useMemo, useRef } from 'react';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import type { IsolineError } from '../../../shared/errors.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import type { ReviewLead } from '../../trace/draw-review.ts';
import { FILTER_MARGIN_SECONDS, filterForPaper, type PaperFilter } from '../../trace/paper-filter.ts';
import { pageLeads, type SignalBlock } from './page-leads.ts';

/** A page lies in two blocks at most, so that turning back finds what is there already. */
const BLOCK_SECONDS = 20;
/** Whoever turns pages through a day must not fill the memory with it. */
const BLOCK_KEPT_MS = 10_000;
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

export interface ShownPage {
  /** Undefined until anything of the recording is there; NaN where the rest is being read. */
  readonly leads: readonly ReviewLead[] | undefined;
  readonly isReading: boolean;
  readonly error: IsolineError | null;
}

export interface FilteredPage extends ShownPage {
  /** What is measured and stored never rests on a view. */
  readonly unfiltered: readonly ReviewLead[] | undefined;
}

/** The page through a filter, with what lies on both sides of it. */
export function useFilteredPage(
  taskId: number,
  frame: RecordingFrame | undefined,
  startSample: number,
  sampleCount: number,
  filter: PaperFilter,
): FilteredPage {
  const rateHz = frame?.sampleRateHz ?? 1;
  const margin = filter === 'none' ? 0 : Math.round(FILTER_MARGIN_SECONDS * rateHz);
  const { leads, ...page } = usePage(taskId, frame, startSample - margin, sampleCount + 2 * margin);
  const cut = useMemo(() => {
    const within = ({ mv, ...lead }: ReviewLead): ReviewLead => ({
      ...lead,
      mv: mv.subarray(margin, margin + sampleCount),
    });
    const unfiltered = leads?.map(within);
    return filter === 'none'
      ? { leads: unfiltered, unfiltered }
      : {
          leads: leads?.map((lead) => within({ ...lead, mv: filterForPaper(lead.mv, filter, rateHz) })),
          unfiltered,
        };
  }, [leads, filter, rateHz, margin, sampleCount]);
  return { ...page, ...cut };
}

/** What lies beside the page is read before somebody gets there. @param startSample may lie before the recording */
function usePage(
  taskId: number,
  frame: RecordingFrame | undefined,
  startSample: number,
  sampleCount: number,
): ShownPage {
  const block = Math.max(1, sampleCount, Math.round(BLOCK_SECONDS * (frame?.sampleRateHz ?? 1)));
  const first = Math.floor(startSample / block);
  const isTwo = startSample + sampleCount > (first + 1) * block;
  const last = Math.floor(((frame?.recordedSamples ?? 1) - 1) / block);
  const useBlock = (index: number) =>
    useBridgeQuery(
      'review.signal',
      { taskId, startSample: Math.max(0, index) * block, sampleCount: block },
      { isEnabled: frame !== undefined && index >= 0 && index <= last, keptMs: BLOCK_KEPT_MS },
    );
  const [before, one, two, behind] = [
    useBlock(first - 1),
    useBlock(first),
    useBlock(first + 1),
    useBlock(first + 2),
  ];
  const latest = useRef<SignalBlock>(undefined);
  latest.current = one.data ?? two.data ?? before.data ?? behind.data ?? latest.current;
  const known = latest.current;
  const leads = useMemo(() => {
    const blocks = [one.data, isTwo ? two.data : undefined].filter((each) => each !== undefined);
    // One from elsewhere tells which leads there are.
    return pageLeads(blocks.length > 0 || known === undefined ? blocks : [known], startSample, sampleCount);
  }, [one.data, two.data, isTwo, known, startSample, sampleCount]);
  const isReading =
    (first >= 0 && one.data === undefined) || (isTwo && first < last && two.data === undefined);
  return { leads, isReading, error: one.error ?? (isTwo ? two.error : null) };
}

interface SampleLists {
  readonly beatSamples: Uint32Array;
  /** The same for beats of one family. */
  readonly beatShapes: Uint32Array;
  readonly spikeSamples: Uint32Array;
  /** What calipers snap to. */
  readonly fiducialSamples: Uint32Array;
}

export type Marks = Omit<CallOutput<'review.marks'>, keyof SampleLists> & SampleLists;

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
        spikeSamples: wordsOf(data.spikeSamples),
        fiducialSamples: wordsOf(data.fiducialSamples),
      },
    [data],
  );
  return { marks, error };
}
