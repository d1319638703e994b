// One heart beat as a moving dipole: every wave is a raised-cosine pulse along a fixed direction, so its
// onset and offset are exact by construction. Axes: x to the patient's left, y downwards, z to the front.
// Amplitudes in millivolts along the axis.

import type { LeadCode } from '../../../shared/signal/lead.ts';

export type Vector = readonly [x: number, y: number, z: number];

export interface Wave {
  readonly name: 'P' | 'Q' | 'R' | 'S' | 'T' | 'V' | 'Vt';
  /** Where the wave begins, from the onset of the beat's QRS complex. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly peakMv: Vector;
}

const ROOT_3_HALF = Math.sqrt(3) / 2;

/**
 * Frontal leads by Einthoven's triangle; V1 to V6 as directions in the transverse plane, scaled to usual
 * amplitudes.
 */
const LEAD_VECTORS: Readonly<Record<string, Vector>> = {
  MDC_ECG_LEAD_I: [1, 0, 0],
  MDC_ECG_LEAD_II: [0.5, ROOT_3_HALF, 0],
  MDC_ECG_LEAD_III: [-0.5, ROOT_3_HALF, 0],
  MDC_ECG_LEAD_AVR: [-0.75, -ROOT_3_HALF / 2, 0],
  MDC_ECG_LEAD_AVL: [0.75, -ROOT_3_HALF / 2, 0],
  MDC_ECG_LEAD_AVF: [0, ROOT_3_HALF, 0],
  MDC_ECG_LEAD_V1: [-0.55, 0.05, 1.15],
  MDC_ECG_LEAD_V2: [0.15, 0.1, 1.7],
  MDC_ECG_LEAD_V3: [0.75, 0.15, 1.35],
  MDC_ECG_LEAD_V4: [1.3, 0.25, 0.85],
  MDC_ECG_LEAD_V5: [1.35, 0.25, 0.25],
  MDC_ECG_LEAD_V6: [1.1, 0.25, -0.15],
};

/** Projection of a dipole on a lead; leads without a vector (EASI, Nehb) give undefined. */
export const leadVector = (lead: LeadCode): Vector | undefined => LEAD_VECTORS[lead];

export interface BeatShape {
  readonly pMs: number;
  /** Absent: a beat without P wave. */
  readonly prMs?: number | undefined;
  readonly qrsMs: number;
  readonly qtMs: number;
  /** Frontal axis of the main QRS vector. */
  readonly qrsAxisDeg: number;
}

export const NORMAL_BEAT: BeatShape = { pMs: 100, prMs: 160, qrsMs: 92, qtMs: 390, qrsAxisDeg: 50 };

function frontal(axisDeg: number, amplitudeMv: number, z: number): Vector {
  const angle = (axisDeg * Math.PI) / 180;
  return [amplitudeMv * Math.cos(angle), amplitudeMv * Math.sin(angle), z];
}

/** A conducted beat: P, a QRS of three overlapping vectors within exactly `qrsMs`, and T. */
export function conductedBeat(shape: BeatShape): Wave[] {
  const { pMs, prMs, qrsMs, qtMs, qrsAxisDeg } = shape;
  const tMs = 180;
  const waves: Wave[] = [
    { name: 'Q', startMs: 0, durationMs: 0.45 * qrsMs, peakMv: frontal(qrsAxisDeg + 150, 0.14, 0.22) },
    { name: 'R', startMs: 0.16 * qrsMs, durationMs: 0.62 * qrsMs, peakMv: frontal(qrsAxisDeg, 1.25, -0.5) },
    {
      name: 'S',
      startMs: 0.52 * qrsMs,
      durationMs: 0.48 * qrsMs,
      peakMv: frontal(qrsAxisDeg - 160, 0.2, -0.4),
    },
    { name: 'T', startMs: qtMs - tMs, durationMs: tMs, peakMv: frontal(qrsAxisDeg - 10, 0.34, 0.18) },
  ];
  if (prMs !== undefined)
    waves.push({ name: 'P', startMs: -prMs, durationMs: pMs, peakMv: frontal(55, 0.14, 0.03) });
  return waves;
}

/** A ventricular ectopic beat: wide, no P, T opposite to the QRS. */
export function ventricularBeat(): Wave[] {
  return [
    { name: 'V', startMs: 0, durationMs: 150, peakMv: frontal(-70, 1.5, 0.9) },
    { name: 'Vt', startMs: 170, durationMs: 230, peakMv: frontal(110, 0.5, -0.3) },
  ];
}
