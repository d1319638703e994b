import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { rateSeverity } from '../../../main/analysis/rules/rhythm-rules.ts';
import { isBeat, parseWfdbAnnotations } from '../../../main/formats/wfdb/wfdb-annotations.ts';
import type { SyntheticEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { type AnalysisResult, AnalysisResultSchema } from '../../../shared/analysis-result.ts';
import { matchLead } from '../../../shared/signal/lead.ts';
import { INVALID_SAMPLE, readMillivolts } from '../../../shared/signal/recording.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { dataFolder, recordingFrom, shelfFolder } from '../../support/test-data.ts';

/** Pairs found and true beats within 150 ms, as EC57 does. */
function score(
  found: readonly number[],
  truth: readonly number[],
  fs: number,
): { missed: number; extra: number } {
  const near = (a: readonly number[], b: number): boolean =>
    a.some((value) => Math.abs(value - b) <= 0.15 * fs);
  return {
    missed: truth.filter((sample) => !near(found, sample)).length,
    extra: found.filter((sample) => !near(truth, sample)).length,
  };
}

const codes = (result: AnalysisResult): string[] => result.statements.map((statement) => statement.code);

test.each([48, 84])('the corrected QT at %i/min follows the four formulas', (heartRateBpm) => {
  const { measurements } = analyse(toRecording(twelveLeads({ heartRateBpm, noiseUv: 0 })));
  const [qt, rr] = [measurements.qtMs!, measurements.rrMs! / 1000];
  expect(Math.abs(rr - 60 / heartRateBpm)).toBeLessThan(0.005);
  const expected = [qt / rr ** (1 / 2), qt / rr ** (1 / 3), qt + 154 * (1 - rr), qt + 1.75 * (60 / rr - 60)];
  const { qtcBazettMs, qtcFridericiaMs, qtcFraminghamMs, qtcHodgesMs } = measurements;
  for (const [i, value] of [qtcBazettMs, qtcFridericiaMs, qtcFraminghamMs, qtcHodgesMs].entries())
    expect(Math.abs(value! - expected[i]!)).toBeLessThanOrEqual(1);
});

describe('analysis of record 100', () => {
  const result = analyse(recordingFrom(join(dataFolder, 'wfdb', '100.hea')));

  test('finds 2273 ± 5 beats where the annotators found them', () => {
    const parsed = parseWfdbAnnotations(readFileSync(join(dataFolder, 'wfdb', '100.atr')));
    const truth = parsed.ok ? parsed.annotations.filter(isBeat).map((annotation) => annotation.sample) : [];
    expect(Math.abs(result.beats.length - 2273)).toBeLessThanOrEqual(5);
    const { missed, extra } = score(
      result.beats.map((beat) => beat.sample),
      truth,
      360,
    );
    expect(missed + extra).toBeLessThanOrEqual(5);
  });

  test('gives a heart rate of 75 ± 2', () => {
    expect(Math.abs(result.measurements.heartRateBpm! - 75)).toBeLessThanOrEqual(2);
  });

  test('labels its one ventricular beat, at most one other as such, and most of its 33 atrial ones', () => {
    const ventricular = result.beats.filter((beat) => beat.label === 'V').map(({ sample }) => sample);
    expect(ventricular.some((sample) => Math.abs(sample - 546_792) < 18)).toBe(true);
    expect(ventricular.length).toBeLessThanOrEqual(2);
    expect(result.beats.filter((beat) => beat.label === 'S').length).toBeGreaterThanOrEqual(28);
  });

  test('measures no axis: its leads are modified ones', () => {
    expect(result.measurements.qrsAxisDeg).toBeUndefined();
  });

  test('obeys its schema', () => {
    expect(Compile(AnalysisResultSchema).Errors(result)).toEqual([]);
  });
});

describe('analysis of synthetic ECGs', () => {
  test('measures intervals of a normal beat within the limits of IEC 60601-2-25 for calibration ECGs, doubled', () => {
    const { measurements } = analyse(toRecording(twelveLeads()));
    // Truth: P 100, PR 160, QRS 92, QT 390 ms. The tangent's T end lies before the foot of a rounded wave by
    // design.
    expect(Math.abs(measurements.pMs! - 100)).toBeLessThanOrEqual(20);
    expect(Math.abs(measurements.prMs! - 160)).toBeLessThanOrEqual(16);
    expect(Math.abs(measurements.qrsMs! - 92)).toBeLessThanOrEqual(12);
    expect(Math.abs(measurements.qtMs! - 390)).toBeLessThanOrEqual(24);
  });

  test.each([30, 45, 60, 75, 100, 150, 200])('finds a rate of %i/min within 1 %%', (heartRateBpm) => {
    const qtMs = Math.min(390, (0.6 * 60_000) / heartRateBpm);
    const { measurements } = analyse(toRecording(twelveLeads({ heartRateBpm, beat: { qtMs, prMs: 120 } })));
    expect(Math.abs(measurements.heartRateBpm! - heartRateBpm)).toBeLessThanOrEqual(
      Math.max(1, 0.01 * heartRateBpm),
    );
  });

  test.each([
    ['everywhere', () => true],
    ['in its second half', (i: number, count: number) => i > count / 2],
    ['in its last third', (i: number, count: number) => i > (2 * count) / 3],
  ])('an axis where lead I or aVF is missing %s is that of the others, or none', (_where, isMissing) => {
    const whole = toRecording(twelveLeads({ beat: { qrsAxisDeg: 60 } }));
    const axisWithout = (...names: readonly string[]) => {
      const channels = whole.channels.map((channel) => ({
        ...channel,
        read(start: number, target: Int32Array): void {
          channel.read(start, target);
          if (!names.includes(channel.label)) return;
          for (let i = 0; i < target.length; i++)
            if (isMissing(start + i, channel.sampleCount)) target[i] = INVALID_SAMPLE;
        },
      }));
      return analyse({ ...whole, channels }).measurements.qrsAxisDeg;
    };
    for (const axis of [axisWithout('aVF'), axisWithout('I'), axisWithout('I', 'II', 'aVF')])
      expect(Math.abs((axis ?? 60) - 60)).toBeLessThanOrEqual(12);
    expect(axisWithout('aVF')).toBeDefined();
  });

  test.each([
    ['II', 'RHY-ASYS', 'CRITICAL', false],
    ['ECG', 'RHY-ASYS', 'CRITICAL', false],
    ['Sensor', 'QUAL-NOBEAT', undefined, true],
  ])('a line without beats that is called %s gives %s', (label, code, severity, isDoubted) => {
    // It goes up and down as breathing does, and has the noise of an amplifier.
    const whole = toRecording(twelveLeads(), (raw) =>
      raw.forEach((_, i) => {
        raw[i] = Math.round(20 * Math.sin(i / 320) + ((i * 7919) % 11));
      }),
    );
    const [first] = whole.channels;
    const { lead: _lead, ...channel } = { ...first!, label };
    const lead = matchLead(label);
    const result = analyse({ ...whole, channels: [{ ...channel, ...(lead !== undefined && { lead }) }] });
    expect(result.statements.map((statement) => statement.code)).toContain(code);
    expect(result.severity).toBe(severity);
    expect(result.warnings.some((each) => each.code === 'perhaps_no_ecg')).toBe(isDoubted);
  });

  test.each([-150, -60, -30, 0, 30, 60, 90, 120])('finds a QRS axis of %i° within 12°', (qrsAxisDeg) => {
    const { measurements } = analyse(toRecording(twelveLeads({ beat: { qrsAxisDeg } })));
    expect(Math.abs(((measurements.qrsAxisDeg! - qrsAxisDeg + 540) % 360) - 180)).toBeLessThanOrEqual(12);
  });

  test('finds every beat under noise, wander and hum', () => {
    const ecg = twelveLeads({
      durationSeconds: 60,
      noiseUv: 40,
      wanderUv: 800,
      mains: { frequencyHz: 50, peakUv: 150 },
    });
    const result = analyse(toRecording(ecg));
    expect(
      score(
        result.beats.map((beat) => beat.sample),
        ecg.beats.map((beat) => beat.sample),
        500,
      ),
    ).toEqual({ missed: 0, extra: 0 });
  });

  test('labels ventricular beats, all and only them', () => {
    const ecg = twelveLeads({ durationSeconds: 60, rhythm: 'pvc' });
    const result = analyse(toRecording(ecg));
    expect(result.beats.map((beat) => beat.label)).toEqual(ecg.beats.map((beat) => beat.label));
    expect(codes(result)).toContain('ECT-PVCFREQ');
  });

  test('names atrial fibrillation, without PR and P', () => {
    const result = analyse(
      toRecording(twelveLeads({ durationSeconds: 30, rhythm: 'afib', heartRateBpm: 90 })),
    );
    expect(codes(result)).toContain('RHY-AFIB');
    expect(result.measurements).not.toHaveProperty('prMs');
    expect(result.severity).toBe('IMPORTANT');
  });

  test('a long PR is a first degree block', () => {
    expect(codes(analyse(toRecording(twelveLeads({ beat: { prMs: 240 } }))))).toContain('AVB-1');
  });

  test('of a sinus rhythm says that, and nothing that reads as normal', () => {
    const result = analyse(toRecording(twelveLeads()));
    expect(codes(result)).toEqual(['RHY-SINUS']);
    expect(result.severity).toBe('NONE');
  });

  test('a flat line has no beats, no numbers and no severity', () => {
    const result = analyse(toRecording(twelveLeads(), (raw) => raw.fill(0)));
    expect(result.beats).toEqual([]);
    expect(result.measurements).toEqual({});
    expect(result.severity).toBeUndefined();
    expect(codes(result)).toEqual(['QUAL-FLAT', 'QUAL-POOR']);
  });

  test('one dead lead changes neither beats nor rate, and is named', () => {
    const ecg = twelveLeads();
    const whole = analyse(toRecording(ecg));
    const result = analyse(
      toRecording(ecg, (raw, lead) => void (lead === 'MDC_ECG_LEAD_V1' && raw.fill(17))),
    );
    expect(result.beats.length).toBe(whole.beats.length);
    expect(result.quality.find((entry) => entry.lead === 'MDC_ECG_LEAD_V1')).toMatchObject({
      grade: 'poor',
      flags: ['flat'],
    });
  });

  test('a gap is neither beats nor a pause', () => {
    const ecg = twelveLeads({ durationSeconds: 30 });
    const result = analyse(toRecording(ecg, (raw) => raw.fill(INVALID_SAMPLE, 10 * 500, 15 * 500)));
    expect(result.recording.gaps).toEqual([[5000, 7500]]);
    expect(result.beats.some((beat) => beat.sample >= 5000 && beat.sample < 7500)).toBe(false);
    expect(codes(result)).not.toContain('RHY-PAUSE');
    expect(result.measurements.heartRateBpm).toBe(72);
  });

  test('one missing sample hides no pause', () => {
    const ecg = twelveLeads({ durationSeconds: 20 });
    const quiet = (raw: Int32Array): void => {
      raw.fill(0, 8 * 500, 14 * 500);
      raw[11 * 500] = INVALID_SAMPLE;
    };
    const result = analyse(toRecording({ ...ecg, samplesUv: ecg.samplesUv }, quiet));
    expect(result.statements.find((statement) => statement.code === 'RHY-PAUSE')?.severity).toBe('CRITICAL');
  });

  test('a child by date of birth is held against the limits of its months, an adult against those of adults', () => {
    const recording = {
      ...toRecording(twelveLeads({ heartRateBpm: 140, beat: { qtMs: 290, prMs: 120 } })),
      startTime: { utcMs: Date.UTC(2026, 10, 21), isZoneKnown: true },
    };
    const child = analyse(recording, { patient: { birthDate: '2025-11-22' } });
    expect(codes(child)).toContain('INT-CHILDLIM');
    expect(codes(child)).not.toContain('RHY-STACHY');
    expect(child.severity).toBe('LOW');
    expect(analyse(recording, { patient: { birthDate: '1951-03-14' } }).severity).toBe('MODERATE');
  });

  test('a lead stored with reversed sign is turned', () => {
    const ecg = twelveLeads();
    const plain = toRecording(ecg);
    const turned = toRecording(
      ecg,
      (raw, lead) => void (lead === 'MDC_ECG_LEAD_AVR' && raw.set(raw.map((value) => -value))),
    );
    const channels = turned.channels.map((channel) =>
      channel.label === 'aVR' ? { ...channel, label: '-aVR', lead: matchLead('-aVR')! } : channel,
    );
    const expected = readMillivolts(plain.channels[3]!, 0, 500);
    expect(readMillivolts(channels[3]!, 0, 500).every((mv, i) => mv === expected[i])).toBe(true);
  });

  test('a recording of two seconds is analysed and called short', () => {
    expect(codes(analyse(toRecording(twelveLeads({ durationSeconds: 2 }))))).toContain('QUAL-SHORT');
  });

  test('gives the same bytes for the same recording', () => {
    const recording = toRecording(twelveLeads({ noiseUv: 30 }));
    expect(JSON.stringify(analyse(recording))).toBe(JSON.stringify(analyse(recording)));
  });

  test('does not depend on gain, offset or the order of leads', () => {
    const ecg = twelveLeads({ noiseUv: 10 });
    const whole = analyse(toRecording(ecg));
    fc.assert(
      fc.property(fc.integer({ min: -3000, max: 3000 }), fc.constantFrom(1, 2, 2.5), (offset, scaleUv) => {
        const moved = analyse(
          toRecording(ecg, (raw) => raw.set(raw.map((value) => value + offset)), scaleUv),
        );
        expect(moved.beats.length).toBe(whole.beats.length);
        expect(Math.abs(moved.measurements.qrsMs! - whole.measurements.qrsMs!)).toBeLessThanOrEqual(4);
      }),
      { numRuns: 5 },
    );
    const turned: SyntheticEcg = {
      ...ecg,
      leads: [...ecg.leads].reverse(),
      samplesUv: [...ecg.samplesUv].reverse(),
    };
    expect(analyse(toRecording(turned)).beats.length).toBe(whole.beats.length);
  });
});

describe('severity of rates (D63)', () => {
  test.each([
    [34, 'CRITICAL'],
    [35, 'IMPORTANT'],
    [40, 'MODERATE'],
    [45, 'LOW'],
    [49, 'LOW'],
    [50, 'NONE'],
    [100, 'NONE'],
    [101, 'LOW'],
    [121, 'MODERATE'],
    [151, 'IMPORTANT'],
    [180, 'IMPORTANT'],
    [181, 'CRITICAL'],
  ])('%i/min is %s', (bpm, severity) => {
    expect(rateSeverity(bpm as number)).toBe(severity);
  });
});

const ludb = shelfFolder('annotated/ludb');
describe.skipIf(ludb === undefined)(
  '100 annotated 12-lead records of the shelf (left out where the shelf is not beside the project)',
  () => {
    test('QRS and QT agree with the median lead of the annotators, PR too', () => {
      const rows = new Map(
        readFileSync(join(ludb!, 'intervals.csv'), 'utf8')
          .trim()
          .split('\n')
          .slice(1)
          .map((line) => [
            line.split(',')[0]!,
            line.split(',').map((cell) => (cell === '' ? Number.NaN : Number(cell))),
          ]),
      );
      const errors: Record<'pr' | 'qrs' | 'qt', number[]> = { pr: [], qrs: [], qt: [] };
      for (const name of readdirSync(ludb!).filter((entry) => entry.endsWith('.hea'))) {
        const { measurements } = analyse(recordingFrom(join(ludb!, name)));
        const row = rows.get(name.slice(0, -4))!;
        for (const [key, mine, reference] of [
          ['pr', measurements.prMs, row[8]],
          ['qrs', measurements.qrsMs, row[9]],
          ['qt', measurements.qtMs, row[10]],
        ] as const) {
          if (mine !== undefined && reference !== undefined && !Number.isNaN(reference))
            errors[key].push(mine - reference);
        }
      }
      expect(errors.pr.length).toBeGreaterThan(80);
      for (const [key, limit] of [
        ['pr', 10],
        ['qrs', 10],
        ['qt', 15],
      ] as const) {
        expect(Math.abs(median(errors[key])!), `${key} median`).toBeLessThanOrEqual(limit);
        expect(
          median(errors[key].map((error) => Math.abs(error - median(errors[key])!)))!,
          `${key} spread`,
        ).toBeLessThanOrEqual(limit);
      }
    });
  },
);
