// Beats of one family together, the most frequent first, and behind them what comes once or twice.

import { FIRST_REST_FAMILY } from '../../../shared/analysis-result.ts';
import type { Marks } from './use-recording.ts';

/** A beat that is cut off has no shape. */
const NO_SHAPE = 0xffffffff;

export interface BeatShape {
  /** As the analysis numbers it. */
  readonly id: number;
  /** For people: 1 is the most frequent one; of the rest of a class none. */
  readonly number: number | undefined;
  /** The class that most of them have. */
  readonly label: string;
  readonly samples: readonly number[];
}

function mostFrequent(labels: ReadonlyMap<string, number>): string {
  return [...labels].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0];
}

export function shapesOf({
  beatSamples,
  beatShapes,
  beatLabels,
  areFamilies,
}: Pick<Marks, 'beatSamples' | 'beatShapes' | 'beatLabels' | 'areFamilies'>): BeatShape[] {
  const shapes = new Map<number, { samples: number[]; labels: Map<string, number> }>();
  for (const [i, shape] of beatShapes.entries()) {
    if (shape === NO_SHAPE) continue;
    const known = shapes.get(shape) ?? { samples: [], labels: new Map<string, number>() };
    const label = beatLabels[i] as string;
    known.samples.push(beatSamples[i] as number);
    known.labels.set(label, (known.labels.get(label) ?? 0) + 1);
    shapes.set(shape, known);
  }
  const isRest = (id: number): boolean => areFamilies && id >= FIRST_REST_FAMILY;
  return [...shapes]
    .sort(
      ([one, a], [other, b]) =>
        Number(isRest(one)) - Number(isRest(other)) || b.samples.length - a.samples.length,
    )
    .map(([id, { samples, labels }], i) => ({
      id,
      number: isRest(id) ? undefined : i + 1,
      label: mostFrequent(labels),
      samples,
    }));
}
