// The learned decision about a strip of one or two leads (training/README.md): how likely sinus rhythm and atrial fibrillation are.
// Rules that guard against a dangerous error go before it.

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
 * Sinus rhythm is stated from here on, and only where fibrillation is all but ruled out. By folds of patients, 1 of 285 strips with
 * fibrillation was called sinus rhythm.
 */
const LEAST_SINUS = 0.45;
const MOST_FIBRILLATION_IN_SINUS = 0.015;
export const isSinusLearned = ({
  sinus,
  fibrillation,
}: Pick<StripDecision, 'sinus' | 'fibrillation'>): boolean =>
  sinus >= LEAST_SINUS && fibrillation < MOST_FIBRILLATION_IN_SINUS;

/** From here on, the whole strip is called fibrillation. */
const LEAST_FIBRILLATION = 0.4;
export const isFibrillationLearned = ({ fibrillation }: Pick<StripDecision, 'fibrillation'>): boolean =>
  fibrillation >= LEAST_FIBRILLATION;

/** Below this, fibrillation that rules find over most of a strip is not believed. */
const LEAST_BESIDE_RULES = 0.2;
const MOST = 0.5;

/**
 * The strips that it was trained with had one label each, so it cannot deny a shorter episode that rules find.
 * @param ruled what rules found @param sampleCount of the strip
 */
export const isFibrillationDenied = (
  { fibrillation }: Pick<StripDecision, 'fibrillation'>,
  ruled: readonly Range[],
  sampleCount: number,
): boolean => fibrillation < LEAST_BESIDE_RULES && lengthOf(ruled) >= MOST * sampleCount;
