// What a clinic sets of its reports: letterhead, layout, rhythm strips, gain; and every beat on paper.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { pt } from '../../../main/report/paper-size.ts';
import { makeReport } from '../../../main/report/report.ts';
import type { ReportInput } from '../../../main/report/report-input.ts';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import type { PaperGain } from '../../../shared/review/paper-gain.ts';
import type { Recording } from '../../../shared/signal/recording.ts';
import { madePng } from '../../support/made-png.ts';
import { overlapsOf, type ReadPage, readPdf } from '../../support/read-pdf.ts';
import { reportResources } from '../../support/report-resources.ts';
import { simulatedPatient } from '../../support/simulated-patient.ts';
import { toRecording } from '../../support/synthetic-recording.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';

const PATIENT = { lastName: 'Hoffmann', firstName: 'Anneliese', birthDate: '1951-03-14', id: '004817' };
const results = new Map<Recording, AnalysisResult>();

async function pagesOf(recording: Recording, change: Partial<ReportInput> = {}): Promise<ReadPage[]> {
  const result = results.get(recording) ?? analyse(recording, { patient: PATIENT });
  results.set(recording, result);
  const input: ReportInput = {
    recording,
    result,
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
  return readPdf(await makeReport(input, reportResources));
}

const twelveLead = toRecording(simulatedPatient({ rhythm: 'sinus', seconds: 10 }));
const halfHour = recordingFrom(join(dataFolder, 'wfdb', '100.hea'));
const premature = toRecording(simulatedPatient({ rhythm: 'pvc', seconds: 150 }));

/** Heights of the steps of each calibration pulse on the first page, in mm. */
function pulsesOf([page]: readonly ReadPage[]): number[][] {
  return page!.lines.flatMap((points) => {
    const isPulse = (points.length === 6 || points.length === 8) && points[1]![0] === points[2]![0];
    if (!isPulse) return [];
    const foot = points[0]![1];
    const heights = points.map(([, y]) => Math.abs(y - foot) / pt(1)).filter((height) => height > 0.01);
    return [[...new Set(heights.map((height) => Math.round(100 * height) / 100))]];
  });
}

const withGain = (gain: PaperGain) => ({
  corrections: [{ change: { kind: 'paperGain', gain } as const, by: 'Dr. Lind', atMs: 0 }],
});
const leadNames = (page: ReadPage): string[] =>
  page.boxes.map(({ text }) => text.trim()).filter((text) => /^(?:I{1,3}|aV[RLF]|V[1-6])(?: ½)?$/.test(text));
/** Counts on the paper: the table of leads names each once more. */
const timesOnPaper = (page: ReadPage, lead: string): number =>
  leadNames(page).filter((name) => name === lead).length - 1;

describe('the letterhead', () => {
  test('clinic and logo stand on the first page; the logo has the name as its words', async () => {
    const clinic = 'Harbour Street Clinic, 12 Harbour Street';
    const pages = await pagesOf(twelveLead, { clinic, logo: madePng(300, 60) });
    expect(pages[0]!.text).toContain(clinic);
    expect(pages[0]!.alts).toContain(clinic);
    expect(pages[1]!.text).not.toContain(clinic);
    expect((await pagesOf(twelveLead))[0]!.alts.some((alt) => /logo/i.test(alt))).toBe(false);
  });

  test('nothing lies over anything: long name, reason of a change, clinic and logo, upright and across', async () => {
    const approval = { kind: 'approved', by: 'Dr. Lind', atMs: 0, reason: 'V5 was noise' } as const;
    for (const recording of [twelveLead, halfHour]) {
      const [page] = await pagesOf(recording, {
        clinic: 'Harbour Street Clinic',
        logo: madePng(1000, 180),
        approval,
        indications: ['Chest pain since this morning', 'Fitness for diving'],
        patient: { ...PATIENT, lastName: 'von Weissenberger-Hohenthal', firstName: 'Johanna Katharina' },
      });
      expect(overlapsOf(page!.boxes)).toEqual([]);
      expect(page!.text).toContain('Changed: V5 was noise');
    }
  });
});

describe('twelve leads', () => {
  test('three rows of four with the rhythm strips that were set', async () => {
    const [usual] = await pagesOf(twelveLead);
    expect(['II', 'V1', 'V5'].map((lead) => timesOnPaper(usual!, lead))).toEqual([2, 2, 2]);
    const [other] = await pagesOf(twelveLead, { rhythmLeads: ['MDC_ECG_LEAD_AVF'] });
    expect(['II', 'aVF'].map((lead) => timesOnPaper(other!, lead))).toEqual([1, 2]);
    const none = await pagesOf(twelveLead, { rhythmLeads: [] });
    expect(pulsesOf(none)).toHaveLength(3);
  });

  test('six rows of two, each with its pulse, five seconds a lead', async () => {
    const pages = await pagesOf(twelveLead, { twelveLeads: '6x2' });
    expect(pulsesOf(pages)).toHaveLength(6);
    expect(leadNames(pages[0]!).filter((lead) => lead === 'V6')).toHaveLength(2);
    const traces = pages[0]!.lines.filter((points) => points.length > 1000);
    expect(traces).toHaveLength(12);
  });

  test.each([
    ['10', [10]],
    ['5', [5]],
    ['10/5', [10, 5]],
  ] as const)('gain %s: pulses, traces and words agree', async (gain, steps) => {
    const pages = await pagesOf(twelveLead, withGain(gain));
    for (const pulse of pulsesOf(pages).slice(0, 3)) expect(pulse).toEqual(steps);
    const usual = await pagesOf(twelveLead);
    const heights = ([page]: readonly ReadPage[]): number[] =>
      page!.lines
        .filter((points) => points.length > 1000)
        .map((points) => {
          const ys = points.map(([, y]) => y);
          return Math.max(...ys) - Math.min(...ys);
        });
    const ratios = heights(pages).map((height, i) => height / heights(usual)[i]!);
    const [limb, chest] = [1 / (gain === '5' ? 2 : 1), 1 / (gain === '10' ? 1 : 2)];
    // Twelve cells, row by row: I aVR V1 V4.
    for (const [i, ratio] of ratios.slice(0, 12).entries())
      expect(ratio).toBeCloseTo(i % 4 < 2 ? limb : chest, 3);
    expect(pages[0]!.text).toContain(
      { '10': '25 mm/s · 10 mm/mV ·', '5': '25 mm/s · 5 mm/mV', '10/5': 'chest leads (½) 5 mm/mV' }[gain],
    );
    expect(leadNames(pages[0]!).includes('V1 ½')).toBe(gain !== '10');
    expect(leadNames(pages[0]!).includes('I ½')).toBe(gain === '5');
  });

  test('waves of 6 mV leave the paper at 10 mm/mV, and stay on it at 5', async () => {
    const tall = toRecording(simulatedPatient({ rhythm: 'sinus', seconds: 10 }), (raw) => {
      for (const [i, value] of raw.entries()) raw[i] = 4 * value;
    });
    const marks = async (gain: PaperGain): Promise<number> =>
      (await pagesOf(tall, withGain(gain)))[0]!.boxes.filter(({ text }) => /^−?\d\.\d mV$/.test(text)).length;
    expect(await marks('10')).toBeGreaterThan(0);
    expect(await marks('5')).toBe(0);
  });

  test('leads without a scale keep their usual pulse and shape, whatever the gain', async () => {
    const uncalibrated: Recording = {
      ...twelveLead,
      channels: twelveLead.channels.map((channel) => ({ ...channel, isCalibrated: false })),
    };
    const [page] = await pagesOf(uncalibrated, withGain('5'));
    const pulses = pulsesOf([page!]);
    expect(pulses.length).toBeGreaterThan(0);
    for (const pulse of pulses) expect(pulse).toEqual([10]);
    expect(page!.text).toContain('not calibrated');
    expect(page!.text).not.toContain('½');
  });
});

describe('every beat on paper', () => {
  test('half an hour: a line a minute, all of it, on one page, with its rates', async () => {
    const pages = await pagesOf(halfHour, { isEveryBeat: true });
    expect(pages).toHaveLength(1);
    const traces = pages[0]!.lines.filter((points) => points.length > 100);
    expect(traces).toHaveLength(31);
    expect(pages[0]!.text).toContain('HOFFMANN');
    expect(pages[0]!.text).toContain('NOT APPROVED');
    expect(overlapsOf(pages[0]!.boxes)).toEqual([]);
  });

  test('each ventricular beat has its dot, and each minute its count', async () => {
    const [page] = await pagesOf(premature, { isEveryBeat: true });
    const result = results.get(premature)!;
    const perMinute = [0, 1, 2].map(
      (line) =>
        result.beats.filter(
          ({ sample, label }) =>
            label === 'V' && Math.floor(sample / result.recording.sampleRateHz / 60) === line,
        ).length,
    );
    const counts = [...page!.text.matchAll(/(?:\d+|–) · (\d+)$/gm)].map(([, count]) => count);
    expect(counts.map(Number)).toEqual(perMinute);
    expect(Math.max(...perMinute)).toBeGreaterThan(3);
  });

  test('the lowest and the highest sample of every step stay: a spike of one sample is seen', async () => {
    const spiked = toRecording(simulatedPatient({ rhythm: 'sinus', seconds: 70 }), (raw) => {
      raw[raw.length >> 1] = 4 * Math.max(...raw);
    });
    const [page] = await pagesOf(spiked, { isEveryBeat: true });
    const [line] = page!.lines.filter((points) => points.length > 100);
    const ys = line!.map(([, y]) => y);
    expect((Math.max(...ys) - Math.min(...ys)) / pt(1)).toBeGreaterThan(5);
  });
});
