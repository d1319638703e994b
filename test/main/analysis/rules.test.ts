import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { findRuns, isFastRun } from '../../../main/analysis/rhythm/beat-runs.ts';
import { ectopyPatterns } from '../../../main/analysis/rhythm/ectopy-patterns.ts';
import type { Facts } from '../../../main/analysis/rules/facts.ts';
import { interpret, RULES } from '../../../main/analysis/rules/interpret.ts';
import type { Rule } from '../../../main/analysis/rules/rule.ts';
import { SUSPICION_RULES } from '../../../main/analysis/rules/suspicion-rules.ts';
import type { AnalysisResult, Beat } from '../../../shared/analysis-result.ts';
import { STATEMENT_CODES } from '../../../shared/findings/codes.ts';
import { simulatedPatient } from '../../support/simulated-patient.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';
import { USUAL_FACTS as FACTS } from '../../support/usual-facts.ts';

test('ventricular beats in a row are told by their rate, as runs of how many beats', () => {
  const runsOf = (bpm: number) => {
    const beats = Array.from({ length: 12 }, (_, i): Beat => {
      const isV = i >= 5 && i < 9;
      return { sample: Math.round(500 * (i < 5 ? i : 5 + ((i - 5) * 60) / bpm)), label: isV ? 'V' : 'N' };
    });
    const time = { sampleRateHz: 500, sampleCount: 10_000, gaps: [] };
    return findRuns(beats, time, 'V', (ranges) => ranges);
  };
  const told = (bpm: number) => {
    const all = runsOf(bpm);
    const facts = { ...FACTS, runs: all.filter(isFastRun), slowRuns: all.filter((run) => !isFastRun(run)) };
    return interpret(facts)
      .statements.filter(({ code }) => /VT|IVR/.test(code))
      .map(({ text, severity }) => [text, severity]);
  };
  expect(told(140)).toEqual([['Run of 4 ventricular beats, 140/min', 'IMPORTANT']]);
  expect(told(80)).toEqual([['Probable accelerated idioventricular rhythm: 4 beats, 80/min', 'MODERATE']]);
  expect(told(40)).toEqual([['Probable idioventricular rhythm: 4 beats, 40/min', 'IMPORTANT']]);
});

test('a fast regular rhythm with narrow QRS and without proven P waves is said to be one', () => {
  const told = (more: Partial<Facts>, measured = {}) =>
    interpret({
      ...FACTS,
      base: 'UNK',
      sinus: [],
      scatter: 0.01,
      measurements: { ...FACTS.measurements, heartRateBpm: 170, ...measured },
      ...more,
    }).statements.filter(({ code }) => code === 'RHY-SVT' || code === 'RHY-UNDET');
  expect(told({})).toMatchObject([{ code: 'RHY-SVT', severity: 'IMPORTANT', certainty: 'possible' }]);
  expect(told({}, { heartRateBpm: 190 })).toMatchObject([{ severity: 'CRITICAL' }]);
  for (const other of [told({ scatter: 0.1 }), told({}, { qrsMs: 130 }), told({}, { heartRateBpm: 149 })])
    expect(other).toMatchObject([{ code: 'RHY-UNDET' }]);
});

test('QRS is said to be wide from 120 ms on, and not before', () => {
  const isWide = (qrsMs: number): boolean =>
    interpret({ ...FACTS, measurements: { ...FACTS.measurements, qrsMs } }).statements.some(
      ({ code }) => code === 'INT-QRS',
    );
  expect([119, 120].map(isWide)).toEqual([false, true]);
});

test('a pause says what it comes of, where the beats around it tell', () => {
  const pause = { startSample: 1250, endSample: 2500, durationMs: 2500 };
  const textOf = (more: Partial<Facts>): string | undefined =>
    interpret({ ...FACTS, pauses: [pause], ...more }).statements.find(({ code }) => code === 'RHY-PAUSE')
      ?.text;
  expect(textOf({})).toBe('Pause of 2.5 s');
  const ectopic = FACTS.beats.map((beat) => (beat.sample === 1250 ? { ...beat, label: 'V' as const } : beat));
  expect(textOf({ beats: ectopic })).toBe('Pause of 2.5 s after a ventricular beat');
  expect(textOf({ atrialFibrillation: [[0, 5000]] })).toBe('Pause of 2.5 s in atrial fibrillation');
});

test('one episode of fibrillation is told as one, several with their number', () => {
  const told = (atrialFibrillation: Facts['atrialFibrillation']) =>
    interpret({
      ...FACTS,
      base: 'UNK',
      time: { sampleRateHz: 500, sampleCount: 100_000, gaps: [] },
      atrialFibrillation,
    }).statements.find(({ code }) => code === 'RHY-AFIBEPI')?.text;
  expect(told([[0, 20_000]])).toBe('Probable atrial fibrillation, one episode of 40 s');
  expect(
    told([
      [0, 20_000],
      [30_000, 40_000],
    ]),
  ).toBe('Probable atrial fibrillation, 2 episodes, the longest 40 s, 60 s in all');
});

const outcomeOf = (facts: Facts, code: string) =>
  interpret(facts).assessments.find((assessment) => assessment.code === code);

test('every code has one rule, and each rule names only rules before it as taking its place', () => {
  expect(
    [...RULES, ...SUSPICION_RULES]
      .map(({ code }) => String(code))
      .concat('SUM-NORMAL')
      .sort(),
  ).toEqual([...STATEMENT_CODES].sort());
  for (const [i, { suppressedBy = [] }] of RULES.entries())
    for (const code of suppressedBy) expect(RULES.slice(0, i).map((rule) => rule.code)).toContain(code);
});

/** Beats one second apart but those before V, which come after 0.6 s; `|` is a gap. */
function rhythmOf(letters: string, vBeforeSeconds = 0.6): Pick<Facts, 'beats' | 'patterns' | 'time'> {
  const beats: Beat[] = [];
  const gaps: [number, number][] = [];
  let at = 0;
  for (const letter of letters) {
    at += Math.round(500 * (letter === 'V' ? vBeforeSeconds : 1));
    if (letter === '|') gaps.push([at - 400, at - 50]);
    else beats.push({ sample: at, label: letter === 'V' ? 'V' : 'N', cluster: letter === 'V' ? 1 : 0 });
  }
  const time = { sampleRateHz: 500, sampleCount: at + 500, gaps };
  return { beats, time, patterns: ectopyPatterns(beats, time) };
}

describe('patterns of ventricular beats', () => {
  const present = (rhythm: Partial<Facts>) =>
    interpret({ ...FACTS, ...rhythm })
      .statements.filter(({ code }) => code.startsWith('ECT-') && !code.startsWith('ECT-PVC'))
      .map(({ code, values }) => [code, values]);

  test.each<[string, [string, object][]]>([
    ['NNNVNNNNVNNN', []],
    ['NNNVVNNNVVNN', [['ECT-COUPLET', { count: 2, seconds: 1.2 }]]],
    ['NNNVVVNNN', []],
    ['NNNV|VNNN', []],
    ['NNVNVNVNN', [['ECT-BIGEM', { count: 1, seconds: 3.8 }]]],
    ['NNVNVNNVNVNN', []],
    ['NNVNNVNNVNN', [['ECT-TRIGEM', { count: 1, seconds: 6.8 }]]],
    ['NNNVNNNVNNNVN', []],
  ])('%s', (letters, expected) => {
    expect(present(rhythmOf(letters))).toEqual(expected);
  });

  test('one between two beats of the usual distance is interpolated; with a pause behind it, it is not', () => {
    const between = rhythmOf('NNNN');
    const [, , third] = between.beats as [Beat, Beat, Beat, Beat];
    const beats = between.beats.flatMap((beat): Beat[] =>
      beat === third ? [beat, { sample: beat.sample + 260, label: 'V', cluster: 1 }] : [beat],
    );
    const interpolated = { ...between, beats, patterns: ectopyPatterns(beats, between.time) };
    expect(present(interpolated)).toEqual([['ECT-INTERP', { count: 1, seconds: 1 }]]);
    expect(present({ ...interpolated, base: 'AFIB' })).toEqual([]);
    expect(present(rhythmOf('NNNVN'))).toEqual([]);
  });

  test('R on T: sooner than T ends, graver where QT is long, not assessed where QT is not known', () => {
    const onT = rhythmOf('NNNVNNN', 0.38);
    const statement = interpret({ ...FACTS, ...onT }).statements.find(({ code }) => code === 'ECT-RONT');
    expect(statement).toMatchObject({
      severity: 'MODERATE',
      values: { count: 1, ms: 380 },
      evidence: { ranges: [[1500, 1691]], limits: { couplingMs: 400 } },
    });
    const measurements = { ...FACTS.measurements, qtcBazettMs: 480 };
    const graver = interpret({ ...FACTS, ...onT, measurements }).statements;
    expect(graver.find(({ code }) => code === 'ECT-RONT')?.severity).toBe('IMPORTANT');
    expect(present(rhythmOf('NNNVNNN', 0.44))).toEqual([]);
    expect(outcomeOf({ ...FACTS, ...onT, measurements: {} }, 'ECT-RONT')).toEqual({
      code: 'ECT-RONT',
      outcome: 'notAssessed',
      reason: 'signal',
    });
  });

  test('shapes that come twice at least make them multiform; one beat of another shape does not', () => {
    const shaped = (clusters: readonly number[]) => {
      const rhythm = rhythmOf('NNVNNNVNNNVNNNVN');
      let next = 0;
      const beats = rhythm.beats.map((beat) =>
        beat.label === 'V' ? { ...beat, cluster: clusters[next++]! } : beat,
      );
      return present({ ...rhythm, beats, patterns: ectopyPatterns(beats, rhythm.time) });
    };
    expect(shaped([1, 1, 2, 2])).toEqual([['ECT-MULTI', { shapes: 2 }]]);
    expect(shaped([1, 1, 1, 2])).toEqual([]);
  });
});

describe('a child', () => {
  const stated = (
    ageYears: number,
    measurements: Partial<Facts['measurements']>,
    more: Partial<Facts> = {},
  ) =>
    interpret({ ...FACTS, ...more, ageYears, measurements: { ...FACTS.measurements, ...measurements } })
      .statements.map(({ code, severity }) => `${code} ${severity}`)
      .filter((text) => !text.startsWith('INT-CHILD'));

  test.each([
    ['a newborn of two weeks', 14 / 365.25, 150, 110, 70, 140],
    ['a baby of four months', 4 / 12, 150, 120, 70, 80],
    ['a child of six', 6, 100, 140, 80, 60],
    ['a girl of fourteen', 14, 75, 160, 90, 60],
  ])(
    '%s with usual values has sinus rhythm and nothing else',
    (_, age, heartRateBpm, prMs, qrsMs, qrsAxisDeg) => {
      const measurements = { heartRateBpm, prMs, qrsMs, qrsAxisDeg };
      expect(stated(age, measurements, { base: heartRateBpm > 100 ? 'ST' : 'N' })).toEqual([
        'RHY-SINUS NONE',
      ]);
    },
  );

  test('is held against the limits of its age', () => {
    expect(stated(6, { heartRateBpm: 60 }, { base: 'N' })).toContain('RHY-SBRADY LOW');
    expect(stated(14, { heartRateBpm: 60 }, { base: 'N' })).toContain('RHY-SINUS NONE');
    expect(stated(6, { heartRateBpm: 34 }, { base: 'SBR' })).toContain('RHY-SBRADY CRITICAL');
    expect(stated(6, { heartRateBpm: 150 }, { base: 'ST' })).toContain('RHY-STACHY MODERATE');
    expect(stated(6, { heartRateBpm: 180 }, { base: 'ST' })).toContain('RHY-STACHY IMPORTANT');
    expect(stated(4 / 12, { heartRateBpm: 220 }, { base: 'ST' })).toContain('RHY-STACHY IMPORTANT');
    expect(stated(4 / 12, { heartRateBpm: 170 }, { base: 'ST' })).toContain('RHY-SINUS NONE');
    expect(stated(4 / 12, { heartRateBpm: 300 }, { base: 'ST' })).toContain('RHY-STACHY CRITICAL');
    expect(stated(6, { prMs: 165 })).toContain('AVB-1 LOW');
    expect(stated(3, { qrsMs: 95 })).toContain('INT-QRS LOW');
    expect(stated(6, { qrsMs: 95 })).not.toContain('INT-QRS LOW');
    expect(stated(6, { qtcBazettMs: 455 })).toContain('REP-LQT MODERATE');
  });

  test('has a short PR below 90 ms, and pre-excitation where QRS is as wide as a block', () => {
    expect(stated(6, { prMs: 95, qrsMs: 80 })).not.toContain('INT-PR LOW');
    expect(stated(6, { prMs: 85, qrsMs: 80 })).toContain('INT-PR LOW');
    expect(stated(6, { prMs: 85, qrsMs: 105 })).toContain('CON-WPW MODERATE');
  });

  test("has a newborn's axis to the right, past 180 degrees too", () => {
    const days = 3 / 365.25;
    expect(stated(days, { qrsAxisDeg: -170 })).not.toContain('AXIS-RAD LOW');
    expect(stated(days, { qrsAxisDeg: -150 })).toContain('AXIS-RAD LOW');
    expect(stated(days, { qrsAxisDeg: 40 })).toContain('AXIS-LAD LOW');
    expect(stated(6, { qrsAxisDeg: 150 })).toContain('AXIS-RAD LOW');
  });

  test('says which limits were used, and is never called normal', () => {
    const codes = (ageYears: number) => interpret({ ...FACTS, ageYears }).statements.map(({ code }) => code);
    expect(codes(7)).toContain('INT-CHILDLIM');
    expect(codes(0)).toContain('INT-CHILD');
    expect(codes(16).some((code) => code.startsWith('INT-CHILD'))).toBe(false);
    for (const age of [0, 0.5, 7, 15, 17]) expect(codes(age)).not.toContain('SUM-NORMAL');
  });
});

describe('a run of early beats from above', () => {
  const run = (beats: number, seconds: number, bpm = 150) => ({
    startSample: 1000,
    endSample: 1000 + 500 * seconds,
    durationMs: 1000 * seconds,
    beats,
    bpm,
  });
  const severityOf = (...runs: ReturnType<typeof run>[]) =>
    interpret({ ...FACTS, supraventricularRuns: runs }).statements.find(({ code }) => code === 'RHY-SVTRUN');

  test('is a tachycardia, graver from 30 s on, gravest above 180 a minute', () => {
    expect(severityOf()).toBeUndefined();
    expect(severityOf(run(5, 2))).toMatchObject({ severity: 'MODERATE', values: { count: 5, rate: 150 } });
    expect(severityOf(run(5, 2), run(75, 30))).toMatchObject({
      severity: 'IMPORTANT',
      values: { count: 75, runs: 2 },
    });
    expect(severityOf(run(100, 31, 190))?.severity).toBe('CRITICAL');
    expect(severityOf(run(6, 2, 190))?.severity).toBe('MODERATE');
  });
});

describe('the three outcomes', () => {
  test('what is measured and beyond its limit is present, with the value and the limit', () => {
    const { statements } = interpret({ ...FACTS, measurements: { ...FACTS.measurements, prMs: 232 } });
    const block = statements.find(({ code }) => code === 'AVB-1');
    expect(block).toMatchObject({
      outcome: 'present',
      evidence: {
        leads: FACTS.leads,
        ranges: [[0, 5000]],
        values: { prMs: 232 },
        limits: { prMs: 210 },
      },
    });
  });

  test('up to 70 a minute, PR of 201 to 210 ms is at its limit and no block', () => {
    const stated = (prMs: number, heartRateBpm: number): string[] =>
      interpret({ ...FACTS, measurements: { ...FACTS.measurements, prMs, heartRateBpm } })
        .statements.map(({ code }) => code)
        .filter((code) => code === 'AVB-1' || code === 'INT-PRLONG' || code === 'SUM-NORMAL');
    expect(stated(200, 70)).not.toContain('INT-PRLONG');
    expect(stated(201, 70)).toEqual(['INT-PRLONG']);
    expect(stated(210, 70)).toEqual(['INT-PRLONG']);
    expect(stated(211, 70)).toEqual(['AVB-1']);
    expect(stated(201, 71)).toEqual(['AVB-1']);
  });

  test('what is measured and within its limit is absent', () => {
    expect(outcomeOf(FACTS, 'AVB-1')).toEqual({ code: 'AVB-1', outcome: 'absent' });
  });

  test.each([
    ['PR of a baby whose months are not known', { ageYears: 0 }, 'AVB-1', 'child'],
    ['the voltages of a child', { ageYears: 7 }, 'CHA-LVH', 'child'],
    ['PR without sinus rhythm', { base: 'UNK' }, 'AVB-1', 'rhythm'],
    [
      'a short QT of a wide QRS',
      { measurements: { ...FACTS.measurements, qrsMs: 130 } },
      'REP-SQT',
      'wideQrs',
    ],
    ['ectopic beats among paced ones', { base: 'P' }, 'ECT-PVC', 'paced'],
    [
      'the axis with exchanged electrodes',
      { electrodeOrder: { limb: 'arms', chest: undefined } },
      'AXIS-LAD',
      'electrodes',
    ],
    ['the rhythm without beats', { beats: [] }, 'RHY-SINUS', 'signal'],
  ] as const)('%s is not assessed, with its reason', (_, changed, code, reason) => {
    expect(outcomeOf({ ...FACTS, ...changed } as Facts, code)).toEqual({
      code,
      outcome: 'notAssessed',
      reason,
    });
  });

  test('a statement that takes the place of another one is named', () => {
    const facts: Facts = { ...FACTS, base: 'AFIB', beats: FACTS.beats.map((b) => ({ ...b, label: 'S' })) };
    expect(outcomeOf(facts, 'ECT-PAC')).toEqual({
      code: 'ECT-PAC',
      outcome: 'notAssessed',
      suppressedBy: 'RHY-AFIB',
    });
  });

  test('a topic is unassessed for the first reason of its rules; one that has another statement is not', () => {
    const { notAssessed } = interpret({ ...FACTS, ageYears: 7, base: 'P' });
    expect(notAssessed).toContainEqual({ code: 'PR', reason: 'paced' });
    expect(notAssessed).toContainEqual({ code: 'ST', reason: 'child' });
    expect(notAssessed).toContainEqual({ code: 'ECTOPY', reason: 'paced' });
    expect(notAssessed.some(({ code }) => code === 'RHYTHM')).toBe(false);
  });
});

test('there is no severity where nothing was judged, and a critical one where the heart stands still', () => {
  expect(interpret({ ...FACTS, beats: [] }).severity).toBeUndefined();
  expect(interpret({ ...FACTS, beats: [], asystole: [[0, 5000]] }).severity).toBe('CRITICAL');
});

test('a day with thousands of ectopic beats names fifty places', () => {
  const rule: Rule = {
    code: 'ECT-PVC',
    needs: [],
    find: () => ({
      severity: 'LOW',
      values: { count: 4000 },
      grounds: {
        ranges: Array.from({ length: 4000 }, (_, i) => [i, i + 1] as const),
        values: { count: 4000 },
      },
    }),
  };
  expect(interpret(FACTS, [rule]).statements[0]?.evidence?.ranges).toHaveLength(50);
});

const RESULTS: readonly (readonly [string, () => AnalysisResult])[] = [
  ['sinus rhythm', () => analyse(toRecording(twelveLeads()))],
  ...(['afib', 'pvc', 'vt', 'vf', 'asystole', 'paced', 'bigeminy'] as const).map(
    (rhythm) =>
      [
        rhythm,
        () => analyse(toRecording(simulatedPatient({ rhythm, noise: 'normal', swapped: ['RA', 'LA'] }))),
      ] as const,
  ),
  ['record 100', () => analyse(recordingFrom(join(dataFolder, 'wfdb', '100.hea')))],
];

describe.each(RESULTS)('%s', (_, run) => {
  const result = run();

  test('every statement has evidence inside the recording', () => {
    expect(result.statements.length).toBeGreaterThan(0);
    for (const { outcome, evidence } of result.statements) {
      expect(outcome).toBe('present');
      expect(evidence!.leads.length + Object.keys(evidence!.values).length).toBeGreaterThan(1);
      expect(Object.keys(evidence!.values)).not.toEqual([]);
      for (const value of Object.values(evidence!.values)) expect(Number.isFinite(value)).toBe(true);
      expect(evidence!.ranges.length).toBeGreaterThan(0);
      for (const [start, end] of evidence!.ranges) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(result.recording.samples);
      }
    }
  });

  test('each rule has one outcome; those that are present are the statements', () => {
    expect(result.assessments.map(({ code }) => code)).toEqual([
      ...RULES.map(({ code }) => code),
      'SUM-NORMAL',
    ]);
    expect(result.assessments.filter(({ outcome }) => outcome === 'present').map(({ code }) => code)).toEqual(
      result.statements.map(({ code }) => code),
    );
    for (const { outcome, reason, suppressedBy } of result.assessments)
      expect((reason !== undefined) !== (suppressedBy !== undefined)).toBe(outcome === 'notAssessed');
  });
});
