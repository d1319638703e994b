// What somebody has chosen and noted of a long recording: the strips of its report, and what the patient felt.

import type { ChosenStrip, Correction } from './corrections.ts';

export interface DayEvent {
  readonly sample: number;
  readonly text: string;
}

/** In the order of time. */
export function eventsOf(changes: readonly Correction[]): DayEvent[] {
  const events = new Map<number, string>();
  for (const change of changes)
    if (change.kind === 'eventAdded') events.set(change.sample, change.text);
    else if (change.kind === 'eventRemoved') events.delete(change.sample);
  return [...events].map(([sample, text]) => ({ sample, text })).sort((a, b) => a.sample - b.sample);
}

/** Undefined where nobody has chosen any: then the program does. */
export const chosenStrips = (changes: readonly Correction[]): readonly ChosenStrip[] | undefined =>
  changes.findLast((change) => change.kind === 'strips')?.strips;
