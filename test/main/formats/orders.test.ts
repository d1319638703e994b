// Orders as practice systems write them: GDT and tables, in every character set, and what is wrong with some
// of them.

import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../main/formats/gdt/character-sets.ts';
import { type ReadOrders, readOrders } from '../../../main/formats/orders/read-orders.ts';
import { CHARACTER_SETS } from '../../../shared/character-set.ts';

const NOW_MS = Date.UTC(2026, 10, 22);
const context = { characterSet: 'auto', dateOrder: 'dayFirst', nowMs: NOW_MS } as const;
const table = (text: string, more: object = {}) => readOrders(Buffer.from(text), { ...context, ...more });

const sentences = ({ orders }: ReadOrders) =>
  orders[0]?.warnings.map((warning) => (typeof warning === 'string' ? warning : warning.message));

describe('a table', () => {
  test.each([
    [
      'English, commas',
      'Patient ID,Last name,First name,Date of birth,Sex,Height,Weight,Order,Time,Indication\n',
      ',',
    ],
    [
      'German, semicolons',
      'Patientennr.;Nachname;Vorname;Geburtsdatum;Geschlecht;Größe;Gewicht;Auftrag;Uhrzeit;Indikation\r\n',
      ';',
    ],
    [
      'Spanish, tabulators',
      'NHC\tApellidos\tNombre\tFecha de nacimiento\tSexo\tTalla\tPeso\tPetición\tHora\tMotivo\n',
      '\t',
    ],
  ])('%s', (_name, titles, delimiter) => {
    const row = [
      '004817',
      'Müller-Lukasz',
      'Zoë',
      '14.3.1951',
      'f',
      '162',
      '68,4',
      'A-77',
      '14:30',
      'Chest pain|Syncope',
    ];
    const quoted = row.map((field) => (field.includes(delimiter) ? `"${field}"` : field)).join(delimiter);
    expect(table(titles + quoted)).toEqual({
      characterSet: 'utf-8',
      orders: [
        {
          format: 'csv',
          patient: {
            id: '004817',
            lastName: 'Müller-Lukasz',
            firstName: 'Zoë',
            birthDate: '1951-03-14',
            gender: 'FEMALE',
            heightCm: 162,
            weightG: 68_400,
          },
          orderNumber: 'A-77',
          time: '14:30',
          indications: ['Chest pain', 'Syncope'],
          warnings: [],
        },
      ],
    });
  });

  test.each(CHARACTER_SETS)('in %s keeps its letters', (characterSet) => {
    const bytes = encodeText('name;vorname\nMüller-Lukasz;Zoë\n', characterSet);
    expect(readOrders(bytes, { ...context, characterSet }).orders[0]?.patient).toEqual({
      lastName: 'Müller-Lukasz',
      firstName: 'Zoë',
    });
  });

  test('the letter that ISO 8859-15 and UTF-8 have and CP437 has not is right where the set is right', () => {
    for (const set of ['utf-8', 'iso-8859-15'] as const)
      expect(
        readOrders(encodeText('name;vorname\nŠimek;Zoë\n', set), { ...context, characterSet: set }).orders[0]
          ?.patient.lastName,
      ).toBe('Šimek');
  });

  test('letters of the wrong set are said to be odd', () => {
    const bytes = encodeText('name;vorname\nMüller;Zoë\n', 'cp437');
    expect(sentences(readOrders(bytes, { ...context, characterSet: 'iso-8859-1' }))).toEqual([
      'Some letters cannot be right: choose the character set of the practice system.',
    ]);
  });

  test('without a set, what is no UTF-8 is of western Europe', () => {
    expect(readOrders(encodeText('name\nMüller\n', 'iso-8859-15'), context)).toMatchObject({
      characterSet: 'iso-8859-15',
      orders: [{ patient: { lastName: 'Müller' } }],
    });
  });

  test('which number is the day is as it is set where both could be', () => {
    const births = (['dayFirst', 'monthFirst'] as const).map(
      (dateOrder) => table('name,dob\nA,03/04/1951\n', { dateOrder }).orders[0]?.patient.birthDate,
    );
    expect(births).toEqual(['1951-04-03', '1951-03-04']);
  });

  test('a row that names nobody is told by its line, the others are orders; what cannot be read of one is said', () => {
    const read = table('Last name,DOB,Sex,Height\nHoffmann,31.2.1951,?,tall\n\n,1.1.1960,m,170\nOkafor,,,\n');
    expect(read.orders.map(({ patient }) => patient)).toEqual([
      { lastName: 'Hoffmann' },
      { lastName: 'Okafor' },
    ]);
    expect(sentences(read)).toEqual([
      'The date of birth "31.2.1951" is no day.',
      'The sex "?" is not known.',
      'The height "tall" is no number of centimetres.',
    ]);
    expect(read.trouble).toBe('No name and no patient ID in line 4.');
  });

  test.each([
    ['no column of ours', 'colour,size\nred,3\n', /has no column for the last name or the patient ID/],
    ['an open quote', 'name\n"Hoffmann\n', /The table cannot be read/],
    ['a picture', '\u0089PNG\r\n\u001a\n\u0000\u0000', /neither GDT nor HL7 nor a text table/],
    ['a GDT that is a result', '01380006310\r\n', /no request of an examination/],
    ['a GDT without a patient', '01380006302\r\n', /names no patient/],
    ['too many rows', `name\n${'A\n'.repeat(2001)}`, /more than 2000 rows/],
    ['too large', `name\n${'A'.repeat(1 << 20)}`, /larger than 1 MB/],
  ])('%s is refused in one sentence', (_name, text, message) => {
    expect(() => table(text)).toThrow(
      expect.objectContaining({ reason: 'unsupported_format', message: expect.stringMatching(message) }),
    );
  });
});

const hl7 = (id: string, name: string, orc: string): string =>
  [
    `MSH|^~\\&|KIS|ANNA|ISOLINE||20261125083000||ORM^O01|${id}|P|2.5.1||||||UNICODE UTF-8`,
    `PID|1||4711^^^ANNA^MR||${name}^Zoë||19510314|F`,
    orc,
    'OBR|1|||EKG12^ECG 12 leads',
    '',
  ].join('\r');

describe('HL7 in a file', () => {
  const one = hl7('1', 'Müller', 'ORC|NW|A1');
  test.each([
    ['one message', one],
    ['lines of another system', one.replaceAll('\r', '\r\n')],
    ['a mark of UTF-8 before it', `\ufeff${one}`],
    ['the frame of MLLP', `\u000b${one}\u001c\r`],
    ['a note that names a head', `${one}NTE|1||see MSH|9\r`],
    ['a batch', `FHS|^~\\&|KIS\rBHS|^~\\&|KIS\r${one}BTS|1\rFTS|1\r`],
  ])('%s is read as orders, with every letter', (_what, text) => {
    expect(table(text)).toMatchObject({
      orders: [
        {
          format: 'hl7',
          orderNumber: 'A1',
          patient: { id: '4711', lastName: 'Müller', firstName: 'Zoë' },
          examination: 'ECG 12 leads',
        },
      ],
    });
    expect(table(text).trouble).toBeUndefined();
  });

  test('several messages count in their order; a faulty one is told, and keeps no other back', () => {
    const read = table(
      [
        hl7('1', 'Müller', 'ORC|NW|A1'),
        hl7('2', 'Weber', 'ORC|NW|A2'),
        hl7('3', 'Roe', 'ORC|ZZ|A3'),
        hl7('4', 'Müller', 'ORC|CA|A1'),
      ].join(''),
    );
    expect(read.orders.map(({ orderNumber }) => orderNumber)).toEqual(['A2']);
    expect(read.messages?.map(({ ended }) => ended.map(({ number }) => number))).toEqual([[], [], ['A1']]);
    expect(read.trouble).toBe('Message 3: The order control ZZ (ORC-1) is not taken here.');
  });

  test('what is asked for twice in a file is one order; more orders than a clinic has are refused', () => {
    expect(table(one + one).orders).toHaveLength(1);
    const many = hl7('1', 'Müller', Array.from({ length: 2001 }, (_, i) => `ORC|NW|A${i}`).join('\r'));
    expect(() => table(many)).toThrow(/more than 2000 orders/);
  });

  test('many faulty ones are told in few words; more than a clinic has are refused', () => {
    const { trouble = '' } = table('MSH|\r'.repeat(500));
    expect(trouble).toMatch(/^Message 1: .* 497 more messages cannot be read\.$/);
    expect(() => table('MSH|\r'.repeat(2001))).toThrow(/more than 2000 messages/);
    expect(table('FHS|^~\\&|KIS\r').trouble).toBe('The file holds no message (MSH).');
  });
});

describe('tables that are meant to cost time', () => {
  test.each([
    ['a megabyte of semicolons', ';'.repeat((1 << 20) - 1)],
    ['a line of a megabyte', `name;${'x'.repeat((1 << 20) - 20)}\n`],
    ['a field that is never closed', `name;"${'x;'.repeat(500_000)}`],
    ['two hundred thousand columns', `name${';a'.repeat(200_000)}\nMüller\n`],
    ['rows of thousands of columns', `name\n${`${'a;'.repeat(5000)}\n`.repeat(100)}`],
  ])('%s are refused in the time of an ordinary table', (_name, text) => {
    const ordinary = `name;vorname\n${'Müller;Zoë\n'.repeat(1999)}`;
    const took = (read: () => unknown): number => {
      const startMs = performance.now();
      read();
      return performance.now() - startMs;
    };
    const usual = Math.max(...[0, 1, 2].map(() => took(() => table(ordinary))));
    const bomb = Math.min(
      ...[0, 1, 2].map(() =>
        took(() => expect(() => table(text)).toThrow(/columns|longer lines|cannot be read/)),
      ),
    );
    expect(bomb).toBeLessThan(10 * usual);
  });
});
