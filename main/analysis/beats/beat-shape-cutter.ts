// Cuts the shapes of beats from P to T, section after section, in the format in which they are compared.

import { ofLeads } from '../signal/lead-choice.ts';
import type { CoarseSet } from '../signal/lead-signals.ts';
import { type BeatShapes, cutShapes } from './beat-shape.ts';
import type { SignalScan } from './signal-scan.ts';

/** P to T of a beat. */
const BEAT_BAND = { lowHz: 1, highHz: 40, beforeMs: 320, afterMs: 440 };

/** Cuts beats from P to T, all of them in one format, whatever the section. */
export class BeatShapeCutter {
  readonly #scan: Pick<SignalScan, 'leadWeights' | 'sizes' | 'shapeLeads'>;
  #last:
    | { readonly set: CoarseSet; readonly samples: readonly number[]; readonly shapes: BeatShapes }
    | undefined;

  constructor(scan: Pick<SignalScan, 'leadWeights' | 'sizes' | 'shapeLeads'>) {
    this.#scan = scan;
  }

  /** @param samples of `set`; those of the last call are not cut again */
  cut(set: CoarseSet, samples: readonly number[]): BeatShapes {
    const last = this.#last;
    const isSame =
      last?.set === set &&
      last.samples.length === samples.length &&
      last.samples.every((sample, i) => sample === samples[i]);
    if (isSame) return last.shapes;
    const { leadWeights, sizes, shapeLeads } = this.#scan;
    const shapes = cutShapes(set, samples, {
      ...BEAT_BAND,
      weights: ofLeads(leadWeights, shapeLeads),
      sizes: sizes === undefined ? undefined : ofLeads(sizes, shapeLeads),
    });
    this.#last = { set, samples, shapes };
    return shapes;
  }
}
