// The rhythm of a strip of one or two leads, decided by what was learned from labelled strips (training/README.md). It says how
// likely sinus rhythm and fibrillation are; what rules know of danger goes before it.

import { lengthOf, type Range } from '../signal/time-base.ts';
import { type StripFacts, type StripInputName, stripInputs } from './strip-inputs.ts';
import { STRIP_RHYTHM } from './strip-rhythm-trees.ts';
import { type StrongInput, TreeDecision } from './trees.ts';

/** What strips were labelled: sinus rhythm without early beats, atrial fibrillation, anything else, and noise. */
export const STRIP_CLASSES = ['sinus', 'fibrillation', 'other', 'noise'] as const;

export interface StripDecision {
  /** From 0 to 1. */
  readonly sinus: number;
  readonly fibrillation: number;
  /** What speaks for one of them most. */
  strongestFor(named: 'sinus' | 'fibrillation'): readonly StrongInput<StripInputName>[];
}

/** Fewer beats say nothing of a rhythm. */
const LEAST_BEATS = 5;
const STRONGEST = 3;

const trees = new TreeDecision<StripInputName>(STRIP_RHYTHM);

/** @returns undefined where there are too few beats */
export function decideStrip(facts: StripFacts): StripDecision | undefined {
  if (facts.beats.length < LEAST_BEATS) return undefined;
  const inputs = stripInputs(facts);
  const [sinus = 0, fibrillation = 0] = trees.probabilities(inputs);
  return {
    sinus,
    fibrillation,
    strongestFor: (named) => trees.strongest(inputs, STRIP_CLASSES.indexOf(named), STRONGEST),
  };
}

/**
 * Sinus rhythm is said from here on, and only where fibrillation is all but ruled out: of 285 strips with fibrillation that judged
 * it by folds, two were called sinus rhythm.
 */
const LEAST_SINUS = 0.45;
const MOST_FIBRILLATION_IN_SINUS = 0.015;
export const isSinusLearned = ({
  sinus,
  fibrillation,
}: Pick<StripDecision, 'sinus' | 'fibrillation'>): boolean =>
  sinus >= LEAST_SINUS && fibrillation < MOST_FIBRILLATION_IN_SINUS;

/** Fibrillation is said of the whole strip from here on. */
const LEAST_FIBRILLATION = 0.4;
export const isFibrillationLearned = ({ fibrillation }: Pick<StripDecision, 'fibrillation'>): boolean =>
  fibrillation >= LEAST_FIBRILLATION;

/** Below this, what rules take for fibrillation over most of a strip is none. */
const LEAST_BESIDE_RULES = 0.2;
const MOST = 0.5;

/**
 * Strips were labelled as a whole, so that what was learned says nothing of a part that rules take for fibrillation.
 * @param ruled what rules found @param sampleCount of the strip
 */
export const isFibrillationDenied = (
  { fibrillation }: Pick<StripDecision, 'fibrillation'>,
  ruled: readonly Range[],
  sampleCount: number,
): boolean => fibrillation < LEAST_BESIDE_RULES && lengthOf(ruled) >= MOST * sampleCount;
