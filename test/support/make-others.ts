// Builds small aECG, DICOM and ISHNE files for tests, by the formats reference, section 7.

const u16 = (value: number): number[] => [value & 255, (value >> 8) & 255];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

export interface AecgSeries {
  readonly start?: string;
  readonly incrementMs?: number;
  readonly leads: readonly { code: string; digits: string; scale?: string; unit?: string; origin?: string }[];
}

export function makeAecg(series: readonly AecgSeries[], head = ''): Uint8Array {
  const sequence = ({
    code,
    digits,
    scale = '2.5',
    unit = 'uV',
    origin = '0',
  }: AecgSeries['leads'][number]): string => `
      <component><sequence><code code="${code}" codeSystem="2.16.840.1.113883.6.24"/>
        <value xsi:type="SLIST_PQ"><origin value="${origin}" unit="${unit}"/><scale value="${scale}" unit="${unit}"/><digits>${digits}</digits></value>
      </sequence></component>`;
  const one = ({ start, incrementMs = 2, leads }: AecgSeries): string => `
    <component><series>${start === undefined ? '' : `<effectiveTime><low value="${start}"/></effectiveTime>`}
      <component><sequenceSet>
      <component><sequence><code code="TIME_ABSOLUTE"/><value xsi:type="GLIST_TS"><head value="20240301102030"/><increment value="${incrementMs}" unit="ms"/></value></sequence></component>
      ${leads.map(sequence).join('')}
      </sequenceSet></component></series></component>`;
  return new TextEncoder().encode(`<?xml version="1.0" encoding="UTF-8"?>${head}
<AnnotatedECG xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <componentOf><timepointEvent><componentOf><subjectAssignment><subject><trialSubject><id extension="P-7"/>
    <subjectDemographicPerson><name><given>Ann</given><family>Smith &amp; Co</family></name><administrativeGenderCode code="F"/><birthTime value="19510314"/></subjectDemographicPerson>
  </trialSubject></subject></subjectAssignment></componentOf></timepointEvent></componentOf>
  ${series.map(one).join('')}
</AnnotatedECG>`);
}

type DicomElement = readonly [group: number, element: number, vr: string, value: string | number[]];

function element([group, number, vr, value]: DicomElement): number[] {
  const raw = typeof value === 'string' ? [...Buffer.from(value, 'latin1')] : value;
  const bytes = raw.length % 2 === 0 ? raw : [...raw, vr === 'UI' || vr === 'OB' ? 0 : 32];
  const isLong = ['OB', 'OW', 'SQ', 'UN'].includes(vr);
  return [
    ...u16(group),
    ...u16(number),
    ...Buffer.from(vr),
    ...(isLong ? [0, 0, ...u32(bytes.length)] : u16(bytes.length)),
    ...bytes,
  ];
}

const item = (elements: readonly DicomElement[]): number[] => {
  const bytes = elements.flatMap(element);
  return [...u16(0xfffe), ...u16(0xe000), ...u32(bytes.length), ...bytes];
};

export interface DicomSpec {
  readonly leads: readonly {
    code: string;
    scheme?: string;
    sensitivity?: string;
    samples: readonly number[];
  }[];
  readonly rate?: string;
  readonly syntax?: string;
  readonly bits?: number;
  readonly interpretation?: string;
  readonly padding?: number;
}

export function makeDicom({
  leads,
  rate = '500',
  syntax = '1.2.840.10008.1.2.1',
  bits = 16,
  interpretation = 'SS',
  padding,
}: DicomSpec): Uint8Array {
  const count = leads[0]?.samples.length ?? 0;
  const definitions = leads.map(({ code, scheme = 'MDC', sensitivity = '2.5' }) =>
    item([
      [
        0x003a,
        0x0208,
        'SQ',
        item([
          [0x0008, 0x0100, 'SH', code],
          [0x0008, 0x0102, 'SH', scheme],
          [0x0008, 0x0104, 'LO', 'a lead'],
        ]),
      ],
      [0x003a, 0x0210, 'DS', sensitivity],
      [0x003a, 0x0211, 'SQ', item([[0x0008, 0x0100, 'SH', 'uV']])],
      [0x003a, 0x0212, 'DS', '1'],
      [0x003a, 0x0213, 'DS', '0'],
    ]),
  );
  const samples = Array.from({ length: count }, (_, i) =>
    leads.map((lead) =>
      bits === 8 ? [(lead.samples[i] as number) & 255] : u16((lead.samples[i] as number) & 0xffff),
    ),
  ).flat(2);
  const group: DicomElement[] = [
    [0x003a, 0x0005, 'US', u16(leads.length)],
    [0x003a, 0x0010, 'UL', u32(count)],
    [0x003a, 0x001a, 'DS', rate],
    [0x003a, 0x0200, 'SQ', definitions.flat()],
    [0x5400, 0x1004, 'US', u16(bits)],
    [0x5400, 0x1006, 'CS', interpretation],
    ...(padding === undefined ? [] : [[0x5400, 0x100a, 'OW', u16(padding & 0xffff)] as const]),
    [0x5400, 0x1010, 'OW', samples],
  ];
  const meta = element([0x0002, 0x0010, 'UI', syntax]);
  const body = [
    ...element([0x0008, 0x002a, 'DT', '20240301102030.500+0100']),
    ...element([0x0010, 0x0010, 'PN', 'Smith^Ann']),
    ...element([0x0010, 0x0020, 'LO', 'P-7']),
    ...element([0x0010, 0x0030, 'DA', '19510314']),
    ...element([0x0010, 0x0040, 'CS', 'F']),
    ...element([0x5400, 0x0100, 'SQ', item(group)]),
  ];
  return Uint8Array.from([
    ...new Array(128).fill(0),
    ...Buffer.from('DICM'),
    ...element([0x0002, 0x0000, 'UL', u32(meta.length)]),
    ...meta,
    ...body,
  ]);
}

export interface IshneSpec {
  readonly leads: readonly { code: number; nanovolts: number; samples: readonly number[] }[];
  readonly rateHz?: number;
  readonly announced?: number;
}

export function makeIshne({ leads, rateHz = 200, announced }: IshneSpec): Uint8Array {
  const count = leads[0]?.samples.length ?? 0;
  const bytes = Buffer.alloc(522 + 2 * leads.length * count);
  bytes.write('ISHNE1.0', 0, 'latin1');
  bytes.writeInt32LE(0, 10);
  bytes.writeInt32LE(announced ?? count, 14);
  bytes.writeInt32LE(522, 18);
  bytes.writeInt32LE(522, 22);
  bytes.writeInt16LE(1, 26);
  bytes.write('Ann', 28, 'latin1');
  bytes.write('Smith', 68, 'latin1');
  bytes.write('P-7', 108, 'latin1');
  bytes.writeInt16LE(2, 128);
  for (const [i, value] of [14, 3, 1951, 1, 3, 2024, 2, 3, 2024, 10, 20, 30].entries())
    bytes.writeInt16LE(value, 132 + 2 * i);
  bytes.writeInt16LE(leads.length, 156);
  for (let i = 0; i < 12; i++) {
    bytes.writeInt16LE(leads[i]?.code ?? -9, 158 + 2 * i);
    bytes.writeInt16LE(leads[i]?.nanovolts ?? -9, 206 + 2 * i);
  }
  bytes.write('recorder 1', 232, 'latin1');
  bytes.writeInt16LE(rateHz, 272);
  for (let i = 0; i < count; i++)
    for (const [lead, { samples }] of leads.entries())
      bytes.writeInt16LE(samples[i] as number, 522 + 2 * (i * leads.length + lead));
  let crc = 0xffff;
  for (const byte of bytes.subarray(10, 522)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  bytes.writeUInt16LE(crc, 8);
  return Uint8Array.from(bytes);
}
