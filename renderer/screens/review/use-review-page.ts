// Which seconds of a recording the paper shows, and how.

import { t } from 'i18next';
import { useState } from 'react';
import type { IsolineError } from '../../../shared/errors.ts';
import { stepIn } from '../../parts/speed-and-gain.tsx';
import { useCalibration } from '../../trace/calibration.ts';
import type { ReviewLead } from '../../trace/draw-review.ts';
import { pageMmFor, pageSeconds, pulseAreaMm } from '../../trace/review-layout.ts';
import type { MomentOf } from './moments.ts';
import { type PaperView, REVIEW_GAINS_MM_PER_MV, REVIEW_SPEEDS_MM_PER_S } from './paper.tsx';
import { timeIn } from './time-in.ts';
import { type RecordingFrame, useFilteredPage } from './use-recording.ts';

const INITIAL: PaperView = { kind: '3x4', lead: 'II', filter: 'none', speedMmPerS: 25, gainMmPerMv: 10 };

export interface ReviewPage {
  readonly view: PaperView;
  /** The width of the signal, on paper. */
  readonly pageMm: number;
  /** Its first sample in the recording. */
  readonly start: number;
  readonly sampleCount: number;
  /** Undefined until anything of the recording is there. */
  readonly leads: readonly ReviewLead[] | undefined;
  /** What is measured and stored never rests on a view. */
  readonly unfiltered: readonly ReviewLead[] | undefined;
  readonly isReading: boolean;
  readonly error: IsolineError | null;
  /** `00:10–00:20 of 30:05`, `14:20:10–14:20:20 of 24:00:00` */
  readonly shown: string;
  setView(view: PaperView): void;
  /** To where it begins; no page begins behind the last. */
  go(sample: number): void;
  /** A step faster, or slower. */
  zoom(step: 1 | -1): void;
  /** A step of the gain. */
  amplify(step: 1 | -1): void;
}

/** @param widthPx of the paper on the screen */
export function useReviewPage(
  taskId: number,
  frame: RecordingFrame,
  momentOf: MomentOf,
  widthPx: number,
): ReviewPage {
  const [view, setView] = useState(INITIAL);
  const [wanted, setWanted] = useState(0);
  const { sampleRateHz, recordedSamples } = frame;
  const { speedMmPerS, gainMmPerMv, filter } = view;
  const { pxPerMm } = useCalibration();
  const pageMm = pageMmFor(
    widthPx / pxPerMm - pulseAreaMm(speedMmPerS),
    (recordedSamples / sampleRateHz) * speedMmPerS,
  );
  const sampleCount = Math.round(pageSeconds(speedMmPerS, pageMm) * sampleRateHz);
  const within = (sample: number): number =>
    Math.round(Math.max(0, Math.min(sample, recordedSamples - sampleCount)));
  // At another speed, a page reaches further.
  const start = within(wanted);
  return {
    view,
    pageMm,
    start,
    sampleCount,
    ...useFilteredPage(taskId, frame, start, sampleCount, filter),
    shown: t('review.shown', {
      from: momentOf(start),
      to: momentOf(Math.min(recordedSamples, start + sampleCount)),
      of: timeIn(recordedSamples, sampleRateHz),
    }),
    setView,
    go: (sample) => setWanted(within(sample)),
    zoom: (step) => setView({ ...view, speedMmPerS: stepIn(REVIEW_SPEEDS_MM_PER_S, speedMmPerS, step) }),
    amplify: (step) => setView({ ...view, gainMmPerMv: stepIn(REVIEW_GAINS_MM_PER_MV, gainMmPerMv, step) }),
  };
}
