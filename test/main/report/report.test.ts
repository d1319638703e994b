// The report as paper: true millimetres, everything in its place, said in words, tagged, and the same every time.

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { pt } from '../../../main/report/paper-size.ts';
import { makeReport } from '../../../main/report/report.ts';
import type { ReportInput } from '../../../main/report/report-input.ts';
import { patientLine, startLine } from '../../../main/report/report-text.ts';
import { seededRandom } from '../../../main/signal/synthetic/random.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import type { Correction, MadeCorrection } from '../../../shared/review/corrections.ts';
import { INVALID_SAMPLE, type Recording } from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { overlapsOf, type ReadPage, readPdf } from '../../support/read-pdf.ts';
import { reportResources } from '../../support/report-resources.ts';
import { simulatedPatient } from '../../support/simulated-patient.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';

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
    corrections: [],
    patient: PATIENT,
    approval: { kind: 'preliminary' },
    createdMs: Date.UTC(2026, 10, 21),
    paper: 'A4',
    taskId: 12,
    revision: 1,
    productVersion: '0.1.0',
    ...change,
  };
}

const pdfOf = (recording: Recording, change: Partial<ReportInput> = {}): Promise<Uint8Array> =>
  makeReport(inputFor(recording, change), reportResources);
const pagesOf = async (recording: Recording, change: Partial<ReportInput> = {}): Promise<ReadPage[]> =>
  readPdf(await pdfOf(recording, change));
const textOf = async (recording: Recording, change: Partial<ReportInput> = {}): Promise<string> =>
  (await pagesOf(recording, change)).map(({ text }) => text).join('\n');
const made = (...changes: Correction[]): MadeCorrection[] =>
  changes.map((change) => ({ change, by: 'Dr. Lind', atMs: 0 }));

const twelveLead = recordingFrom(join(dataFolder, 'wfdb', '1.hea'));
const halfHour = recordingFrom(join(dataFolder, 'wfdb', '100.hea'));
const oneLead = toRecording(twelveLeads({ leads: ['MDC_ECG_LEAD_I'], durationSeconds: 30 }));
const premature = toRecording(simulatedPatient({ rhythm: 'pvc', seconds: 30 }));
const APPROVED = { kind: 'approved', by: 'Dr. Lind', atMs: Date.UTC(2026, 10, 21, 14, 43) } as const;

const hasPoppler = spawnSync('pdftotext', ['-v']).error === undefined;
const hasQpdf = spawnSync('qpdf', ['--version']).error === undefined;

describe('true millimetres', () => {
  test('25 mm a second, 10 mm a millivolt, to a part in a thousand', async () => {
    // One lead that is flat, but for a spike of 1 mV at 1 s and one of −1 mV at 9 s.
    const flat = twelveLeads({ leads: ['MDC_ECG_LEAD_II'], durationSeconds: 10, noiseUv: 0 });
    const spiked = toRecording(flat, (raw) => {
      raw.fill(0);
      raw[500] = 1000;
      raw[4500] = -1000;
    });
    const [page] = await readPdf(
      await makeReport({ ...inputFor(oneLead), recording: spiked }, reportResources),
    );
    const trace = page!.lines.find((points) => points.length === 5000)!;
    const [up, down] = [trace[500]!, trace[4500]!];
    const level = trace[0]![1];
    expect(Math.abs((down[0] - up[0]) / pt(8 * 25) - 1)).toBeLessThan(0.001);
    expect(Math.abs(Math.abs(up[1] - level) / pt(10) - 1)).toBeLessThan(0.001);
    expect(Math.abs(Math.abs(down[1] - level) / pt(10) - 1)).toBeLessThan(0.001);
    expect(Math.sign(up[1] - level)).toBe(-Math.sign(down[1] - level));
  });

  test.each([
    ['one lead in lines', ['MDC_ECG_LEAD_I']],
    ['twelve leads', undefined],
  ] as const)('no line is drawn over samples that are missing: %s', async (_name, leads) => {
    const gap = [4, 6] as const;
    const ecg = twelveLeads({ durationSeconds: 10, ...(leads !== undefined && { leads: [...leads] }) });
    const holed = toRecording(ecg, (raw) => raw.fill(INVALID_SAMPLE, gap[0] * 500, gap[1] * 500));
    const pages = await readPdf(await makeReport({ ...inputFor(holed), recording: holed }, reportResources));
    // A trace has many points; one step of it is a twentieth of a millimetre.
    const traces = pages.flatMap(({ lines }) => lines.filter((points) => points.length > 100));
    expect(traces.length).toBeGreaterThan(1);
    const widest = Math.max(
      ...traces.flatMap((points) => points.slice(1).map(([x], i) => x - (points[i]?.[0] ?? x))),
    );
    expect(widest).toBeLessThan(pt(1));
  });

  test.each([
    ['twelve leads', twelveLead, [5, 6]],
    ['one lead in lines', oneLead, [3]],
    ['half an hour', halfHour, [2]],
  ] as const)('a pulse of 1 mV and 200 ms in every row: %s', async (_name, recording, counts) => {
    const [page] = await pagesOf(recording);
    const pulses = page!.lines.filter(
      (points) => points.length === 6 && points[1]![0] === points[2]![0] && points[3]![0] === points[4]![0],
    );
    expect(counts).toContain(pulses.length);
    for (const points of pulses) {
      expect(Math.abs(points[2]![1] - points[1]![1]) / pt(1)).toBeCloseTo(10, 2);
      expect((points[3]![0] - points[2]![0]) / pt(1)).toBeCloseTo(5, 2);
    }
  });

  test.each([
    ['A4', 841.89, 595.28],
    ['Letter', 792, 612],
  ] as const)('the same content on %s', async (paper, widthPt, heightPt) => {
    const pages = await pagesOf(twelveLead, { paper });
    for (const page of pages) {
      expect(page.widthPt).toBeCloseTo(widthPt, 1);
      expect(page.heightPt).toBeCloseTo(heightPt, 1);
    }
    const a4 = await pagesOf(twelveLead);
    expect(pages.map(({ text }) => text)).toEqual(a4.map(({ text }) => text));
    const [dx, dy] = [
      pages[0]!.boxes[0]!.left - a4[0]!.boxes[0]!.left,
      pages[0]!.boxes[0]!.bottom - a4[0]!.boxes[0]!.bottom,
    ];
    for (const [i, box] of pages[0]!.boxes.entries()) {
      expect(box.left - a4[0]!.boxes[i]!.left).toBeCloseTo(dx, 1);
      expect(box.bottom - a4[0]!.boxes[i]!.bottom).toBeCloseTo(dy, 1);
    }
  });

  test.skipIf(!hasPoppler)(
    'on a 600 dpi raster: pulse 10.0 ± 0.1 mm, control line 50.0 ± 0.1 mm (left out where pdftoppm is not installed)',
    async () => {
      await using folder = await tempFolder();
      for (const paper of ['A4', 'Letter'] as const) {
        const path = join(folder.path, `${paper}.pdf`);
        writeFileSync(path, await pdfOf(twelveLead, { paper }));
        const dpi = 600;
        const left = paper === 'A4' ? 18.5 : 9.7;
        const topMm = paper === 'A4' ? 10 : 12.95;
        execFileSync('pdftoppm', ['-r', String(dpi), '-gray', '-singlefile', path, join(folder.path, paper)]);
        const page = readPgm(readFileSync(join(folder.path, `${paper}.pgm`)));
        const mm = (pixels: number): number => (pixels * 25.4) / dpi;
        const px = (millimetres: number): number => Math.round((millimetres * dpi) / 25.4);
        const paperTop = topMm + 55;
        // The pulse stands in the middle of ten millimetres; lines are measured from middle to middle.
        const top = middleOfLine(page, px(left + 5), px(paperTop + 2), px(paperTop + 60));
        const foot = middleOfLine(page, px(left + 0.7), px(paperTop + 2), px(paperTop + 60));
        expect(Math.abs(mm(foot - top) - 10), paper).toBeLessThanOrEqual(0.1);
        const y = [...Array(px(10)).keys()]
          .map((k) => px(topMm + 184) + k)
          .find((row) => darkRun(page, row, px(left)) > px(45))!;
        expect(Math.abs(mm(darkRun(page, y, px(left))) - 50), paper).toBeLessThanOrEqual(0.3);
      }
    },
  );
});

describe('everything in its place', () => {
  test.each([
    ['twelve leads', twelveLead, {}],
    [
      'twelve leads, approved after corrections',
      premature,
      { approval: { ...APPROVED, reason: 'V5 was noise' } },
    ],
    ['one lead', oneLead, {}],
    ['half an hour', halfHour, {}],
    ['half an hour, in Spanish', halfHour, { language: 'es' as const }],
    ['Letter, in Spanish', twelveLead, { paper: 'Letter' as const, language: 'es' as const }],
    ['nobody known', twelveLead, { patient: {} }],
  ])('no text over another, and none outside of the page: %s', async (_name, recording, change) => {
    for (const { boxes, widthPt, heightPt } of await pagesOf(recording, change)) {
      expect(boxes.length).toBeGreaterThan(15);
      expect(overlapsOf(boxes)).toEqual([]);
      const margin = pt(5);
      expect(
        boxes.filter(
          ({ left, right, bottom, top }) =>
            left < margin || right > widthPt - margin || bottom < margin || top > heightPt - margin,
        ),
      ).toEqual([]);
    }
  });

  test('tall traces: the rows make room, and what leaves the paper is marked with its value', async () => {
    const usual = twelveLeads({ durationSeconds: 10 });
    const recording = toRecording(usual, (raw) => {
      for (const [i, value] of raw.entries()) raw[i] = 6 * value;
    });
    const [page] = await pagesOf(recording);
    const paper = { top: pt(10 + 55), bottom: pt(10 + 55 + 125) };
    const traces = page!.lines.filter((points) => points.length > 500);
    const leaves = traces.some((points) => points.some(([, y]) => y < paper.top || y > paper.bottom));
    expect(leaves).toBe(/[−]?\d+\.\d mV/.test(page!.text));
  });

  test('recordings of any length have a report, as three rows and as lines of one lead', async () => {
    const whole = twelveLeads({ durationSeconds: 35 });
    for (const seconds of [1.3, 4.2, 7.1, 9.3, 9.52, 9.87, 21.7, 33.33])
      for (const leads of [12, 1]) {
        const samples = Math.round(seconds * whole.sampleRateHz);
        const samplesUv = whole.samplesUv.slice(0, leads).map((lead) => lead.slice(0, samples));
        const cut = { ...whole, leads: whole.leads.slice(0, leads), samplesUv };
        expect(await textOf(toRecording(cut))).toContain('HOFFMANN');
      }
  });

  test('every page shows the patient, the recording time and the page number', async () => {
    for (const recording of [twelveLead, halfHour, oneLead]) {
      const pages = await pagesOf(recording);
      for (const [i, { text }] of pages.entries()) {
        expect(text).toContain('HOFFMANN, Anneliese');
        expect(text).toContain('14 Mar 1951 · 75 y · female · ID 004817');
        expect(text).toContain(`page ${i + 1} of ${pages.length}`);
        expect(text).toContain('NOT APPROVED');
        expect(text).toMatch(/Start time not recorded|\d{2}:\d{2}:\d{2}/);
      }
    }
  });

  test('none of thirty statements is dropped: what has no room on the first page stands behind it', async () => {
    const result = resultOf(twelveLead);
    const statements = Array.from({ length: 30 }, (_, i) => ({
      ...result.statements[0]!,
      code: `FREE-${i + 1}`,
      text: `Statement number ${i + 1}`,
      values: undefined,
    })) as unknown as AnalysisResult['statements'];
    const pages = await pagesOf(twelveLead, { result: { ...result, statements } });
    expect(pages[0]!.text).toMatch(/and \d+ more on the following pages/);
    const behind = pages
      .slice(1)
      .map(({ text }) => text)
      .join('\n');
    for (const { text } of statements) expect(behind).toContain(text);
  });
});

describe('honest words', () => {
  test('normal only where that was stated; what was not assessed is said with its reason', async () => {
    const text = await textOf(halfHour);
    expect(text).toMatch(/Not assessed: .*ST segment and T, Q/);
    expect(text).not.toContain('Normal ECG');
    const result = resultOf(twelveLead);
    const normal = {
      ...result.statements[0]!,
      code: 'SUM-NORMAL',
      text: 'Normal ECG',
      values: {},
      severity: 'NONE',
    } as const;
    const said = async (change: Partial<AnalysisResult>): Promise<string> =>
      (await pagesOf(twelveLead, { result: { ...result, ...change } }))[0]!.text;
    expect(await said({ statements: [normal], severity: 'NONE' })).toContain('Normal ECG');
    const { severity: _severity, ...unjudged } = result;
    const [first] = await pagesOf(twelveLead, {
      result: { ...unjudged, statements: [{ ...result.statements[0]!, severity: 'LOW' }] },
    });
    expect(first!.text).toContain('Not assessed: signal too poor');
    expect(first!.text).not.toMatch(/Abnormal|Normal ECG/);
  });

  const longText = async (recording: Recording): Promise<string> => {
    const result = analyse(recording, { patient: PATIENT });
    return (await textOf(recording, { result })).replace(/\s+/g, ' ');
  };

  test('minutes of noise have no beats, pauses or fibrillation that could be said to be absent', async () => {
    const random = seededRandom(1);
    const text = await longText(
      toRecording(simulatedPatient({ rhythm: 'sinus', seconds: 90 }), (raw) => {
        for (let i = 0; i < raw.length; i++) raw[i] = Math.round(2000 * (random() - 0.5));
      }),
    );
    for (const name of ['Read', 'Ventricular beats', 'Longest R-R', 'Pauses', 'Atrial fibrillation'])
      expect(text).toContain(`${name} not assessed`);
    const sinus = await longText(toRecording(simulatedPatient({ rhythm: 'sinus', seconds: 90 })));
    expect(sinus).toContain('Pauses none');
    expect(sinus).toContain('Atrial fibrillation none');
  });

  test('a pacemaker hides early beats and fibrillation: their absence is not claimed', async () => {
    const text = await longText(toRecording(simulatedPatient({ rhythm: 'paced', seconds: 90 })));
    for (const name of ['Ventricular beats', 'Supraventricular beats', 'Atrial fibrillation'])
      expect(text).toContain(`${name} not assessed`);
  });

  test('the one episode that is shown of a kind says how many there are', async () => {
    const result = resultOf(halfHour);
    const episode = {
      code: 'VT',
      startSample: 72_000,
      endSample: 73_000,
      strip: [71_000, 74_600] as [number, number],
    } as const;
    const episodes: NonNullable<AnalysisResult['episodes']> = Array.from({ length: 34 }, (_, i) => ({
      ...episode,
      isBest: i === 20,
    }));
    const said = async (list: typeof episodes): Promise<string> =>
      textOf(halfHour, { result: { ...result, episodes: list } });
    expect(await said(episodes)).toMatch(/Ventricular run\s+1 of 34/);
    expect(await said(episodes.slice(20, 21))).not.toMatch(/1 of 1\s/);
  });

  test('a value that is missing has its reason beside its dash', async () => {
    const result = resultOf(oneLead);
    const {
      pMs: _p,
      prMs: _pr,
      qtMs: _qt,
      qtcFridericiaMs: _f,
      qtcBazettMs: _b,
      ...rest
    } = result.measurements;
    const [page] = await pagesOf(oneLead, { result: { ...result, measurements: rest } });
    expect(page!.text).toContain('no steady P wave');
    expect(page!.text).toContain('no clear T end');
    expect(page!.text).toContain('needs leads I and aVF');
  });

  test('who says so, and what was changed', async () => {
    const [first] = resultOf(premature).statements;
    const corrections = made(
      { kind: 'beat', sample: 900, label: 'N' },
      { kind: 'mark', name: 'tEnd', ms: 400 },
      { kind: 'rejected', code: first!.code, reason: 'Artefact' },
      { kind: 'stated', code: 'FREE-1', text: 'Hypothermia?', severity: 'IMPORTANT' },
    );
    const pages = await pagesOf(premature, { corrections, approval: APPROVED, revision: 2 });
    const text = pages.map((page) => page.text).join('\n');
    expect(text).toContain('Approved by Dr. Lind');
    expect(text).toContain(
      'Read by Dr. Lind; 1 correction of beats, 1 mark moved, 1 finding rejected, 1 finding added.',
    );
    expect(pages[0]!.text).toContain('Hypothermia?');
    expect(pages[0]!.text).toContain('Important');
    expect(text.replaceAll('\n', ' ')).toContain(`Rejected: ${first!.text} (Artefact, Dr. Lind).`);
    expect(text).toContain('version 2');
    expect(text).not.toContain('NOT APPROVED');
    expect(await textOf(premature, { approval: APPROVED })).toContain(
      'Read by Dr. Lind; the program suggested the same.',
    );
    expect(await textOf(premature, { approval: { kind: 'automatic' } })).toContain('Not read by a physician');
  });

  test('a gain that had to be assumed is said, and only then', async () => {
    const contradicting = { ...oneLead, warnings: [warning('gains_contradict')] };
    const said = async (recording: Recording, language: 'en' | 'es'): Promise<boolean> =>
      /Gain assumed: 1 .V|Ganancia supuesta: 1 .V/.test(
        (await pagesOf(recording, { language, result: resultOf(oneLead) }))[0]!.text,
      );
    expect(await said(contradicting, 'en')).toBe(true);
    expect(await said(contradicting, 'es')).toBe(true);
    expect(await said(oneLead, 'en')).toBe(false);
  });

  test('a long recording is told as a whole: numbers, episodes with their times, strips', async () => {
    const pages = await pagesOf(halfHour);
    const text = pages.map((page) => page.text).join('\n');
    for (const words of [
      '30 min 6 s',
      'The whole recording',
      '1 · Rhythm strip',
      '2 · Ventricular beat',
      'Longest R-R',
    ])
      expect(text).toContain(words);
    expect(text).toMatch(/Beats\n2\s272/);
    expect(pages[0]!.heightPt).toBeGreaterThan(pages[0]!.widthPt);
  });

  test('in Spanish as a whole where that is asked, findings and all', async () => {
    for (const recording of [twelveLead, halfHour]) {
      const text = await textOf(recording, { language: 'es' });
      for (const words of [
        'NO APROBADO',
        '14 mar 1951',
        '75 años · mujer',
        'ECG anormal',
        'El programa propone',
      ])
        expect(text).toContain(words);
      // Nothing is cut for want of room but how long a list goes on.
      expect(text).not.toMatch(/\p{L}…/u);
      expect(text).not.toMatch(
        /Severity|female|Heart rate|Not assessed|recorded|rhythm|Measurement|Usual|limit /,
      );
    }
  });

  test('who is not named is a recording with its number, without a birth date that says so', async () => {
    const text = await textOf(twelveLead, { patient: {} });
    expect(text).toContain('Name not given');
    expect(text).toContain('Birth date not known · Recording 12');
  });

  test('letters of Latin, Greek and Cyrillic names are drawn; others are said to be missing', async () => {
    for (const lastName of ['Müller-Łukasz', 'Παπαδόπουλος', 'Иванова'])
      expect(await textOf(oneLead, { patient: { lastName } })).toContain(lastName.toLocaleUpperCase('en'));
    const text = await textOf(oneLead, { patient: { lastName: '😀' } });
    expect(text).toContain('Letters marked ? cannot be printed');
    for (const lastName of ['(\\)%%EOF', '\u202Eevil'])
      expect(
        Buffer.from(await pdfOf(oneLead, { patient: { lastName } }))
          .toString('latin1')
          .trimEnd(),
      ).toMatch(/%%EOF$/);
  });
});

describe('the file', () => {
  test('the same bytes for the same input', async () => {
    for (const recording of [oneLead, halfHour])
      expect(Buffer.compare(await pdfOf(recording), await pdfOf(recording))).toBe(0);
  });

  test('the same bytes whether its fonts were read for it or for a report before it', async () => {
    await pdfOf(halfHour);
    const { regular, semiBold, bold, scripts, sRgb } = reportResources;
    const unread = {
      sRgb,
      scripts,
      regular: Uint8Array.from(regular),
      semiBold: Uint8Array.from(semiBold),
      bold: Uint8Array.from(bold),
    };
    const fresh = await makeReport(inputFor(twelveLead), unread);
    expect(Buffer.compare(await pdfOf(twelveLead), fresh)).toBe(0);
  });

  test('no name in the metadata; PDF 1.7, PDF/A-3b; viewers must not scale it', async () => {
    const text = Buffer.from(await pdfOf(twelveLead)).toString('latin1');
    expect(text).not.toContain('HOFFMANN');
    expect(text).toMatch(/^%PDF-1\.7/);
    expect(text).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(text).toContain('<pdfaid:conformance>B</pdfaid:conformance>');
    expect(text).toContain('/PrintScaling /None');
  });

  test.each([
    ['twelve leads', twelveLead],
    ['half an hour', halfHour],
    ['one lead', oneLead],
  ])('every text and picture has a tag, pictures have words: %s', async (_name, recording) => {
    const [first] = await pagesOf(recording);
    for (const tag of ['Document', 'H1', 'P', 'Table', 'TR', 'TH', 'TD', 'L', 'LI', 'Figure'])
      expect(first!.tags.get(tag), tag).toBeGreaterThan(0);
    expect(first!.alts.length).toBe(first!.tags.get('Figure'));
    for (const alt of first!.alts) expect(alt).toMatch(/ECG|recording|leads/);
  });

  test.skipIf(!hasPoppler)(
    'fonts are embedded and their text can be read (left out without poppler)',
    async () => {
      await using folder = await tempFolder();
      const path = join(folder.path, 'a.pdf');
      writeFileSync(path, await pdfOf(twelveLead));
      const fonts = execFileSync('pdffonts', [path], { encoding: 'utf8' }).trim().split('\n').slice(2);
      expect(fonts.length).toBe(3);
      for (const line of fonts) expect(line).toMatch(/\+Inter-(Regular|SemiBold|Bold) .* yes yes yes/);
      expect(
        execFileSync('pdfimages', ['-list', path], { encoding: 'utf8' }).trim().split('\n'),
      ).toHaveLength(2);
      const text = execFileSync('pdftotext', ['-layout', path, '-'], { encoding: 'utf8' });
      expect(text).toContain('HOFFMANN, Anneliese');
      expect(text).toContain('NOT APPROVED');
    },
  );

  test.skipIf(!hasQpdf)('qpdf finds nothing wrong (left out without qpdf)', async () => {
    await using folder = await tempFolder();
    for (const [i, recording] of [twelveLead, halfHour, oneLead].entries()) {
      const path = join(folder.path, `${i}.pdf`);
      writeFileSync(path, await pdfOf(recording));
      expect(execFileSync('qpdf', ['--check', path], { encoding: 'utf8' })).toContain('No syntax or stream');
    }
  });
});

test('the age is the one at the recording, not of today; of small children in months and days', () => {
  const patient = { birthDate: '1951-03-14' };
  expect(patientLine(patient, Date.UTC(2002, 5, 1))).toContain('51 y');
  expect(patientLine(patient, Date.UTC(2002, 2, 13))).toContain('50 y');
  expect(patientLine(patient)).not.toContain(' y');
  expect(patientLine({ ageYears: 51 }, Date.UTC(2026, 0, 1))).toContain('51 y');
  const child = { birthDate: '2025-09-20' };
  expect(patientLine(child, Date.UTC(2025, 8, 29))).toContain('9 days');
  expect(patientLine(child, Date.UTC(2026, 10, 21))).toContain('14 months');
  expect(patientLine(child, Date.UTC(2027, 8, 20))).toContain('2 y');
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
