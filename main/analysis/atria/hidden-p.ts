// Whether there are P waves where the network marks none before most beats: what its scores suggest
// (`waves/hidden-p.ts`), held against the signal. Analysis reference, sections 6.2 (P) and 8.4.

import { WIDE_QRS_MS } from '../../../shared/clinical-limits.ts';
import { scatterOf } from '../beats/beat-timing.ts';
import type { FoundBeats } from '../beats/find-beats.ts';
import type { LeadReader } from '../signal/lead-signals.ts';
import { type BeatWaves, markOf } from '../waves/beat-waves.ts';
import type { WavePart } from '../waves/find-waves.ts';
import { revealP } from '../waves/hidden-p.ts';
import type { WaveScores } from '../waves/wave-network.ts';
import {
  findPTrain,
  isProven,
  longestRow,
  MOST_WITHOUT_IN_A_ROW,
  onlyLikeP,
  type PTrain,
} from './p-train.ts';

/** What it takes before a rhythm without marked P waves can be anything but fibrillation: as regular, and slower. */
const MOST_SCATTER = 0.05;
const SHORTEST_RR_MS = 500;
/** On one or two leads, the top of T passes for P. */
const LEAST_LEADS = 3;
/**
 * The median P wave must have at least this share of the energy of the single ones; for marked ones, half of it does.
 */
const LEAST_COHERENCE = 0.6;
/**
 * The network has seen few P waves before a wide QRS, and few that are so far ahead. Others that it passes over are more
 * often waves of a flutter: of 684 made
 * recordings without sinus rhythm, seven with flutter and one junctional rhythm were read as sinus rhythm by them.
 */
const FAR_AHEAD_MS = 200;

/** A beat's own signal against the median P wave: in a stretch of fibrillation, before an early beat, it is not alike. */
const LEAST_LIKENESS = 0.5;

const MOST_HIDDEN_SHARE = 0.25;

interface HiddenPInput {
  readonly network: WaveScores;
  readonly reader: LeadReader;
  readonly parts: readonly WavePart[];
  readonly found: Pick<FoundBeats, 'beats' | 'dominant'>;
  readonly rrMs: number;
  /** Undefined where QRS has no marks. */
  readonly qrsMs: number | undefined;
  /** The usual beat has a P, or a person says that it has none. */
  readonly isPKnown: boolean;
}

export interface HiddenP {
  /** The waves of all beats that were marked, with P. */
  readonly waves: readonly BeatWaves[];
  readonly pTrain: PTrain;
}

const hasP = (waves: BeatWaves): boolean => !Number.isNaN(markOf(waves, 'pOnset'));

/** @param waves of conducted beats */
const areFewHidden = (waves: readonly BeatWaves[]): boolean =>
  longestRow(waves, (one) => !hasP(one)) <= MOST_WITHOUT_IN_A_ROW &&
  waves.filter((one) => !hasP(one)).length <= MOST_HIDDEN_SHARE * waves.length;

/** @returns undefined where nothing is hidden, or not proven */
export function findHiddenP(input: HiddenPInput): HiddenP | undefined {
  const { network, reader, parts, found, rrMs, qrsMs, isPKnown } = input;
  const { beats } = found;
  if (isPKnown || qrsMs === undefined || reader.leads.length < LEAST_LEADS) return undefined;
  if (rrMs <= SHORTEST_RR_MS || scatterOf(beats) > MOST_SCATTER) return undefined;
  const dominant = new Set(found.dominant);
  const isConducted = (beat: number): boolean => beats[beat]?.label === 'N' || beats[beat]?.label === 'S';
  const revealed = revealP({
    network,
    reader,
    parts,
    rrMs,
    isUsual: (beat) => dominant.has(beat),
    isConducted,
  });
  if (revealed === undefined || (qrsMs < WIDE_QRS_MS && revealed.prMs <= FAR_AHEAD_MS)) return undefined;
  // All of them are at one distance because they were put there: each beat has to show it by itself.
  const shown = onlyLikeP(reader, revealed.parts, beats, LEAST_LIKENESS);
  if (!areFewHidden(shown.flatMap(({ waves }) => waves).filter(({ beat }) => isConducted(beat))))
    return undefined;
  const pTrain = findPTrain(
    reader,
    shown.map(({ range, waves }) => ({ range, waves: waves.filter(hasP) })),
    beats,
  );
  return isProven(pTrain) && pTrain.coherence >= LEAST_COHERENCE
    ? { waves: shown.flatMap(({ waves }) => waves), pTrain }
    : undefined;
}
