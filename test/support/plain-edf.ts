// An EDF file of ten seconds at 100 Hz with the channels of the given labels.

const SECONDS = 10;
const RATE_HZ = 100;

export interface EdfFields {
  readonly patient?: string;
  /** `EDF+C`, `EDF+D`, or nothing. */
  readonly reserved?: string;
}

/** @param unit of all channels */
export function plainEdf(
  labels: readonly string[],
  unit = 'uV',
  { patient = 'X X X X', reserved = '' }: EdfFields = {},
): Uint8Array {
  const every = (text: string, width: number): string => text.padEnd(width).repeat(labels.length);
  const header = [
    '0'.padEnd(8),
    patient.padEnd(80),
    'Startdate X X X X'.padEnd(80),
    '01.03.24'.padEnd(8),
    '10.20.30'.padEnd(8),
    String(256 * (labels.length + 1)).padEnd(8),
    reserved.padEnd(44),
    String(SECONDS).padEnd(8),
    '1'.padEnd(8),
    String(labels.length).padEnd(4),
    labels.map((label) => label.padEnd(16)).join(''),
    every('', 80),
    every(unit, 8),
    every('-3276.8', 8),
    every('3276.7', 8),
    every('-32768', 8),
    every('32767', 8),
    every('', 80),
    every(String(RATE_HZ), 8),
    every('', 32),
  ].join('');
  const samples = Int16Array.from({ length: SECONDS * RATE_HZ * labels.length }, (_, i) =>
    i % RATE_HZ === 0 ? 9000 : 30,
  );
  return Buffer.concat([Buffer.from(header, 'latin1'), Buffer.from(samples.buffer)]);
}
