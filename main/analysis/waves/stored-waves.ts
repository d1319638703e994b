// The waves of beats as a result holds them.

import type { Beat, WavesOfBeat } from '../../../shared/analysis-result.ts';
import type { LeadReader } from '../signal/lead-signals.ts';
import { type BeatWaves, leadMark, markOf, type WaveMark } from './beat-waves.ts';

/** Marks of each lead would be most of a long result. */
const FEW_LEADS = 3;
const SHORT_SECONDS = 60;

/** A tenth of a sample is finer than any mark is sure. */
const rounded = (sample: number): number => Math.round(10 * sample) / 10;

/** @param hasP false where no wave can be one */
function spans(at: (mark: WaveMark) => number, hasP: boolean): Pick<WavesOfBeat, 'p' | 'qrs' | 't'> {
  const span = (onset: WaveMark, end: WaveMark): [number, number] | undefined =>
    Number.isNaN(at(onset)) || Number.isNaN(at(end)) ? undefined : [rounded(at(onset)), rounded(at(end))];
  const [p, qrs, t] = [span('pOnset', 'pEnd'), span('qrsOnset', 'qrsEnd'), span('tOnset', 'tEnd')];
  return { ...(p && hasP && { p }), ...(qrs && { qrs }), ...(t && { t }) };
}

/** @param canHaveP false for beats before which what looks like P cannot be one */
export function storedWaves(
  waves: readonly BeatWaves[],
  { leads, sampleCount, sampleRateHz }: LeadReader,
  beats: readonly Beat[],
  canHaveP: (beat: Beat) => boolean,
): WavesOfBeat[] {
  const hasLeads = leads.length <= FEW_LEADS || sampleCount <= SHORT_SECONDS * sampleRateHz;
  return waves.map((one) => {
    const hasP = canHaveP(beats[one.beat] as Beat);
    return {
      beat: one.beat + 1,
      ...spans((mark) => markOf(one, mark), hasP),
      ...(hasLeads && {
        leads: leads.map(({ name }, lead) => ({
          lead: name,
          ...spans((mark) => leadMark(one, lead, mark), hasP),
        })),
      }),
    };
  });
}
