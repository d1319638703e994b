// What is watched along the whole recording once its beats are known: electrodes, waves of the atria between the beats,
// and P waves before them. One pass over all sections.

import type { Beat } from '../../shared/analysis-result.ts';
import { firstFrom } from '../../shared/signal/first-from.ts';
import { AtrialRepetition, type LagSums } from './atria/atrial-waves.ts';
import { type PEvidence, PWatch, type WatchedP } from './atria/p-evidence.ts';
import {
  type ElectrodeFaults,
  ElectrodeWatch,
  type WatchedElectrodes,
} from './electrodes/electrode-faults.ts';
import { HOLTER_SECONDS } from './long/holter.ts';
import { type MeasuredSt, StTrend, type StTrendMv } from './long/st-trend.ts';
import type { UsualBeat } from './measurements/usual-beat.ts';
import { coarseRateHz, type LeadReader, toCoarse } from './signal/lead-signals.ts';
import { partsOf, type Section } from './signal/sections.ts';
import { type Range, samplesWithin } from './signal/time-base.ts';
import { type Gatherer, type Waypoints, walk } from './signal/walk.ts';

export interface Watched {
  readonly electrodes: ElectrodeFaults;
  readonly repetition: AtrialRepetition;
  /** How far the signal between the beats repeats itself in each minute, in their order. */
  readonly repetitions: readonly number[];
  readonly evidence: PEvidence;
  /** Undefined unless the recording is an hour long or longer and its QRS has marks. */
  readonly st: StTrendMv | undefined;
}

export interface WatchInput {
  readonly reader: LeadReader;
  readonly sections: readonly Section[];
  readonly beats: readonly Beat[];
  /** Indices of the beats of the usual shape. */
  readonly dominant: readonly number[];
  readonly usual: Pick<UsualBeat, 'medianBeat' | 'marks' | 'onsetBeforeR'>;
}

/** Where ST is measured: nowhere in a short recording, nor without marks of QRS. */
function stTrendOf(
  { reader, usual: { medianBeat, marks, onsetBeforeR } }: WatchInput,
  state: MeasuredSt | undefined,
): StTrend | undefined {
  const isLong = reader.sampleCount >= HOLTER_SECONDS * reader.sampleRateHz;
  if (!isLong || medianBeat === undefined || marks.qrsOnset === undefined || marks.qrsOffset === undefined)
    return undefined;
  return onsetBeforeR === undefined
    ? undefined
    : new StTrend(reader, { onsetBeforeR, endBehindR: marks.qrsOffset - medianBeat.fiducial }, state);
}

/** What was watched so far. */
interface WatchState {
  readonly electrodes: WatchedElectrodes;
  readonly repetition: LagSums;
  readonly repetitions: number[];
  readonly p: WatchedP;
  readonly st: MeasuredSt | undefined;
}

class SignalWatch implements Gatherer<WatchState> {
  readonly #reader: LeadReader;
  readonly #samples: readonly number[];
  readonly #usualSamples: readonly number[];
  readonly #electrodes: ElectrodeWatch;
  readonly #repetition: AtrialRepetition;
  readonly #p: PWatch;
  readonly #st: StTrend | undefined;
  readonly state: WatchState;

  constructor(input: WatchInput, state: WatchState | undefined) {
    const { reader, beats, dominant, usual } = input;
    const { onsetBeforeR } = usual;
    this.#reader = reader;
    this.#samples = beats.map(({ sample }) => sample);
    this.#usualSamples = dominant.map((beat) => this.#samples[beat] as number);
    this.#electrodes = new ElectrodeWatch(reader, this.#samples, state?.electrodes);
    this.#repetition = new AtrialRepetition(coarseRateHz(reader.sampleRateHz), state?.repetition);
    this.#p = new PWatch(
      beats.length,
      // Where the base line jumps at a beat, what stands before it is no P wave either.
      (beat) => beats[beat]?.label !== 'V' && beats[beat]?.reason !== 'baseline',
      onsetBeforeR === undefined ? undefined : onsetBeforeR / reader.sampleRateHz,
      state?.p,
    );
    this.#st = stTrendOf(input, state?.st);
    this.state = state ?? {
      electrodes: this.#electrodes.state,
      repetition: this.#repetition.state,
      repetitions: [],
      p: this.#p.state,
      st: this.#st?.state,
    };
  }

  add(section: Section): void {
    const { core, reach } = section;
    const set = this.#reader.window(...reach);
    const samples = this.#samples;
    this.#electrodes.add(set, core[0] - reach[0], core[1] - reach[0]);
    const { coarse } = set;
    const atCoarse = (sample: number): number => toCoarse(sample, coarse);
    const minutes = partsOf(section, this.#reader.sampleRateHz).map(
      ([start, end]): Range => [atCoarse(start - reach[0]), atCoarse(end - reach[0])],
    );
    const inWindow = samplesWithin(samples, reach).map(atCoarse);
    this.state.repetitions.push(...this.#repetition.add(coarse, inWindow, minutes));
    const own = samplesWithin(samples, core, reach[0]).map(atCoarse);
    this.#p.add(coarse, own, firstFrom(samples, core[0]));
    this.#st?.add(set, this.#usualSamples, core);
  }

  finish(): Watched {
    return {
      electrodes: this.#electrodes.faults,
      repetition: this.#repetition,
      repetitions: this.state.repetitions,
      evidence: this.#p.finish(),
      st: this.#st?.finish(this.#reader.sampleCount),
    };
  }
}

/** @param onSection hears of each one that is done */
export function watchSignal(
  input: WatchInput,
  onSection: (section: Section) => void,
  waypoints?: Waypoints,
): Watched {
  return walk<WatchState, SignalWatch>({
    name: 'watch',
    sections: input.sections,
    waypoints,
    onSection,
    begin: (state) => new SignalWatch(input, state),
  }).finish();
}
