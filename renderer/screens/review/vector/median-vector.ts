// The loops of the median beat in three planes, and the angle between those of QRS and T: derived, to look at.

import type { StoredMedianBeat } from '../../../../shared/analysis-result.ts';
import { angleDeg, VECTOR_AXES, VECTOR_SOURCES, vectorLeads } from './vector-leads.ts';

/** X, Y and Z in µV from where QRS begins. */
export type Vector = readonly [number, number, number];

export interface MedianVector {
  readonly p: readonly Vector[];
  readonly qrs: readonly Vector[];
  readonly t: readonly Vector[];
  readonly sampleRateHz: number;
  /** Between the areas of QRS and of ST-T, in space; undefined where one of them is not marked. */
  readonly qrsTDeg: number | undefined;
}

const sumOf = (vectors: readonly Vector[]): Vector =>
  vectors.reduce<Vector>(([x, y, z], [a, b, c]) => [x + a, y + b, z + c], [0, 0, 0]);

/** @returns undefined where a lead is missing, its scale is not known, or QRS is not marked */
export function medianVector(beat: StoredMedianBeat): MedianVector | undefined {
  const { leads, marksMs, sampleRateHz, rSample } = beat;
  const sources = VECTOR_SOURCES.map((code) =>
    leads.find(({ lead, isCalibrated }) => lead === code && isCalibrated !== false),
  );
  const found = sources.filter((source) => source !== undefined);
  const { pOnset, pOffset, qrsOnset, qrsOffset, tEnd } = marksMs;
  if (found.length < VECTOR_SOURCES.length || qrsOnset === undefined || qrsOffset === undefined)
    return undefined;
  const axes = vectorLeads(found.map(({ uv }) => uv));
  const at = (ms: number): number => rSample + Math.round((ms * sampleRateHz) / 1000);
  const level = VECTOR_AXES.map((axis) => axes[axis][at(qrsOnset)] ?? 0);
  const between = (fromMs: number | undefined, toMs: number | undefined): Vector[] => {
    if (fromMs === undefined || toMs === undefined) return [];
    const from = Math.max(0, at(fromMs));
    return Array.from({ length: Math.max(0, Math.min(axes.X.length - 1, at(toMs)) - from + 1) }, (_, i) => {
      const [x = 0, y = 0, z = 0] = VECTOR_AXES.map(
        (axis, k) => (axes[axis][from + i] ?? 0) - (level[k] ?? 0),
      );
      return [x, y, z];
    });
  };
  const qrs = between(qrsOnset, qrsOffset);
  const t = between(qrsOffset, tEnd);
  return {
    p: between(pOnset, pOffset),
    qrs,
    t,
    sampleRateHz,
    qrsTDeg: t.length === 0 ? undefined : angleDeg(sumOf(qrs), sumOf(t)),
  };
}
