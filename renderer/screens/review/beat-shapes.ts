// Beats of one shape together, the most frequent first.

import type { Marks } from './use-recording.ts';

/** A beat that is cut off has no shape. */
const NO_SHAPE = 0xffffffff;

export interface BeatShape {
  /** As the analysis numbers it. */
  readonly id: number;
  /** For people: 1 is the most frequent one. */
  readonly number: number;
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
}: Pick<Marks, 'beatSamples' | 'beatShapes' | 'beatLabels'>): BeatShape[] {
  const shapes = new Map<number, { samples: number[]; labels: Map<string, number> }>();
  for (const [i, shape] of beatShapes.entries()) {
    if (shape === NO_SHAPE) continue;
    const known = shapes.get(shape) ?? { samples: [], labels: new Map<string, number>() };
    const label = beatLabels[i] as string;
    known.samples.push(beatSamples[i] as number);
    known.labels.set(label, (known.labels.get(label) ?? 0) + 1);
    shapes.set(shape, known);
  }
  return [...shapes]
    .sort(([, a], [, b]) => b.samples.length - a.samples.length)
    .map(([id, { samples, labels }], i) => ({ id, number: i + 1, label: mostFrequent(labels), samples }));
}
