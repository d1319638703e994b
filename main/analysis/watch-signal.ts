// What is watched along the whole recording once its beats are known: electrodes, waves of the atria between the beats,
// and P waves before them. One pass over all sections.

import type { Beat } from '../../shared/analysis-result.ts';
import { firstFrom } from '../../shared/signal/first-from.ts';
import { AtrialRepetition } from './atrial-waves.ts';
import { type ElectrodeFaults, ElectrodeWatch } from './electrode-faults.ts';
import { coarseRateHz, type LeadReader, toCoarse } from './lead-signals.ts';
import { HOLTER_SECONDS } from './long/holter.ts';
import { StTrend, type StTrendMv } from './long/st-trend.ts';
import { type PEvidence, PWatch } from './p-evidence.ts';
import { partsOf, type Section } from './sections.ts';
import { type Range, samplesWithin } from './time-base.ts';
import type { UsualBeat } from './usual-beat.ts';

export interface Watched {
  readonly electrodes: ElectrodeFaults;
  readonly repetition: AtrialRepetition;
  /** How far the signal between the beats repeats itself in each minute, in their order. */
  readonly repetitions: readonly number[];
  readonly evidence: PEvidence;
  /** Of a recording of an hour or more whose QRS has marks. */
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
function stTrendOf({ reader, usual: { medianBeat, marks, onsetBeforeR } }: WatchInput): StTrend | undefined {
  const isLong = reader.sampleCount >= HOLTER_SECONDS * reader.sampleRateHz;
  if (!isLong || medianBeat === undefined || marks.qrsOnset === undefined || marks.qrsOffset === undefined)
    return undefined;
  return onsetBeforeR === undefined
    ? undefined
    : new StTrend(reader, { onsetBeforeR, endBehindR: marks.qrsOffset - medianBeat.fiducial });
}

/** @param onSection hears of each one that is done */
export function watchSignal(input: WatchInput, onSection: (section: Section) => void): Watched {
  const { reader, sections, beats, dominant, usual } = input;
  const { onsetBeforeR } = usual;
  const samples = beats.map(({ sample }) => sample);
  const usualSamples = dominant.map((beat) => samples[beat] as number);
  const st = stTrendOf(input);
  const electrodes = new ElectrodeWatch(reader, samples);
  const repetition = new AtrialRepetition(coarseRateHz(reader.sampleRateHz));
  const repetitions: number[] = [];
  const p = new PWatch(
    beats.length,
    (beat) => beats[beat]?.label !== 'V',
    onsetBeforeR === undefined ? undefined : onsetBeforeR / reader.sampleRateHz,
  );
  for (const section of sections) {
    const { core, reach } = section;
    const set = reader.window(...reach);
    const inWindow = samplesWithin(samples, reach);
    const [from, to] = [core[0] - reach[0], core[1] - reach[0]];
    electrodes.add(set, from, to);
    const { coarse } = set;
    const atCoarse = (sample: number): number => toCoarse(sample, coarse);
    const minutes = partsOf(section, reader.sampleRateHz).map(
      ([start, end]): Range => [atCoarse(start - reach[0]), atCoarse(end - reach[0])],
    );
    repetitions.push(...repetition.add(coarse, inWindow.map(atCoarse), minutes));
    p.add(coarse, samplesWithin(samples, core, reach[0]).map(atCoarse), firstFrom(samples, core[0]));
    st?.add(set, usualSamples, core);
    onSection(section);
  }
  return {
    electrodes: electrodes.faults,
    repetition,
    repetitions,
    evidence: p.finish(),
    st: st?.finish(reader.sampleCount),
  };
}
