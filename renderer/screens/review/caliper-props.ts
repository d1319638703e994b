// What the calipers over the paper are given: their lines, those that are kept, and the page under them.

import type { CaliperHeight, CaliperLines } from './caliper-text.ts';

export interface CaliperState {
  readonly lines: CaliperLines;
  /** Undefined where no height is measured. */
  readonly height: CaliperHeight | undefined;
  readonly isMarching: boolean;
  /** A line that is dragged stops at fiducials. */
  readonly isSnapping: boolean;
}

export interface KeptCaliper {
  /** Samples of the recording. */
  readonly from: number;
  readonly to: number;
  /** What was measured, as it was shown. */
  readonly text: string;
}

export interface CalipersProps extends CaliperState {
  readonly kept: readonly KeptCaliper[];
  /** The page's first sample in the recording. */
  readonly startSample: number;
  onKeep(text: string): void;
  onDrop(place: number): void;
  readonly sampleRateHz: number;
  /** The length of the page. */
  readonly sampleCount: number;
  /** Where the page's first sample is, in pixels of style sheets. */
  readonly leftPx: number;
  readonly pxPerSample: number;
  readonly pxPerMm: number;
  /** Undefined where the scale of a lead is not known: then no height is one. */
  readonly gainMmPerMv: number | undefined;
  /** R, and where waves begin and end: samples of the page, in order. */
  readonly fiducials: readonly number[];
  /** Before the beat between the lines, for QTc; undefined where there is none. */
  readonly rrMs: number | undefined;
  onChange(change: Partial<CaliperState>): void;
}
