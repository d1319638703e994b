import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { pt } from '../../../main/report/millimetres.ts';
import { makeReport, type ReportInput } from '../../../main/report/report.ts';
import { patientLine, startLine } from '../../../main/report/report-text.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import type { Recording } from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { dataFolder, projectRoot, recordingFrom } from '../../support/test-data.ts';

const fonts = {
  regular: readFileSync(join(projectRoot, 'main/report/fonts/LiberationSans-Regular.ttf')),
  bold: readFileSync(join(projectRoot, 'main/report/fonts/LiberationSans-Bold.ttf')),
};
const PATIENT = {
  lastName: 'Hoffmann',
  firstName: 'Anneliese',
  birthDate: '1951-03-14',
  gender: 'FEMALE',
  id: '004817',
} as const;

const results = new Map<Recording, AnalysisResult>();

function resultOf(recording: Recording): AnalysisResult {
  const result = results.get(recording) ?? analyse(recording, { patient: PATIENT });
  results.set(recording, result);
  return result;
}

function inputFor(recording: Recording, change: Partial<ReportInput> = {}): ReportInput {
  return {
    recording,
    result: resultOf(recording),
    patient: PATIENT,
    approval: { kind: 'preliminary' },
    createdMs: Date.UTC(2026, 10, 21),
    paper: 'A4',
    taskId: 12,
    productVersion: '0.1.0',
    ...change,
  };
}

const twelveLead = recordingFrom(join(dataFolder, 'wfdb', '1.hea'));
const twoLead = recordingFrom(join(dataFolder, 'wfdb', '100.hea'));

/** The drawing operators of the one page, as text. */
function contentOf(pdf: Uint8Array): string {
  const buffer = Buffer.from(pdf);
  const start = buffer.indexOf('stream\n') + 'stream\n'.length;
  return inflateSync(buffer.subarray(start, buffer.indexOf('endstream', start))).toString('latin1');
}

interface TextBox {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** The texts of the one page with the room that their letters take, in points. */
async function textBoxes(pdf: Uint8Array): Promise<{ boxes: TextBox[]; width: number; height: number }> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const page = await (await getDocument({ data: Uint8Array.from(pdf) }).promise).getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const boxes = items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [, , , size = 0, left = 0, base = 0] = item.transform as number[];
    return [{ text: item.str, left, right: left + item.width, bottom: base, top: base + 0.7 * size }];
  });
  return { boxes, width, height };
}

const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;

test('a gain that had to be assumed is said on paper, and only then', async () => {
  const contradicting = {
    ...twoLead,
    warnings: [warning('gains_contradict')],
  };
  const said = async (recording: Recording, language: 'en' | 'es'): Promise<boolean> => {
    const { boxes } = await textBoxes(await makeReport({ ...inputFor(recording), language }, fonts));
    return /Gain assumed: 1 .V|Ganancia supuesta: 1 .V/.test(boxes.map(({ text }) => text).join(' '));
  };
  expect(await said(contradicting, 'en')).toBe(true);
  expect(await said(contradicting, 'es')).toBe(true);
  expect(await said(twoLead, 'en')).toBe(false);
});

test.each([1, 4, 5, 6])('with %i statements, what was not assessed stays above the trace', async (count) => {
  const result = resultOf(twoLead);
  const statements = Array.from({ length: count }, () => result.statements[0]!);
  const notAssessed = (['AVBLOCK', 'ATRIA', 'PR', 'QT', 'CONDUCTION', 'ST', 'QWAVES', 'AXIS'] as const).map(
    (code, i) => ({ code, reason: i < 4 ? ('rhythm' as const) : ('leads' as const) }),
  );
  const { boxes } = await textBoxes(
    await makeReport(inputFor(twoLead, { result: { ...result, statements, notAssessed } }), fonts),
  );
  const first = boxes.findIndex(({ text }) => text.startsWith('Not assessed'));
  const [note, more] = [boxes[first]!, boxes[first + 1]!];
  expect(note.bottom - more.bottom, 'the note has two lines').toBeCloseTo(pt(3.4), 0);
  const top = Math.max(...boxes.map((box) => box.top));
  // The header is 45 mm high, and its first line stands a little below its top.
  expect(top - more.bottom).toBeLessThan(pt(44.2));
});

test('the trace stands in true millimetres: 25 mm a second, 10 mm a millivolt, to a part in a thousand', async () => {
  // One lead that is flat, but for a spike of 1 mV at 1 s and one of −1 mV at 9 s.
  const flat = twelveLeads({ leads: ['MDC_ECG_LEAD_II'], durationSeconds: 10, noiseUv: 0 });
  const spiked = toRecording(flat, (raw) => {
    raw.fill(0);
    raw[500] = 1000;
    raw[4500] = -1000;
  });
  const content = contentOf(await makeReport({ ...inputFor(twoLead), recording: spiked }, fonts));
  const points = [...content.matchAll(/(-?[\d.]+) (-?[\d.]+) l\b/g)].map(
    ([, x, y]) => [Number(x), Number(y)] as const,
  );
  // Vertices of a spike: what lies higher or lower than both of its neighbours by more than any pulse's foot
  // is wide.
  const spikes = points.flatMap(([x, y], i) => {
    const [before, after] = [points[i - 1], points[i + 1]];
    if (
      before === undefined ||
      after === undefined ||
      before[1] !== after[1] ||
      after[0] - before[0] > pt(0.2)
    )
      return [];
    const heightPt = before[1] - y;
    return Math.abs(heightPt) > pt(5) ? [{ x, heightPt }] : [];
  });
  expect(spikes).toHaveLength(2);
  const [up, down] = spikes as [(typeof spikes)[0], (typeof spikes)[0]];
  expect(Math.abs((down.x - up.x) / pt(8 * 25) - 1)).toBeLessThan(0.001);
  expect([Math.abs(up.heightPt / pt(10) - 1) < 0.001, Math.abs(down.heightPt / pt(-10) - 1) < 0.001]).toEqual(
    [true, true],
  );
});

test('the age is the one at the recording, not of today', () => {
  const patient = { birthDate: '1951-03-14' };
  expect(patientLine(patient, Date.UTC(2002, 5, 1))).toContain('51 y');
  expect(patientLine(patient, Date.UTC(2002, 2, 13))).toContain('50 y');
  expect(patientLine(patient)).not.toContain(' y');
  expect(patientLine({ ageYears: 51 }, Date.UTC(2026, 0, 1))).toContain('51 y');
});

describe('report', () => {
  test('draws the calibration pulse 10 mm high and 5 mm wide in every row', async () => {
    const content = contentOf(await makeReport(inputFor(twelveLead), fonts));
    const paths = [...content.matchAll(/([\d.]+) ([\d.]+) m\n((?:[\d.]+ [\d.]+ l\n){5})S/g)];
    expect(paths).toHaveLength(4);
    for (const path of paths) {
      const points = (path[3] as string)
        .trim()
        .split('\n')
        .map((line) => line.split(' ').slice(0, 2).map(Number) as [number, number]);
      const [foot, top, end] = [points[0]!, points[1]!, points[2]!];
      expect(Math.abs(top[1] - foot[1]) / pt(1)).toBeCloseTo(10, 2);
      expect((end[0] - top[0]) / pt(1)).toBeCloseTo(5, 2);
    }
  });

  test.each(['A4', 'Letter'] as const)(
    'has no text over another, and none outside of the %s page',
    async (paper) => {
      const { boxes, width, height } = await textBoxes(
        await makeReport(inputFor(twelveLead, { paper }), fonts),
      );
      expect(boxes.length).toBeGreaterThan(30);
      const covered = boxes.flatMap((a, i) =>
        boxes
          .slice(i + 1)
          .filter((b) => a.left < b.right && b.left < a.right && a.bottom < b.top && b.bottom < a.top)
          .map((b) => `${a.text} / ${b.text}`),
      );
      expect(covered).toEqual([]);
      const margin = 72 / 5;
      expect(
        boxes.filter(
          ({ left, right, bottom, top }) =>
            left < margin || right > width - margin || bottom < margin || top > height - margin,
        ),
      ).toEqual([]);
    },
  );

  test('gives the same bytes for the same input', async () => {
    const [a, b] = await Promise.all([
      makeReport(inputFor(twoLead), fonts),
      makeReport(inputFor(twoLead), fonts),
    ]);
    expect(Buffer.compare(a, b)).toBe(0);
  });

  test('holds no name in the document’s metadata', async () => {
    const text = Buffer.from(await makeReport(inputFor(twelveLead), fonts)).toString('latin1');
    expect(text).not.toContain('Hoffmann');
    expect(text).toContain('/PrintScaling /None');
  });

  test('draws letters of Latin, Greek and Cyrillic names, and survives any other', async () => {
    for (const lastName of [
      'Müller-Łukasz',
      'Παπαδόπουλος',
      'Иванова',
      'محمد',
      '山田',
      '(\\)%%EOF',
      '😀',
      '\u202Eevil',
    ]) {
      const pdf = await makeReport(inputFor(twoLead, { patient: { lastName } }), fonts);
      expect(Buffer.from(pdf).toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true);
    }
  });

  test.each(['A4', 'Letter'] as const)('has one page of %s with the same content', async (paper) => {
    const text = Buffer.from(await makeReport(inputFor(twelveLead, { paper }), fonts)).toString('latin1');
    expect(text).toContain(paper === 'A4' ? '841.889764 595.275591' : '792 612');
    expect(text.match(/\/Type \/Page\n/g)).toHaveLength(1);
  });

  describe.skipIf(!hasPoppler)('in poppler (left out where pdftotext and pdftoppm are not installed)', () => {
    test.each([
      ['preliminary', { kind: 'preliminary' } as const, 'NOT APPROVED'],
      ['automatic', { kind: 'automatic' } as const, 'not reviewed by a physician'],
      ['approved', { kind: 'approved', by: 'Dr. Keller', atMs: 0 } as const, 'Approved by Dr. Keller'],
    ])('shows the patient and that it is %s', async (_name, approval, words) => {
      await using folder = await tempFolder();
      const path = join(folder.path, 'a.pdf');
      writeFileSync(path, await makeReport(inputFor(twelveLead, { approval }), fonts));
      const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' });
      expect(text).toContain('HOFFMANN, Anneliese · 14 Mar 1951 · 75 y · female · ID 004817');
      expect(text).toContain(words);
      expect(text.includes('NOT APPROVED')).toBe(approval.kind === 'preliminary');
    });

    test('is in Spanish as a whole where that is asked, findings and all', async () => {
      await using folder = await tempFolder();
      const path = join(folder.path, 'a.pdf');
      writeFileSync(path, await makeReport(inputFor(twelveLead, { language: 'es' }), fonts));
      const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' });
      for (const words of [
        'SIN VALIDAR',
        '14 mar 1951 · 75 años · mujer',
        'Gravedad',
        'Frecuencia',
        'Bradicardia sinusal, 45/min',
        'El programa propone',
      ])
        expect(text).toContain(words);
      expect(text).not.toMatch(/Severity|female|Heart rate|Not assessed|recorded|rhythm/);
    });

    test('says what was not assessed, and not that anything is normal', async () => {
      await using folder = await tempFolder();
      const path = join(folder.path, 'a.pdf');
      writeFileSync(path, await makeReport(inputFor(twoLead), fonts));
      const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' });
      expect(text).toMatch(/Not assessed: .*ST segment and T, Q waves/);
      expect(text).not.toMatch(/normal|No finding/i);
    });

    test('renders the 1 mV pulse 10.0 ± 0.2 mm high, and the control line 50.0 ± 0.2 mm long', async () => {
      await using folder = await tempFolder();
      const path = join(folder.path, 'a.pdf');
      writeFileSync(path, await makeReport(inputFor(twelveLead), fonts));
      const dpi = 600;
      execFileSync('pdftoppm', ['-r', String(dpi), '-gray', '-singlefile', path, join(folder.path, 'page')]);
      const page = readPgm(readFileSync(join(folder.path, 'page.pgm')));
      const mm = (pixels: number): number => (pixels * 25.4) / dpi;
      const px = (millimetres: number): number => Math.round((millimetres * dpi) / 25.4);
      // The pulse stands 1.5 mm right of the ECG area's edge at 17.5 mm; lines are measured from middle to
      // middle.
      const top = middleOfLine(page, px(17.5 + 4), px(10 + 45), px(80));
      const foot = middleOfLine(page, px(17.5 + 0.7), px(10 + 45), px(80));
      expect(Math.abs(mm(foot - top) - 10)).toBeLessThanOrEqual(0.2);
      const y = [...Array(px(12)).keys()]
        .map((k) => px(190) + k)
        .find((row) => darkRun(page, row, px(17.5)) > px(45))!;
      expect(Math.abs(mm(darkRun(page, y, px(17.5))) - 50)).toBeLessThanOrEqual(0.3);
    });
  });
});

interface Grey {
  readonly width: number;
  readonly pixels: Buffer;
}

function readPgm(bytes: Buffer): Grey {
  const header = /^P5\s(\d+)\s(\d+)\s255\s/.exec(bytes.subarray(0, 40).toString('latin1'))!;
  return { width: Number(header[1]), pixels: bytes.subarray(header[0].length) };
}

const isDark = (page: Grey, x: number, y: number): boolean => (page.pixels[y * page.width + x] ?? 255) < 90;

/** Middle of the first dark stretch of a column, from above. */
function middleOfLine(page: Grey, x: number, from: number, to: number): number {
  let first = from;
  while (first < to && !isDark(page, x, first)) first++;
  let last = first;
  while (last < to && isDark(page, x, last + 1)) last++;
  if (first === to) throw new Error('no line there');
  return (first + last) / 2;
}

function darkRun(page: Grey, y: number, from: number): number {
  let x = from;
  while (!isDark(page, x, y) && x < from + 30) x++;
  const start = x;
  while (isDark(page, x, y)) x++;
  return x - start;
}

describe('words of a report', () => {
  test('a patient without name says so, a name keeps its ß', () => {
    expect(patientLine({})).toBe('Name not given');
    expect(patientLine({ lastName: 'Weiß', firstName: 'Jörg' })).toBe('Weiß, Jörg');
  });

  test.each([
    [undefined, undefined, 'Start time not recorded'],
    ['2026-11-21T14:32:11.000', undefined, '21 Nov 2026, 14:32:11 (zone not recorded)'],
    ['2026-11-21T14:32:11.000Z', 'Europe/Riga', '21 Nov 2026, 16:32:11 EET'],
    ['2026-11-21T14:32:11.000Z', undefined, '21 Nov 2026, 14:32:11 UTC'],
  ])('start %s in zone %s reads "%s"', (start, zone, words) => {
    expect(startLine(start, 0, zone)).toBe(words);
  });
});
