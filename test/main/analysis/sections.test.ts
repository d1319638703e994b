import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { openLeads } from '../../../main/analysis/signal/lead-signals.ts';
import { sectionsOf } from '../../../main/analysis/signal/sections.ts';
import { gaussian, seededRandom } from '../../../main/signal/synthetic/random.ts';
import { synthesiseEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import type { AnalysisProgress } from '../../../shared/analysis-stage.ts';
import { type LeadCode, leadName } from '../../../shared/signal/lead.ts';
import { type Channel, INVALID_SAMPLE, type Recording } from '../../../shared/signal/recording.ts';
import { endlessChannel } from '../../support/endless-recording.ts';
import { toRecording } from '../../support/synthetic-recording.ts';

test('sections cover a recording once, begin on a two-second block, and see half a minute around', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.double({ min: 50, max: 2000, noNaN: true }),
      (sampleCount, sampleRateHz) => {
        const sections = sectionsOf(sampleCount, sampleRateHz);
        const block = Math.round(2 * sampleRateHz);
        expect(sections[0]?.core[0]).toBe(0);
        expect(sections.at(-1)?.core[1]).toBe(sampleCount);
        for (const [i, { core, reach }] of sections.entries()) {
          expect(core[0] % block).toBe(0);
          expect(reach[0]).toBe(Math.max(0, core[0] - 15 * block));
          expect(reach[1]).toBe(Math.min(sampleCount, core[1] + 15 * block));
          if (i > 0) expect(sections[i - 1]?.core[1]).toBe(core[0]);
          // What fits into six minutes is one piece.
          expect(core[1] - core[0]).toBeLessThanOrEqual(1.2 * 150 * block + 1);
        }
      },
    ),
  );
});

const recording = toRecording(
  synthesiseEcg({ leads: ['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'], sampleRateHz: 250, durationSeconds: 8 }),
);

describe('windows', () => {
  const [first, second] = recording.channels;
  const mixed: Recording = {
    ...recording,
    channels: [
      first!,
      { ...second!, rate: { samples: 360, seconds: 1 }, sampleCount: Math.round(second!.sampleCount * 0.9) },
    ],
  };

  test.each([
    ['leads of one rate', recording],
    ['a lead of another rate, which ends earlier', mixed],
  ])('hold the same samples as the whole: %s', (_, given) => {
    const reader = openLeads(given);
    const whole = reader.window(0, reader.sampleCount);
    for (const [start, end] of [
      [0, 700],
      [333, 1500],
      [1400, reader.sampleCount],
    ] as const) {
      const window = reader.window(start, end);
      for (const [lead, { mv, invalid }] of window.leads.entries()) {
        expect(invalid).toEqual(whole.leads[lead]?.invalid.subarray(start, end));
        // Behind the end of a lead its last value stands, whatever that is.
        for (const [i, value] of mv.entries())
          if (invalid[i] === 0) expect(value).toBeCloseTo(whole.leads[lead]!.mv[start + i] as number, 5);
      }
    }
  });
});

test.each([
  ['of a recording that fits into memory are read once, in whatever order they are asked for', 1800, 1],
  ['of a longer one are read again, but for the last', 3600, 2],
])('windows %s', (_, seconds, readings) => {
  const reads: number[] = [];
  const once = new Int32Array(500);
  const counted = (lead: Channel): Channel => {
    const channel = endlessChannel(lead, once, 500, seconds);
    return {
      ...channel,
      read(start, target) {
        reads.push(start);
        channel.read(start, target);
      },
    };
  };
  const { window, sampleCount } = openLeads({ ...recording, channels: recording.channels.map(counted) });
  const all = sectionsOf(sampleCount, 500).map(({ reach }) => reach);
  for (const [start, end] of [...all, ...all.toReversed()])
    expect(window(start, end)).toBe(window(start, end));
  // The last one of the way there is the first of the way back.
  expect(reads).toHaveLength(2 * (readings * all.length - (readings - 1)));
});

test('windows that were asked for longest ago go first, before all together take too much', () => {
  const channel = endlessChannel(recording.channels[0]!, new Int32Array(500), 500, 1800);
  const { window } = openLeads({ ...recording, channels: [channel] });
  const first = window(0, 900_000);
  const others = [1, 2, 3].map((start) => window(start, 900_000));
  expect(window(3, 900_000)).toBe(others[2]);
  expect(window(2, 900_000)).toBe(others[1]);
  expect(window(0, 900_000)).not.toBe(first);
});

describe('a recording of eleven minutes', () => {
  const sampleRateHz = 250;
  const ecg = synthesiseEcg({
    leads: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'],
    sampleRateHz,
    durationSeconds: 660,
    noiseUv: 5,
  });
  const [stillFrom, stillTo] = [296 * sampleRateHz, 306 * sampleRateHz];
  const [lostFrom, lostTo] = [595 * sampleRateHz, 607 * sampleRateHz];
  const result = analyse(
    toRecording(ecg, (raw) => {
      for (let i = stillFrom; i < stillTo; i++) raw[i] = (raw[stillFrom - 1] as number) + (i % 7);
      raw.fill(INVALID_SAMPLE, lostFrom, lostTo);
    }),
  );

  test('beats are found once each where sections meet', () => {
    const isThere = (sample: number): boolean =>
      (sample < stillFrom - 50 || sample > stillTo + 50) && (sample < lostFrom - 50 || sample > lostTo + 50);
    const truth = ecg.beats
      .map(({ sample }) => sample)
      .filter((sample) => isThere(sample) && sample > 50 && sample < 660 * sampleRateHz - 50);
    const found = result.beats.map(({ sample }) => sample).filter(isThere);
    expect(found.filter((sample) => !truth.some((real) => Math.abs(real - sample) < 20))).toEqual([]);
    expect(truth.filter((real) => !found.some((sample) => Math.abs(real - sample) < 20))).toEqual([]);
  });

  test('what lies across the border of two sections is one piece', () => {
    const arrests = result.rhythms.filter(({ code }) => code === 'ASYS');
    expect(arrests).toHaveLength(1);
    expect(Math.abs(arrests[0]!.startSample - stillFrom)).toBeLessThanOrEqual(2 * sampleRateHz);
    expect(Math.abs(arrests[0]!.endSample - stillTo)).toBeLessThanOrEqual(2 * sampleRateHz);
    expect(result.recording.gaps).toEqual([[lostFrom, lostTo]]);
    expect(result.rhythms.filter(({ code }) => code === 'PAUSE')).toEqual([]);
  });

  test('twice the same recording gives the same bytes', () => {
    const again = analyse(
      toRecording(ecg, (raw) => {
        for (let i = stillFrom; i < stillTo; i++) raw[i] = (raw[stillFrom - 1] as number) + (i % 7);
        raw.fill(INVALID_SAMPLE, lostFrom, lostTo);
      }),
    );
    expect(JSON.stringify(again)).toBe(JSON.stringify(result));
  });
});

describe('twelve minutes with leads that are missing for a while', () => {
  const sampleRateHz = 125;
  const seconds = 720;
  type Missing = (lead: string) => readonly (readonly [fromSeconds: number, toSeconds: number])[];
  const of = (names: readonly string[], noisy: readonly string[], missing: Missing) => {
    const leads = names.map((name) => `MDC_ECG_LEAD_${name}` as LeadCode);
    const ecg = synthesiseEcg({ leads, sampleRateHz, durationSeconds: seconds, noiseUv: 5 });
    const random = seededRandom(7);
    const recording = toRecording(ecg, (raw, lead) => {
      const isNoisy = noisy.includes(leadName(lead));
      for (let i = 0; i < raw.length; i++)
        raw[i] = raw[i]! + 300 + (isNoisy ? Math.round(90 * gaussian(random)) : 0);
      for (const [from, to] of missing(leadName(lead)))
        raw.fill(INVALID_SAMPLE, from * sampleRateHz, to * sampleRateHz);
    });
    return { ecg, result: analyse(recording) };
  };

  test.each([
    [
      'one that begins four minutes late',
      of(['I', 'II', 'V5'], [], (lead) => (lead === 'V5' ? [[0, 240]] : [])),
    ],
    [
      'those that beats are compared on',
      of(['I', 'II', 'V2', 'V3', 'V4', 'V5'], ['I', 'II'], (lead) =>
        lead.startsWith('V') ? [[330, 420]] : [],
      ),
    ],
  ] as const)('%s: no beat is lost with them, and no pause is stated', (_, { ecg, result }) => {
    expect(Math.abs(result.beats.length - ecg.beats.length)).toBeLessThanOrEqual(2);
    expect(result.statements.filter(({ code }) => code === 'RHY-PAUSE' || code === 'RHY-ASYS')).toEqual([]);
  });
});

test('of hours with two minutes of signal, those two are measured', () => {
  const sampleRateHz = 125;
  const { channels, ...rest } = toRecording(
    synthesiseEcg({ leads: ['MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V5'], sampleRateHz, durationSeconds: 150 }),
  );
  const offset = 16 * 60 * sampleRateHz;
  const mostlyMissing = channels.map((channel) => ({
    ...channel,
    sampleCount: 4 * 3600 * sampleRateHz,
    read: (start: number, target: Int32Array): void => channel.read(start - offset, target),
  }));
  const { beats, measurements } = analyse({ ...rest, channels: mostlyMissing, durationSeconds: 4 * 3600 });
  expect(beats.length).toBeGreaterThan(140);
  expect(measurements.medianBeats).toBeGreaterThan(50);
});

test('a long recording tells how many minutes each stage is through with; a short one its stages alone', () => {
  const progressOf = (durationSeconds: number): AnalysisProgress[] => {
    const told: AnalysisProgress[] = [];
    const ecg = synthesiseEcg({ leads: ['MDC_ECG_LEAD_II'], sampleRateHz: 125, durationSeconds });
    analyse(toRecording(ecg), { onProgress: (progress) => told.push(progress) });
    return told;
  };
  expect(progressOf(700)).toEqual([{ stage: 'beats' }, { stage: 'measuring' }]);
  const minutes = [5, 10, 15, 20, 25, 30, 32].map((minute) => ({ minute, ofMinutes: 32 }));
  expect(progressOf(1900)).toEqual(
    (['beats', 'measuring'] as const).flatMap((stage) => [
      { stage },
      ...minutes.map((each) => ({ stage, ...each })),
    ]),
  );
});
