// The heart's vector from the standard leads: X to the left, Y to the feet, Z to the back, in the units of the leads. Computed where
// it is shown, named as derived, and never measured in.
//
// Kors, van Herpen, Sittig, van Bemmel: Reconstruction of the Frank vectorcardiogram from standard electrocardiographic leads,
// Eur Heart J 1990; 11:1083–1092, the matrix by regression.

import { type LeadCode, STANDARD_LEADS } from '../../../../shared/signal/lead.ts';

export const VECTOR_AXES = ['X', 'Y', 'Z'] as const;
export type VectorAxis = (typeof VECTOR_AXES)[number];

/** The leads that are needed, in the order of the weights: I, II and V1 to V6. */
export const VECTOR_SOURCES: readonly LeadCode[] = [
  ...STANDARD_LEADS.slice(0, 2),
  ...STANDARD_LEADS.slice(6),
];

const WEIGHTS: { readonly [A in VectorAxis]: readonly number[] } = {
  X: [0.38, -0.07, -0.13, 0.05, -0.01, 0.14, 0.06, 0.54],
  Y: [-0.07, 0.93, 0.06, -0.02, -0.05, 0.06, -0.17, 0.13],
  Z: [0.11, -0.23, -0.43, -0.06, -0.14, -0.2, -0.11, 0.31],
};

/** As its three axes over time. */
export type VectorLeads = { readonly [A in VectorAxis]: Float32Array };

/** @param sources the samples of `VECTOR_SOURCES`, in their order and equally long; where one has NaN, the vector has none */
export function vectorLeads(sources: readonly ArrayLike<number>[]): VectorLeads {
  const count = Math.min(...sources.map(({ length }) => length));
  const axis = (weights: readonly number[]): Float32Array => {
    const samples = new Float32Array(count);
    for (const [lead, source] of sources.entries())
      for (let i = 0; i < count; i++)
        samples[i] = (samples[i] as number) + (weights[lead] as number) * (source[i] as number);
    return samples;
  };
  return { X: axis(WEIGHTS.X), Y: axis(WEIGHTS.Y), Z: axis(WEIGHTS.Z) };
}

/** The angle between two vectors in degrees; undefined where one of them has no length. */
export function angleDeg(a: readonly number[], b: readonly number[]): number | undefined {
  const dot = (p: readonly number[], q: readonly number[]): number =>
    p.reduce((sum, value, i) => sum + value * (q[i] ?? 0), 0);
  const length = Math.sqrt(dot(a, a) * dot(b, b));
  return length === 0
    ? undefined
    : (180 / Math.PI) * Math.acos(Math.max(-1, Math.min(1, dot(a, b) / length)));
}
