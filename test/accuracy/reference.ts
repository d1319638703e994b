// What cardiologists marked in a recording of the MIT databases: beats with their class, and stretches of
// rhythms. Classes are AAMI EC57's; what the standard leaves out of the score is left out here.

import { readFileSync } from 'node:fs';
import {
  isBeat,
  parseWfdbAnnotations,
  type WfdbAnnotation,
} from '../../main/formats/wfdb/wfdb-annotations.ts';
import type { BeatLabel } from '../../shared/analysis-result.ts';
import type { Range } from './stretches.ts';

export interface ReferenceBeat {
  readonly sample: number;
  readonly label: BeatLabel;
}

export interface Reference {
  readonly beats: readonly ReferenceBeat[];
  /** Ventricular flutter and fibrillation, in which beats are not scored (EC57, 4.3.1). */
  readonly excluded: readonly Range[];
  /** Stretches by what the database calls them, such as `AFIB`; each lasts until the next one begins. */
  readonly rhythms: ReadonlyMap<string, readonly Range[]>;
}

/** EC57, table 2. */
const CLASS_OF: Readonly<Record<string, BeatLabel>> = {
  ...Object.fromEntries([...'NLRBejn'].map((symbol) => [symbol, 'N'])),
  ...Object.fromEntries([...'AaJS'].map((symbol) => [symbol, 'S'])),
  ...Object.fromEntries([...'VEr'].map((symbol) => [symbol, 'V'])),
  F: 'F',
};

function rhythmsOf(annotations: readonly WfdbAnnotation[], sampleCount: number): Map<string, Range[]> {
  const found = new Map<string, Range[]>();
  const changes = annotations.filter(({ symbol, text }) => symbol === '+' && text.startsWith('('));
  for (const [index, { sample, text }] of changes.entries()) {
    const name = text.replaceAll('\0', '').slice(1).trim();
    found.set(name, [...(found.get(name) ?? []), [sample, changes[index + 1]?.sample ?? sampleCount]]);
  }
  return found;
}

function flutterOf(annotations: readonly WfdbAnnotation[], sampleCount: number): Range[] {
  const found: Range[] = [];
  for (const [index, { symbol, sample }] of annotations.entries())
    if (symbol === '[')
      found.push([
        sample,
        annotations.slice(index).find((other) => other.symbol === ']')?.sample ?? sampleCount,
      ]);
  return found;
}

/** @param path of the annotation file */
export function readReference(path: string, sampleCount: number): Reference {
  const parsed = parseWfdbAnnotations(readFileSync(path));
  if (!parsed.ok) throw new Error(`${path}: ${parsed.message}`);
  const { annotations } = parsed;
  return {
    beats: annotations
      .filter(isBeat)
      .map(({ sample, symbol }) => ({ sample, label: CLASS_OF[symbol] ?? 'Q' })),
    excluded: flutterOf(annotations, sampleCount),
    rhythms: rhythmsOf(annotations, sampleCount),
  };
}
