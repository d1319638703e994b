// HL7 v2: what is written is read back, whatever separators others use, and what is damaged is refused in a sentence.

import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import {
  decodeHl7,
  Hl7Error,
  hl7Head,
  hl7Lines,
  hl7Parts,
  hl7Segment,
  hl7Time,
  parseHl7,
} from '../../../main/formats/hl7/hl7-message.ts';
import { readHl7Head, readHl7Orders } from '../../../main/formats/hl7/hl7-orders.ts';
import { type EcgResult, writeHl7Ack, writeHl7Result } from '../../../main/formats/hl7/hl7-result.ts';
import { ConnectionError } from '../../../main/hospital/connection.ts';
import { framed, MllpReader } from '../../../main/hospital/mllp/mllp.ts';

const OWN = { application: 'ISOLINE', facility: '' };
const ORDER = [
  'MSH|^~\\&|KIS|ANNA|ISOLINE||20261125083000||ORM^O01|C1|P|2.5.1',
  'PID|1||4711^^^ANNA^MR||Müller^Zoë||19510314|F',
  'ORC|NW|77',
  'OBR|1|77||93000^ECG^C4',
].join('\r');
const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'utf8');

describe('a message', () => {
  test('is read as it was written, whatever its texts hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }), (texts) => {
        const plain = texts
          .map((text) => text.replace(/\p{Cc}/gu, ' ').trim())
          .filter((text) => text !== '' && text !== '""');
        const message = hl7Lines([hl7Head({ 3: 'A' }), hl7Segment('ZZZ', { 2: hl7Parts(...plain) })]);
        const segment = parseHl7(message).first('ZZZ');
        for (const [i, text] of plain.entries()) expect(segment?.text(2, i + 1)).toBe(text);
      }),
    );
  });

  test('names its own separators', () => {
    const other = ORDER.replaceAll('|', '#').replaceAll('^', '@').replace('@~\\&', '@~\\&');
    expect(readHl7Orders(bytesOf(other)).orders[0]).toMatchObject({
      patient: { id: '4711', lastName: 'Müller' },
      orderNumber: '77',
    });
  });

  test.each([
    ['UTF-8 that says so', Buffer.from(ORDER.replace('2.5.1', '2.5.1||||||UNICODE UTF-8'), 'utf8')],
    ['UTF-8 that says nothing', Buffer.from(ORDER, 'utf8')],
    [
      'the letters of the West that say so',
      Buffer.from(ORDER.replace('2.5.1', '2.5.1||||||8859/1'), 'latin1'),
    ],
    ['the letters of the West that say nothing', Buffer.from(ORDER, 'latin1')],
    [
      'the letters of the West that say UTF-8',
      Buffer.from(ORDER.replace('2.5.1', '2.5.1||||||UNICODE UTF-8'), 'latin1'),
    ],
  ])('in %s has every letter', (_name, bytes) => {
    expect(parseHl7(decodeHl7(bytes)).first('PID')?.text(5, 2)).toBe('Zoë');
  });

  const named = (set: string): string => ORDER.replace('2.5.1', `2.5.1||||||${set}`);
  const orderFrom = (bytes: Uint8Array) => readHl7Orders(bytes).orders[0];
  const coded = (text: string, encoder: string): Buffer => iconv.encode(text, encoder);

  test.each([
    ['8859/6', 'iso-8859-6', 'محمد'],
    ['8859/8', 'iso-8859-8', 'משה'],
    ['GB 18030-2000', 'gb18030', '小东'],
    ['KS X 1001', 'euc-kr', '길동'],
    ['BIG-5', 'big5', '小東'],
  ])('in %s has every letter', (set, encoder, name) => {
    const order = orderFrom(coded(named(set).replace('Zoë', name).replace('Müller', 'Muller'), encoder));
    expect(order).toMatchObject({ patient: { firstName: name }, warnings: [] });
  });

  test('with escapes of Japanese letters has every letter, or is refused', () => {
    const names = Buffer.from(
      named('ASCII~ISO IR87').replace('Müller', '@@').replace('Zoë', 'Taro'),
      'latin1',
    );
    const yamada = Buffer.from('\x1b$B;3ED\x1b(B', 'latin1');
    const at = names.indexOf('@@');
    const escaped = Buffer.concat([names.subarray(0, at), yamada, names.subarray(at + 2)]);
    expect(orderFrom(escaped)?.patient.lastName).toBe('山田');
    const silent = Buffer.from(escaped.toString('latin1').replace('~ISO IR87', ''), 'latin1');
    expect(() => orderFrom(silent)).toThrow(/character set/);
  });

  test('in a set that nobody knows is refused where it has letters of it, and taken where it has none', () => {
    const unknown = Buffer.from(named('JIS X 0208'), 'latin1');
    expect(() => orderFrom(unknown)).toThrow(/character set "JIS X 0208"/);
    // The answer that refuses it names the message.
    expect(readHl7Head(unknown)?.controlId).toBe(readHl7Head(bytesOf(ORDER))?.controlId);
    const plain = named('JIS X 0208').replace('Zoë', 'Zoe').replace('Müller', 'Muller');
    expect(orderFrom(Buffer.from(plain, 'latin1'))?.patient.firstName).toBe('Zoe');
  });

  test('whose letters are not in the set that it names is taken, and the name is in doubt', () => {
    const order = orderFrom(Buffer.from(named('UNICODE UTF-8'), 'latin1'));
    expect(order?.patient.firstName).toBe('Zoë');
    expect(order?.warnings).toMatchObject([{ code: 'letters_suspicious' }]);
  });

  test('with a line break in a field keeps the rest of the segment', () => {
    const order = orderFrom(bytesOf(ORDER.replace('Müller', 'Mül\nler')));
    expect(order?.patient).toMatchObject({ id: '4711', lastName: 'Mül ler', birthDate: expect.any(String) });
    const mixed = ORDER.replace('\rORC', '\nORC');
    expect(orderFrom(bytesOf(mixed))?.orderNumber).toBe('77');
    expect(orderFrom(bytesOf(ORDER.replaceAll('\r', '\n')))?.patient.lastName).toBe('Müller');
  });

  test.each([
    ['Niccol\\X00F2\\', 'Niccolò'],
    ['Niccol\\XF2\\', 'Niccolò'],
    ['Niccol\\XC3B2\\', 'Niccolò'],
    ['Nic\\X00\\colo', 'Nic colo'],
    ['Nic\\X0D\\colo', 'Nic colo'],
  ])('with the bytes %s in a name has %s', (written, name) => {
    expect(orderFrom(bytesOf(ORDER.replace('Zoë', written)))?.patient.firstName).toBe(name);
  });

  test.each(['1950', '00000000', '19509999'])('with the birth date %s says that it is no day', (stated) => {
    const [year] = /\d{8}/.exec(ORDER.split('PID')[1] ?? '') ?? [];
    const order = orderFrom(bytesOf(ORDER.replace(year ?? '?', stated)));
    expect(order?.patient.birthDate).toBeUndefined();
    expect(order?.warnings).toMatchObject([{ code: 'birth_date_no_day', values: { stated } }]);
  });

  test('that is damaged is refused, and nothing else is thrown', () => {
    const good = bytesOf(ORDER);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }), (changes) => {
        const bytes = Uint8Array.from(good);
        for (const [place, value] of changes) bytes[place] = value;
        readHl7Head(bytes);
        try {
          readHl7Orders(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Hl7Error);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('of a patient with several numbers is of the one of the record', () => {
    const several = ORDER.replace('4711^^^ANNA^MR', '99^^^X^SS~4711^^^ANNA^MR');
    expect(readHl7Orders(bytesOf(several)).orders[0]?.patient.id).toBe('4711');
  });

  test.each([
    ['4711', 'PID-3'],
    ['77', 'ORC-2'],
  ])('whose number %s is too long is refused: cut, it could be another’s', (number, field) => {
    const bytes = bytesOf(ORDER.replace(number, number.repeat(40)));
    expect(() => readHl7Orders(bytes)).toThrow(new RegExp(`${field}.*64`));
  });
});

test('a time is that of its place, or of none', () => {
  const ms = Date.UTC(2026, 10, 21, 8, 30);
  expect([hl7Time(ms), hl7Time(ms, 60), hl7Time(ms, -210)]).toEqual([
    '20261121083000',
    '20261121093000+0100',
    '20261121050000-0330',
  ]);
});

test('a result says whose it is, what was measured and by whom it was read, and nothing that was not', () => {
  const bytes = writeHl7Result({
    controlId: 'abc.2',
    from: OWN,
    to: { application: 'KIS', facility: 'ANNA' },
    sentMs: 0,
    isSimulated: false,
    patient: { id: '1|2', lastName: 'O^Neil', firstName: 'A' },
    orderNumber: '77',
    fillerNumber: 'abc',
    asked: { service: '93000^ECG^C4', accession: 'ACC1', referrer: 'Arias^Marta' },
    startMs: Date.UTC(2026, 10, 21, 8, 30),
    offsetMinutes: 60,
    approval: { isByPhysician: true, by: 'Dr. Lind', atMs: Date.UTC(2026, 10, 21, 9), offsetMinutes: 60 },
    status: 'amended',
    isCorrected: true,
    measurements: { heartRateBpm: 71.6, qrsMs: 98 },
    warnings: [],
    statements: ['Sinus rhythm'],
    indications: ['Chest pain'],
    pdf: bytesOf('%PDF-1.7'),
  });
  const message = parseHl7(decodeHl7(bytes));
  const obr = message.first('OBR');
  expect([
    message.head.text(10),
    message.head.text(11),
    message.first('PID')?.text(3),
    message.first('PID')?.text(5),
  ]).toEqual(['abc.2', 'P', '1|2', 'O^Neil']);
  expect([
    obr?.text(2),
    obr?.text(4, 3),
    obr?.text(7),
    obr?.text(16, 2),
    obr?.text(18),
    obr?.text(25),
    obr?.text(32, 2),
  ]).toEqual(['77', 'C4', '20261121093000+0100', 'Arias', 'ACC1', 'C', 'Dr. Lind']);
  const obx = message.segments
    .filter(({ name }) => name === 'OBX')
    .map((segment) => [segment.text(2), segment.text(3), segment.text(5)]);
  expect(obx.slice(0, 3)).toEqual([
    ['NM', '8867-4', '72'],
    ['NM', '8633-0', '98'],
    ['TX', '8601-7', 'Sinus rhythm'],
  ]);
  expect(obx).toHaveLength(4);
});

test('an answer names the message, and keeps what it says in one line', () => {
  const head = readHl7Head(bytesOf(ORDER));
  if (head === undefined) throw new Error('the order has a head');
  const ack = parseHl7(
    decodeHl7(writeHl7Ack(head, 'AE', { text: 'No\rpatient | here', controlId: 'X', nowMs: 0, own: OWN })),
  );
  expect([ack.first('MSA')?.text(1), ack.first('MSA')?.text(2), ack.first('MSA')?.text(3)]).toEqual([
    'AE',
    'C1',
    'No patient | here',
  ]);
  expect(ack.head.text(5)).toBe('KIS');
});

test('messages are found in whatever pieces they come, and what is no message is refused', () => {
  const two = Buffer.concat([framed(bytesOf('one')), framed(bytesOf('two'))]);
  fc.assert(
    fc.property(fc.array(fc.nat(two.length), { maxLength: 6 }), (cuts) => {
      const reader = new MllpReader();
      const places = [0, ...cuts.toSorted((a, b) => a - b), two.length];
      const found = places.flatMap((place, i) => [
        ...reader.read(two.subarray(place, places[i + 1] ?? place)),
      ]);
      expect(found.map(String)).toEqual(['one', 'two']);
    }),
  );
  expect(() => [...new MllpReader().read(Buffer.from('GET /'))]).toThrow(ConnectionError);
  expect(() => [
    ...new MllpReader().read(Buffer.concat([Buffer.from([0x0b]), Buffer.alloc(5 << 20)])),
  ]).toThrow(ConnectionError);
});

const RESULT: EcgResult = {
  controlId: 'abc.1',
  from: OWN,
  to: { application: 'KIS', facility: 'ANNA' },
  sentMs: 0,
  isSimulated: false,
  patient: { id: '4711', lastName: 'Weber' },
  orderNumber: '77',
  fillerNumber: 'abc',
  asked: undefined,
  startMs: 0,
  offsetMinutes: 0,
  approval: { isByPhysician: true, by: 'Dr. Lind', atMs: 0, offsetMinutes: 0 },
  status: 'approved',
  isCorrected: false,
  measurements: { heartRateBpm: 70 },
  warnings: [],
  statements: [],
  indications: [],
  pdf: bytesOf('%PDF-1.7'),
};

test.each([
  ['unread', 'P'],
  ['approved', 'F'],
  ['amended', 'C'],
] as const)('a reading that is %s is %s, in all of its parts', (status, code) => {
  const message = parseHl7(decodeHl7(writeHl7Result({ ...RESULT, status })));
  const states = message.segments.flatMap((segment) =>
    segment.name === 'OBR' ? [segment.text(25)] : segment.name === 'OBX' ? [segment.text(11)] : [],
  );
  expect(new Set(states)).toEqual(new Set([code]));
});

test('numbers come back with whoever gave them: of the patient, the visit, the order, and who asked', () => {
  const order = ORDER.replace('4711^^^ANNA^MR', '99^^^SSA&1.2.3&ISO^SS~4711^^^ANNA^MR').replace(
    /^ORC\|NW\|77/m,
    'PV1|1|O|||||||||||||||||V900^^^ANNA^VN\rORC|NW|77^KIS',
  );
  const [facts] = readHl7Orders(bytesOf(order)).orders;
  expect(facts?.asked).toMatchObject({
    orderIssuer: 'KIS',
    patientIds: [
      { id: '99', issuer: 'SSA&1.2.3&ISO', kind: 'SS' },
      { id: '4711', issuer: 'ANNA', kind: 'MR' },
    ],
    visit: { id: 'V900', issuer: 'ANNA', kind: 'VN' },
  });
  const result = parseHl7(decodeHl7(writeHl7Result({ ...RESULT, asked: facts?.asked })));
  expect(result.first('PID')?.raw(3)).toBe('99^^^SSA&1.2.3&ISO^SS~4711^^^ANNA^MR');
  expect(result.first('PV1')?.raw(19)).toBe('V900^^^ANNA^VN');
  expect([result.first('ORC')?.raw(2), result.first('OBR')?.raw(2)]).toEqual(['77^KIS', '77^KIS']);
  // Assigned to somebody else, the numbers of the order are another’s.
  const other = writeHl7Result({ ...RESULT, patient: { id: '5' }, asked: facts?.asked });
  expect(parseHl7(decodeHl7(other)).first('PID')?.raw(3)).toBe('5');
});
