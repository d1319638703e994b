// The usual beat of a recording: its median, its waves, and their marks. Analysis reference, section 6.

import type { Constraints } from '../../../shared/review/constraints.ts';
import { findHiddenP } from '../atria/hidden-p.ts';
import { findPTrain, type PTrain } from '../atria/p-train.ts';
import type { FoundBeats } from '../beats/find-beats.ts';
import type { SignalScan } from '../beats/signal-scan.ts';
import { constrainMarks } from '../constraints.ts';
import type { SpikeBeforeR } from '../electrodes/paced-beats.ts';
import type { LeadReader } from '../signal/lead-signals.ts';
import type { Section } from '../signal/sections.ts';
import type { BeatWaves } from '../waves/beat-waves.ts';
import { behindSpikes, withoutSpike } from '../waves/behind-spikes.ts';
import { findWaves } from '../waves/find-waves.ts';
import { type Marks, medianMarks, NO_MARKS, usualLeadMark } from '../waves/median-marks.ts';
import type { WaveScores } from '../waves/wave-network.ts';
import { buildMedianBeat, type MedianBeat, measuredSections } from './median-beat.ts';
import { qrsMsBySlopes } from './qrs-by-slopes.ts';

/** From the onset of QRS to R, where no onset was found. */
const USUAL_ONSET_SECONDS = 0.045;

export interface UsualBeat {
  /** Without the spike of a pacemaker. Undefined where no beat of the usual shape lies wholly inside the recording. */
  readonly medianBeat: MedianBeat | undefined;
  /** The same as it was recorded. */
  readonly shownBeat: MedianBeat | undefined;
  readonly marks: Marks;
  /** The waves of all beats that were marked. */
  readonly waves: readonly BeatWaves[];
  readonly pTrain: PTrain;
  /** The same with P waves that the network did not mark, where the signal proves them. */
  readonly withHiddenP?: Pick<UsualBeat, 'marks' | 'waves' | 'pTrain'>;
  readonly qrsMsBySlopes: number | undefined;
  /** In samples; undefined where there is no median beat. */
  readonly onsetBeforeR: number | undefined;
  /** Where QRS ends on a lead of the median beat. */
  readonly qrsEndOf: (lead: number) => number | undefined;
}

export interface UsualBeatInput {
  readonly reader: LeadReader;
  readonly sections: readonly Section[];
  readonly scan: Pick<SignalScan, 'bestLead'>;
  readonly found: FoundBeats;
  /** The pacing spike before the usual beats. */
  readonly spike: SpikeBeforeR | undefined;
  readonly constraints: Constraints;
  readonly network: WaveScores;
}

export function findUsualBeat(input: UsualBeatInput): UsualBeat {
  const { reader, sections, scan, found, spike, constraints, network } = input;
  const rateHz = reader.sampleRateHz;
  const samples = found.beats.map(({ sample }) => sample);
  const measured = measuredSections(sections, samples, found.dominant);
  const shownBeat = buildMedianBeat({ reader, sections: measured, samples, bestLead: scan.bestLead });
  const dominant = new Set(found.dominant);
  const isPaced = (beat: number): boolean => dominant.has(beat);
  const parts = findWaves(reader, measured, found.beats, network).map((part) =>
    spike === undefined ? part : behindSpikes(part, samples, isPaced, spike, rateHz),
  );
  const waves = parts.flatMap((part) => part.waves);
  const pTrain = findPTrain(reader, parts, found.beats);
  if (shownBeat === undefined) {
    const nothing = { marks: NO_MARKS, qrsMsBySlopes: undefined, onsetBeforeR: undefined };
    return { ...nothing, medianBeat: undefined, shownBeat, waves, pTrain, qrsEndOf: () => undefined };
  }
  const medianBeat = spike === undefined ? shownBeat : withoutSpike(shownBeat, spike);
  const usual = waves.filter(({ beat }) => dominant.has(beat));
  const { fiducial } = medianBeat;
  const marksOf = (some: readonly BeatWaves[]): Marks =>
    constrainMarks(medianMarks(some, samples, medianBeat), constraints, fiducial, rateHz);
  const marks = marksOf(usual);
  const hidden = findHiddenP({
    network,
    reader,
    parts,
    found,
    rrMs: medianBeat.rrMs,
    qrsMs:
      marks.qrsOnset === undefined || marks.qrsOffset === undefined
        ? undefined
        : (1000 * (marks.qrsOffset - marks.qrsOnset)) / rateHz,
    isPKnown: marks.pOnset !== undefined || constraints.marksMs?.pOnset !== undefined,
  });
  const hiddenMarks =
    hidden === undefined ? undefined : marksOf(hidden.waves.filter(({ beat }) => dominant.has(beat)));
  return {
    medianBeat,
    shownBeat,
    marks,
    // Where its middle lies on T of the beat before, it can be that T.
    ...(hidden !== undefined &&
      hiddenMarks?.pOnset !== undefined && { withHiddenP: { ...hidden, marks: hiddenMarks } }),
    waves,
    pTrain,
    qrsMsBySlopes: qrsMsBySlopes(medianBeat),
    onsetBeforeR: fiducial - (marks.qrsOnset ?? fiducial - USUAL_ONSET_SECONDS * rateHz),
    qrsEndOf: (lead) => usualLeadMark(usual, samples, medianBeat, lead, 'qrsEnd'),
  };
}
