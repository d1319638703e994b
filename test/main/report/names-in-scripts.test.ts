// Names in the scripts of the world on paper: every letter is there, in the order in which it is read, and is read aloud and copied as
// it was written.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { makeReport } from '../../../main/report/report.ts';
import { lettersOf, runsOf, type ScriptFont } from '../../../main/report/script-runs.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import { readPdf } from '../../support/read-pdf.ts';
import { reportResources } from '../../support/report-resources.ts';
import { screenshotFolder } from '../../support/screenshot-folder.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

/** Last name, first name, and what stands for both on paper from left to right; digits are the same in all of them. */
const NAMES: readonly (readonly [script: string, last: string, first: string])[] = [
  ['Arabic', 'الأحمد', 'محمد عبد الله'],
  ['Hebrew', 'כהן', 'שָׂרָה'],
  ['Chinese', '李', '小龙'],
  ['Japanese', '山田', 'さくら'],
  ['Korean', '김', '민준'],
  ['Thai', 'ใจดี', 'สมชาย'],
  ['Hindi', 'शर्मा', 'श्री कृष्ण'],
  ['Cyrillic', 'Щербаков', 'Артём'],
  ['Greek', 'Παπαδόπουλος', 'Ιωάννης'],
  ['Vietnamese', 'Nguyễn', 'Thị Hồng Đào'],
  ['combining marks', 'Mu\u0308ller', 'Zoe\u0308'],
  ['64 letters', 'Wolfeschlegelsteinhausenbergerdorff', 'Hubert Blaine Adolph Charles'],
  ['one word', 'Suharto', ''],
  ['Georgian', 'ბერიძე', 'ნინო'],
  ['Armenian', 'Սարգսյան', 'Անի'],
  ['Amharic', 'ተስፋዬ', 'ሰላም'],
  ['Tamil', 'முருகன்', 'கவிதா'],
  ['Bengali', 'চক্রবর্তী', 'রবীন্দ্র'],
];

const recording = toRecording(twelveLeads({ durationSeconds: 10 }));
let result: AnalysisResult;
beforeAll(() => {
  result = analyse(recording, {});
  mkdirSync(screenshotFolder, { recursive: true });
});

const reportOf = (lastName: string, firstName: string, id = '004817'): Promise<Uint8Array> =>
  makeReport(
    {
      recording,
      result,
      corrections: [],
      patient: { lastName, firstName, id, birthDate: '1951-03-14' },
      approval: { kind: 'preliminary' },
      createdMs: Date.UTC(2026, 10, 21),
      paper: 'A4',
      taskId: 12,
      revision: 1,
      productVersion: '0.1.0',
    },
    reportResources,
  );

describe('a name on paper', () => {
  test.each(NAMES)('has every letter: %s', async (script, last, first) => {
    const pdf = await reportOf(last, first);
    writeFileSync(join(screenshotFolder, `name-${script.replace(/\s/g, '-')}.pdf`), pdf);
    const [page] = await readPdf(pdf);
    // Letters that are shaped together come back as they were written, whatever stands where; marks may come before their letter.
    const sorted = (text: string): string => [...text.normalize('NFKC').replace(/\s/g, '')].sort().join('');
    const shown = page!.boxes.filter(({ bottom }) => bottom > page!.heightPt - 60).map(({ text }) => text);
    const known = sorted(shown.join(''));
    for (const letter of new Set(sorted(last.toUpperCase() + first)))
      expect([script, known]).toEqual([script, expect.stringContaining(letter)]);
    expect(page!.text).not.toContain('?');
    expect(page!.text).not.toContain('cannot be printed');
  });

  test.each(['１２３４', '१२३४', '၁၂၃၄', '〇一二三', 'Ａ１２'])(
    'has the digits of its number, whatever they are: %s',
    async (id) => {
      const pdf = await reportOf('Hoffmann', 'A', id);
      const [page] = await readPdf(pdf);
      expect(page!.text).toContain(id.normalize('NFC'));
      expect(page!.text).not.toContain('?');
      // An empty box has no letter behind it: a font of another script is there for them.
      expect(Buffer.from(pdf).toString('latin1')).toMatch(/\/BaseFont \/[A-Z]{6}\+Noto/);
    },
  );

  test('that has a letter of no font says so', async () => {
    const [page] = await readPdf(await reportOf('𐎀𐎁', 'Ugarit'));
    expect(page!.text).toContain('?');
  });
});

describe('the runs of a line', () => {
  const arabic: ScriptFont = {
    name: 'a',
    letters: /\p{scx=Arab}/u,
    isFromRight: true,
    bytes: () => new Uint8Array(),
  };
  const runs = (text: string): string[] =>
    runsOf(text, (letter) => (arabic.letters.test(letter) ? arabic : undefined)).map(
      (run) => `${run.font?.name ?? '-'}:${run.text}`,
    );

  test('are one where all is Latin', () => {
    expect(runs('Hoffmann, Anneliese (14 Mar 1951)')).toEqual(['-:Hoffmann, Anneliese (14 Mar 1951)']);
  });

  test('stand from right to left where the first letter does', () => {
    expect(runs('محمد, علي')).toEqual(['a:علي', '-: ,', 'a:محمد']);
  });

  test('keep numbers and Latin words the right way round, and turn brackets', () => {
    expect(runs('محمد (12) MRI')).toEqual(['-:MRI', '-: (', '-:12', '-:) ', 'a:محمد']);
  });

  test('hand numbers of such a script to its font so that it turns them the right way round', () => {
    expect(runs('علی ۱۲۳')).toEqual(['a:۳۲۱', '-: ', 'a:علی']);
  });

  test('begin from the left where the first letter is Latin', () => {
    expect(runs('ID 7: محمد علي MRI')).toEqual(['-:ID 7: ', 'a:علي', '-: ', 'a:محمد', '-: MRI']);
  });

  test('never part a letter from its marks', () => {
    expect(lettersOf('שָׂרָה')).toHaveLength(3);
    expect(lettersOf('e\u0301a')).toEqual(['e\u0301', 'a']);
  });
});
