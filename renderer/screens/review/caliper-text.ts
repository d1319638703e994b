// What lies between two caliper lines, in words.

/** Samples of the page. */
export interface CaliperLines {
  readonly from: number;
  readonly to: number;
}

/** `812 ms · 74 /min` */
export function caliperText({ from, to }: CaliperLines, sampleRateHz: number): string {
  const ms = Math.round((1000 * Math.abs(to - from)) / sampleRateHz);
  return ms === 0 ? '0 ms' : `${ms} ms · ${Math.round(60_000 / ms)} /min`;
}
