// Builds SCP-ECG records for tests, by the layout of the formats reference, section 3: a writer that shares
// no code with the reader.

export interface ScpLeadSpec {
  readonly id: number;
  /** Counted from 1. */
  readonly first: number;
  readonly last: number;
  /** What section 6 stores of this lead. */
  readonly stored: readonly number[];
  /** The reference beat of this lead, as section 5 stores it. */
  readonly reference?: readonly number[];
}

export type ScpPacking = 'plain' | 'default' | 'own';

export interface ScpSpec {
  readonly leads: readonly ScpLeadSpec[];
  readonly packing?: ScpPacking;
  readonly encoding?: 0 | 1 | 2;
  readonly nanovolts?: number;
  readonly intervalUs?: number;
  readonly referenceNanovolts?: number;
  readonly referenceIntervalUs?: number;
  readonly isBimodal?: boolean;
  readonly isSubtracted?: boolean;
  readonly referenceLengthMs?: number;
  readonly fiducial?: number;
  readonly zones?: readonly (readonly [type: number, first: number, fiducial: number, last: number])[];
  readonly protectedAreas?: readonly (readonly [first: number, last: number])[];
  readonly tags?: readonly (readonly [tag: number, value: readonly number[]])[];
  readonly hasMark?: boolean;
  readonly longTerm?: readonly number[];
}

const u16 = (value: number): number[] => [value & 255, (value >> 8) & 255];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

function crc(bytes: readonly number[]): number {
  let value = 0xffff;
  for (const byte of bytes) {
    value ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ (value & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return value;
}

function section(
  id: number,
  body: readonly number[],
  reserved: readonly number[] = [0, 0, 0, 0, 0, 0],
): number[] {
  const padded = body.length % 2 === 0 ? body : [...body, 0];
  const rest = [...u16(id), ...u32(padded.length + 16), 20, 20, ...reserved, ...padded];
  return [...u16(crc(rest)), ...rest];
}

/** Bits, first one most significant. */
function pack(bits: string): number[] {
  const padded = bits.padEnd(Math.ceil(bits.length / 8) * 8, '0');
  return Array.from({ length: padded.length / 8 }, (_, i) =>
    Number.parseInt(padded.slice(8 * i, 8 * i + 8), 2),
  );
}

const binary = (value: number, width: number): string =>
  (value & (2 ** width - 1)).toString(2).padStart(width, '0').slice(-width);

function defaultCode(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return '0';
  if (size <= 8) return `${'1'.repeat(size)}0${value > 0 ? '0' : '1'}`;
  return size < 128 ? `1111111110${binary(value, 8)}` : `1111111111${binary(value, 16)}`;
}

/**
 * A table of our own: 0 → 0; 10 and six bits; 11 and sixteen. Prefixes are written with their first bit
 * lowest.
 */
const ownCode = (value: number): string =>
  value === 0 ? '0' : Math.abs(value) < 32 ? `10${binary(value, 6)}` : `11${binary(value, 16)}`;
const OWN_TABLE = [
  ...u16(1),
  ...u16(3),
  ...[1, 1, 1, 0, 0, ...u32(0)],
  ...[2, 8, 1, 0, 0, ...u32(0b01)],
  ...[2, 18, 1, 0, 0, ...u32(0b11)],
];

function packLead(values: readonly number[], packing: ScpPacking): number[] {
  if (packing === 'plain') return values.flatMap((value) => u16(value & 0xffff));
  const bytes = pack(values.map(packing === 'default' ? defaultCode : ownCode).join(''));
  return bytes.length % 2 === 0 ? bytes : [...bytes, 0];
}

/** Samples to what is stored at an encoding. */
export function differences(samples: readonly number[], encoding: 0 | 1 | 2): number[] {
  if (encoding === 0) return [...samples];
  const first = samples.map((value, i) => (i === 0 ? value : value - (samples[i - 1] as number)));
  return encoding === 1
    ? first
    : samples
        .map((value, i) =>
          i < 2 ? value : value - 2 * (samples[i - 1] as number) + (samples[i - 2] as number),
        )
        .map((value, i) => (i === 1 ? (samples[1] as number) : value));
}

function storedLeads(
  head: readonly number[],
  leads: readonly (readonly number[])[],
  packing: ScpPacking,
): number[] {
  const packed = leads.map((values) => packLead(values, packing));
  return [...head, ...packed.flatMap((bytes) => u16(bytes.length)), ...packed.flat()];
}

function sectionsOf(spec: ScpSpec): Map<number, number[]> {
  const { leads, packing = 'plain', encoding = 0, nanovolts = 1000, intervalUs = 2000 } = spec;
  const sections = new Map<number, number[]>();
  const tags = [
    ...(spec.tags ?? [[25, [...u16(2024), 3, 1]] as const, [26, [10, 20, 30]] as const]),
    [255, []] as const,
  ];
  sections.set(
    1,
    tags.flatMap(([tag, value]) => [tag, ...u16(value.length), ...value]),
  );
  if (packing === 'default') sections.set(2, u16(19_999));
  if (packing === 'own') sections.set(2, OWN_TABLE);
  if (spec.longTerm !== undefined) {
    sections.set(12, [...spec.longTerm]);
    return sections;
  }
  const flags = (spec.isSubtracted === true ? 1 : 0) | 4 | (Math.min(31, leads.length) << 3);
  sections.set(3, [
    leads.length,
    flags,
    ...leads.flatMap(({ first, last, id }) => [...u32(first), ...u32(last), id]),
  ]);
  if (spec.zones !== undefined) {
    const areas = spec.protectedAreas ?? [];
    sections.set(4, [
      ...u16(spec.referenceLengthMs ?? 0),
      ...u16(spec.fiducial ?? 0),
      ...u16(spec.zones.length),
      ...spec.zones.flatMap(([type, first, fiducial, last]) => [
        ...u16(type),
        ...u32(first),
        ...u32(fiducial),
        ...u32(last),
      ]),
      ...areas.flatMap(([first, last]) => [...u32(first), ...u32(last)]),
    ]);
  }
  if (leads[0]?.reference !== undefined) {
    const head = [
      ...u16(spec.referenceNanovolts ?? nanovolts),
      ...u16(spec.referenceIntervalUs ?? intervalUs),
      encoding,
      0,
    ];
    sections.set(
      5,
      storedLeads(
        head,
        leads.map(({ reference = [] }) => reference),
        packing,
      ),
    );
  }
  const head = [...u16(nanovolts), ...u16(intervalUs), encoding, spec.isBimodal === true ? 1 : 0];
  sections.set(
    6,
    storedLeads(
      head,
      leads.map(({ stored }) => stored),
      packing,
    ),
  );
  return sections;
}

export function makeScp(spec: ScpSpec): Uint8Array {
  const bodies = sectionsOf(spec);
  const built = new Map([...bodies].map(([id, body]) => [id, section(id, body)]));
  const pointerCount = 13;
  let at = 6 + 16 + pointerCount * 10;
  const pointers: number[] = [];
  for (let id = 0; id < pointerCount; id++) {
    const length = id === 0 ? 16 + pointerCount * 10 : (built.get(id)?.length ?? 0);
    pointers.push(...u16(id), ...u32(length), ...u32(length === 0 ? 0 : id === 0 ? 7 : at + 1));
    if (id > 0) at += length;
  }
  const mark = spec.hasMark === false ? [0, 0, 0, 0, 0, 0] : [...Buffer.from('SCPECG')];
  const content = [...section(0, pointers, mark), ...[...built.values()].flat()];
  const sized = [...u32(content.length + 6), ...content];
  return Uint8Array.from([...u16(crc(sized)), ...sized]);
}

/** The body of section 12: a long recording with samples side by side. */
export function longTermBody(
  rateHz: number,
  widthBytes: number,
  leads: readonly { id: number; nanovolts: number; samples: readonly number[] }[],
): number[] {
  const count = leads[0]?.samples.length ?? 0;
  const head = [...u32(rateHz), leads.length, ...u32(count), widthBytes, ...u16(2024), 3, 1, 10, 20, 30];
  const padded = [...head, ...new Array(70 - head.length).fill(0)];
  const samples = Array.from({ length: count }, (_, i) =>
    leads.map((lead) => u32(lead.samples[i] as number).slice(0, widthBytes)),
  ).flat(2);
  return [...padded, ...leads.flatMap(({ id, nanovolts }) => [id, ...u16(nanovolts), 0]), ...samples];
}
