// GDT, made by hand after its description, in every character set that practice systems write.

import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../main/formats/gdt/character-sets.ts';
import { type GdtRequest, readGdtRequest, writeGdtResult } from '../../../main/formats/gdt/gdt.ts';
import { readGdtLines } from '../../../main/formats/gdt/gdt-lines.ts';
import { seededRandom } from '../../../main/signal/synthetic/random.ts';
import { CHARACTER_SETS, type CharacterSet } from '../../../shared/character-set.ts';

const LINES = [
  ['8000', '6302'],
  ['8316', 'PRAXIS_1'],
  ['9218', '02.10'],
  ['3000', '004817'],
  ['3101', 'Müller-Lukasz'],
  ['3102', 'Zoë'],
  ['3103', '14031951'],
  ['3110', '2'],
  ['3622', '162'],
  ['3623', '68,4'],
  ['8310', 'A-77'],
  ['8402', 'EKG01'],
] as const;

const sentences = ({ warnings }: GdtRequest): string[] => warnings.map(({ message }) => message);

/** By the description alone: what our own writer does has no part in it. */
function gdt(lines: readonly (readonly [string, string])[], characterSet: CharacterSet): Uint8Array {
  return Buffer.concat(
    lines.map(([id, value]) => {
      const bytes = encodeText(value, characterSet);
      return Buffer.concat([
        Buffer.from(`${String(bytes.length + 9).padStart(3, '0')}${id}`),
        bytes,
        Buffer.from('\r\n'),
      ]);
    }),
  );
}

const PATIENT = {
  id: '004817',
  lastName: 'Müller-Lukasz',
  firstName: 'Zoë',
  birthDate: '1951-03-14',
  gender: 'FEMALE',
  heightCm: 162,
  weightG: 68_400,
};

describe('a request that another program has been at', () => {
  const plain = gdt(LINES, 'iso-8859-1');
  const asked = (bytes: Uint8Array): GdtRequest => readGdtRequest(bytes);

  test.each([
    ['with the mark of UTF-8', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), gdt(LINES, 'utf-8')])],
    ['with the end of a DOS file', Buffer.concat([plain, Buffer.from([0x1a])])],
    ['filled up with NULs', Buffer.concat([plain, Buffer.alloc(100)])],
    ['with a blank last line', Buffer.concat([plain, Buffer.from('   \r\n')])],
    [
      'as patient data (6301)',
      gdt(
        LINES.map(([id, value]) => [id, value === '6302' ? '6301' : value]),
        'iso-8859-1',
      ),
    ],
  ])('%s is read as it was meant', (_, bytes) => {
    expect(asked(bytes)).toMatchObject({ patient: PATIENT, orderNumber: 'A-77', warnings: [] });
  });

  test.each([
    ['2', 'iso-8859-1'],
    ['2', 'utf-8'],
    ['3', 'utf-8'],
    ['5', 'iso-8859-1'],
    ['5', 'cp437'],
  ] as const)('says the set %s and is in %s: its letters count, and are in doubt', (code, set) => {
    const request = asked(gdt([...LINES, ['9206', code]], set));
    expect(request.patient).toEqual(PATIENT);
    expect(request.warnings.map((one) => one.code)).toContain('letters_suspicious');
  });

  test.each([
    ['3622', '1,72', { heightCm: 172 }, 'height_in_metres'],
    ['3623', '68400', { weightG: 68_400 }, 'weight_in_grams'],
  ])('field %s of %s is in the other unit, which is said', (field, value, patient, code) => {
    const request = asked(
      gdt(
        LINES.map(([id, own]) => [id, id === field ? value : own]),
        'iso-8859-1',
      ),
    );
    expect(request.patient).toMatchObject(patient);
    expect(request.warnings.map((one) => one.code)).toEqual([code]);
  });
});

describe('a request', () => {
  test.each(CHARACTER_SETS)('in %s is whom and what it asks for', (characterSet) => {
    expect(readGdtRequest(gdt(LINES, characterSet), characterSet)).toEqual({
      patient: PATIENT,
      orderNumber: 'A-77',
      examination: 'EKG01',
      sender: 'PRAXIS_1',
      characterSet,
      warnings: [],
    });
  });

  test.each([
    ['2', 'cp437'],
    ['3', 'iso-8859-1'],
    ['4', 'iso-8859-15'],
    ['5', 'utf-8'],
  ] as const)('says itself by %s that it is in %s', (code, characterSet) => {
    const request = readGdtRequest(gdt([...LINES, ['9206', code]], characterSet));
    expect([request.characterSet, request.patient.lastName]).toEqual([characterSet, 'Müller-Lukasz']);
  });

  test('letters of another alphabet come whole in UTF-8', () => {
    const { patient } = readGdtRequest(
      gdt(
        [
          ['8000', '6302'],
          ['3101', 'Łukasz Сидоров'],
        ],
        'utf-8',
      ),
      'utf-8',
    );
    expect(patient.lastName).toBe('Łukasz Сидоров');
  });

  test('in the wrong set is called suspicious where that can be seen', () => {
    const wrong = readGdtRequest(gdt(LINES, 'iso-8859-1'), 'utf-8');
    expect(sentences(wrong)).toEqual([
      'Some letters cannot be right: choose the character set of the practice system.',
    ]);
    expect(readGdtRequest(gdt(LINES, 'cp437'), 'iso-8859-1').warnings).toHaveLength(1);
  });

  test('is read where its lengths are wrong, its lines end in LF, or values are missing or odd', () => {
    const text = '0138000 6302\n0143103 30021951\n0103101 Meier\n01031103\n';
    const request = readGdtRequest(Buffer.from(text.replaceAll(' ', '')));
    expect(request.patient).toEqual({ lastName: 'Meier' });
    expect(sentences(request)).toEqual([
      'The date of birth "30021951" is no day.',
      'The length of 2 lines is not what they say.',
    ]);
  });

  test.each([
    ['nothing', ''],
    ['text', 'Dear doctor,\r\n'],
    ['a result', '01380006310\r\n'],
    ['a damaged line', '01380006302\r\nxx\r\n'],
  ])('%s is refused in a sentence', (_, text) => {
    expect(() => readGdtRequest(Buffer.from(text))).toThrow(/GDT/);
  });

  test('no bytes make it throw anything else', () => {
    const random = seededRandom(9);
    const good = gdt(LINES, 'cp850');
    for (let n = 0; n < 20_000; n++) {
      const bytes = Uint8Array.from(good);
      for (let k = 0; k < 1 + random() * 4; k++)
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      try {
        readGdtRequest(bytes.subarray(0, Math.ceil(random() * bytes.length)));
      } catch (error) {
        expect(error).toMatchObject({ reason: 'unsupported_format' });
      }
    }
  });
});

describe('a result', () => {
  test.each(CHARACTER_SETS)('in %s has right lengths and says whom, when and what', (characterSet) => {
    const bytes = writeGdtResult(
      {
        patient: { ...PATIENT, gender: 'FEMALE' },
        orderNumber: 'A-77',
        examination: 'EKG01',
        sender: 'ISOLINE',
        receiver: 'PRAXIS_1',
        date: '2026-11-22',
        time: '14:32:11',
        lines: ['Sinus rhythm', 'Zoë: no finding'],
        report: { path: 'C:\\gdt\\17.pdf', description: 'ECG' },
      },
      characterSet,
    );
    const { fields, wrongLengths } = readGdtLines(bytes, characterSet);
    expect(wrongLengths).toEqual([]);
    const values = fields.map(({ id, value }) => `${id} ${value}`);
    expect(values).toEqual(
      expect.arrayContaining([
        '8000 6310',
        '3101 Müller-Lukasz',
        '3103 14031951',
        '3110 2',
        '3623 68.4',
        '8310 A-77',
        '8432 22112026',
        '8439 143211',
        '6228 Zoë: no finding',
        '6305 C:\\gdt\\17.pdf',
      ]),
    );
    expect(Number(fields.find(({ id }) => id === '8100')?.value)).toBe(bytes.length);
  });
});

describe('a request that does not say its character set', () => {
  const file = (name: string, set: CharacterSet): Uint8Array =>
    Buffer.concat(
      [
        ['8000', '6302'],
        ['3101', name],
      ].map(([id, value]) => {
        const bytes = encodeText(value!, set);
        return Buffer.concat([
          Buffer.from(`${String(bytes.length + 9).padStart(3, '0')}${id}`),
          bytes,
          Buffer.from('\r\n'),
        ]);
      }),
    );

  test.each([
    ['Müller', 'iso-8859-1'],
    ['Müller', 'cp437'],
    ['Müller', 'utf-8'],
    ['Núñez Peña', 'iso-8859-1'],
    ['Núñez Peña', 'cp437'],
    ['Groß-Lüdke', 'iso-8859-1'],
    ['Groß-Lüdke', 'cp437'],
    ['Smith', 'cp437'],
  ] as const)('is read by its letters: %s in %s', (name, set) => {
    const { patient, warnings } = readGdtRequest(file(name, set));
    expect(patient.lastName).toBe(name);
    expect(warnings).toEqual([]);
  });

  test('asks where its letters do not settle it: ß of DOS is á of ISO', () => {
    expect(sentences(readGdtRequest(file('Groß', 'cp437')))).toEqual([
      'Some letters cannot be right: choose the character set of the practice system.',
    ]);
  });
});
