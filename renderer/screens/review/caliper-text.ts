// What lies between two caliper lines, in words and numbers.

import { firstFrom } from '../../../shared/signal/first-from.ts';
import { decimalText } from '../../parts/format-number.ts';

/** Samples of the page. */
export interface CaliperLines {
  readonly from: number;
  readonly to: number;
}

/** On the paper, from its upper edge. */
export interface CaliperHeight {
  readonly upperMm: number;
  readonly lowerMm: number;
}

const msOf = ({ from, to }: CaliperLines, sampleRateHz: number): number =>
  Math.round((1000 * Math.abs(to - from)) / sampleRateHz);

/** `812 ms · 74 /min` */
export function caliperText(lines: CaliperLines, sampleRateHz: number): string {
  const ms = msOf(lines, sampleRateHz);
  return ms === 0 ? '0 ms' : `${ms} ms · ${Math.round(60_000 / ms)} /min`;
}

/** `0.42 mV` @param unknown what is said where the scale of a lead is not known */
export const heightText = (
  { upperMm, lowerMm }: CaliperHeight,
  gainMmPerMv: number | undefined,
  unknown: string,
): string =>
  gainMmPerMv === undefined ? unknown : `${decimalText(Math.abs(lowerMm - upperMm) / gainMmPerMv, 2)} mV`;

/** No QT is shorter, and none is longer. */
const QT_MS = { shortest: 200, longest: 700 };

/** What QTc it would be if the lines stood at a QT: by Fridericia. Undefined where it can be none, or no R-R is known. */
export function qtcText(
  lines: CaliperLines,
  sampleRateHz: number,
  rrMs: number | undefined,
): string | undefined {
  const ms = msOf(lines, sampleRateHz);
  if (rrMs === undefined || ms < QT_MS.shortest || ms > QT_MS.longest) return undefined;
  return `${Math.round(ms / Math.cbrt(rrMs / 1000))} ms`;
}

/** A place that a hand hits so closely, it means. */
const SNAP_MM = 2;

/** @param fiducials of the page, in order @returns the nearest one within 2 mm, or the place itself */
export function snapped(sample: number, fiducials: readonly number[], samplesPerMm: number): number {
  const next = firstFrom(fiducials, sample);
  const [before = Number.NEGATIVE_INFINITY, behind = Number.POSITIVE_INFINITY] = [
    fiducials[next - 1],
    fiducials[next],
  ];
  const nearest = sample - before < behind - sample ? before : behind;
  return Math.abs(nearest - sample) <= SNAP_MM * samplesPerMm ? nearest : sample;
}

/** The next fiducial to the right, or to the left; the place itself where there is none. */
export function nextFiducial(sample: number, fiducials: readonly number[], sign: 1 | -1): number {
  const place = sign === 1 ? firstFrom(fiducials, sample + 1) : firstFrom(fiducials, sample) - 1;
  return fiducials[place] ?? sample;
}

/** So close together they would be a grey field: more than these on a page. */
const MOST_MARCHED = 200;

/** The same interval again and again to both ends of the page, without the two lines themselves. */
export function marchedLines({ from, to }: CaliperLines, sampleCount: number): number[] {
  const [first, last] = from < to ? [from, to] : [to, from];
  const step = last - first;
  if (step * MOST_MARCHED < sampleCount) return [];
  const before = Array.from({ length: Math.floor(first / step) }, (_, i) => first - (i + 1) * step);
  const behind = Array.from(
    { length: Math.floor((sampleCount - 1 - last) / step) },
    (_, i) => last + (i + 1) * step,
  );
  return [...before.toReversed(), ...behind];
}
