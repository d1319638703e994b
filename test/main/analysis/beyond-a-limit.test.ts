// A limit, or a definition made for one purpose, behind which all would be silent: T beside a deep S, Q beside abnormal ST, QT of QRS that
// is just wide, and a delta wave with the shape of a block. Each on a labelled recording, and on leads of which everything is known.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import type { Facts } from '../../../main/analysis/rules/facts.ts';
import { interpret } from '../../../main/analysis/rules/interpret.ts';
import type { Statement } from '../../../shared/analysis-result.ts';
import type { Constraints } from '../../../shared/review/constraints.ts';
import { factsOf, type Leads } from '../../support/facts-of-leads.ts';
import { flutter, passingTwoToOneBlock } from '../../support/made-rhythms.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { recordingFrom, shelfFolder } from '../../support/test-data.ts';
import { USUAL_FACTS } from '../../support/usual-facts.ts';

const statedIn = (facts: Facts, code: string): Statement | undefined =>
  interpret(facts).statements.find((statement) => statement.code === code);

/** What is stated of a labelled recording; undefined, and said so, where the shelf is not beside the project. */
function statedOf(folder: string, record: string, code: string): Statement | undefined | 'left out' {
  const path = shelfFolder(folder);
  if (path === undefined) {
    console.log(`Left out: ${folder} ${record}; the shelf is not beside the project.`);
    return 'left out';
  }
  const { statements } = analyse(recordingFrom(join(path, `${record}.hea`)));
  return statements.find((statement) => statement.code === code);
}

const T_BELOW = { tMaxMv: 0, tMinMv: -0.15 };
const DEEP_S = { qrs: [0.2, -1.2] } as const;

describe('T waves of the chest are inverted whatever QRS does', () => {
  test.each([
    [
      'V3 and V4 beside a deep S',
      { V3: { ...DEEP_S, ...T_BELOW }, V4: { ...DEEP_S, ...T_BELOW } },
      'MODERATE',
    ],
    [
      'V2 to V4',
      { V2: { ...DEEP_S, ...T_BELOW }, V3: { ...DEEP_S, ...T_BELOW }, V4: { ...DEEP_S, ...T_BELOW } },
      'IMPORTANT',
    ],
    ['deep in V5 and V6', { V5: { tMaxMv: 0, tMinMv: -0.5 }, V6: { tMaxMv: 0, tMinMv: -0.2 } }, 'IMPORTANT'],
    ['V2 alone', { V2: { ...DEEP_S, ...T_BELOW } }, undefined],
    ['V2 alone, and deep', { V2: { ...DEEP_S, tMaxMv: 0, tMinMv: -0.6 } }, 'IMPORTANT'],
    [
      'aVL and I below the line, as QRS is',
      { AVL: { ...DEEP_S, ...T_BELOW }, I: { ...DEEP_S, ...T_BELOW } },
      undefined,
    ],
  ] as [string, Leads, string | undefined][])('%s', (_, leads, severity) => {
    expect(statedIn(factsOf(leads), 'ISC-TINV')?.severity).toBe(severity);
  });

  test('and in a recording with R below S', () => {
    const stated = statedOf('annotated/ludb', '33', 'ISC-TINV');
    if (stated === 'left out') return;
    expect(stated).toMatchObject({ severity: 'IMPORTANT', values: { leads: 'V2, V3, V4, V5, aVL, I' } });
  });
});

describe('Q waves beside abnormal ST or T are of an infarction of undetermined age', () => {
  const QS = { qrs: [-1.2] } as const;
  test.each([
    ['with ST elevated at J', { V2: { ...QS, jMv: 0.25, j60Mv: 0.25 }, V3: QS }, 'ISC-QMIAGE', 'anterior'],
    ['with T inverted', { V3: { ...QS, ...T_BELOW } }, 'ISC-QMIAGE', 'anterior'],
    [
      'with ST depressed',
      { AVF: { qrs: [-0.2, 0.6], jMv: -0.1, j60Mv: -0.1, j80Mv: -0.1 } },
      'ISC-QMIAGE',
      'inferior',
    ],
    ['with nothing else', { V2: QS, V3: QS }, 'ISC-QMI', 'anterior'],
  ] as [string, Leads, string, string][])('%s', (_, leads, code, territory) => {
    const { statements } = interpret(factsOf(leads, { gender: 'MALE', ageYears: 60 }));
    const said = statements.filter((statement) => statement.code.startsWith('ISC-QMI'));
    expect(
      said.map((statement) => [statement.code, statement.values?.territory, statement.severity]),
    ).toEqual([[code, territory, code === 'ISC-QMIAGE' ? 'IMPORTANT' : 'LOW']]);
  });

  test('and where their T has no end, no infarction is called old', () => {
    const facts = factsOf({ V2: QS, V3: QS }, { gender: 'MALE', ageYears: 60 });
    const unknown = new Map(
      [...facts.leadMeasurements].map(([lead, { tMinMv, tMaxMv, ...rest }]) => [lead, rest]),
    );
    const { statements } = interpret({ ...facts, leadMeasurements: unknown });
    const said = statements.find(({ code }) => code.startsWith('ISC-QMI'));
    expect(said).toMatchObject({
      code: 'ISC-QMIAGE',
      severity: 'MODERATE',
      text: 'Q waves (V2, V3): possible infarction of undetermined age, anterior',
    });
  });

  test('and in a recording with QS in V2 and V3', () => {
    const stated = statedOf('annotated/ludb', '7', 'ISC-QMIAGE');
    if (stated === 'left out') return;
    expect(stated).toMatchObject({ severity: 'IMPORTANT', values: { territory: 'anterior' } });
  });
});

describe('QRS of 120 ms hides neither QT nor ST, T and Q', () => {
  const wide = (more: Partial<Facts['measurements']>): Facts =>
    factsOf({}, { measurements: { ...USUAL_FACTS.measurements, heartRateBpm: 70, qrsMs: 120, ...more } });

  test.each([
    [
      'long even without what the width adds',
      { qtcBazettMs: 498, qtcWideMs: 480 },
      { ms: 480, formula: 'wideQrs' },
    ],
    [
      'from 500 ms on, whatever makes it long',
      { qtcBazettMs: 500, qtcWideMs: 440 },
      { ms: 500, formula: 'Bazett' },
    ],
    [
      'beyond 500 ms, though less is left without what the width adds',
      { qtcBazettMs: 520, qtcWideMs: 475 },
      { ms: 520, formula: 'Bazett' },
    ],
    [
      'in a slow heart, by the root that does not shorten it',
      { heartRateBpm: 45, qtMs: 560, qtcBazettMs: 485, qtcFridericiaMs: 509, qtcWideMs: 435 },
      { ms: 509, formula: 'Fridericia' },
    ],
    ['usual without what the width adds', { qtcBazettMs: 490, qtcWideMs: 440 }, undefined],
  ])('QT %s', (_, more, values) => {
    expect(statedIn(wide(more), 'REP-LQT')?.values).toEqual(values);
  });

  test('ST is assessed below 130 ms, and not from there on', () => {
    const outcome = (qrsMs: number) =>
      interpret(wide({ qrsMs })).assessments.find(({ code }) => code === 'ISC-STEMI');
    expect(outcome(129)).toEqual({ code: 'ISC-STEMI', outcome: 'absent' });
    expect(outcome(130)).toEqual({ code: 'ISC-STEMI', outcome: 'notAssessed', reason: 'wideQrs' });
  });

  test('nor below 130 ms where it has the shape of a left bundle branch block', () => {
    const LEFT_SHAPE: Leads = {
      I: { qrs: [0.1, 0.9] },
      AVL: { qrs: [0.7] },
      V1: { qrs: [0.05, -1.6] },
      V5: { qrs: [0.1, 1.3] },
      V6: { qrs: [0.1, 1.2] },
    };
    const { assessments } = interpret(
      factsOf(LEFT_SHAPE, { measurements: { ...USUAL_FACTS.measurements, qrsMs: 125 } }),
    );
    expect(assessments.find(({ code }) => code === 'ISC-STEMI')).toMatchObject({ reason: 'wideQrs' });
  });

  test('and in a recording with QRS of 120 ms', () => {
    const stated = statedOf('corpus/ptbxl', '00320_hr', 'REP-LQT');
    if (stated === 'left out') return;
    expect(stated).toMatchObject({ severity: 'IMPORTANT', values: { formula: 'Fridericia' } });
  });
});

describe('a delta wave with the shape of a block is pre-excitation', () => {
  const LEFT: Leads = {
    I: { qrs: [0.1, 0.9] },
    AVL: { qrs: [0.7] },
    V1: { qrs: [0.05, -1.6] },
    V5: { qrs: [0.1, 1.3] },
    V6: { qrs: [0.1, 1.2] },
  };
  const shaped = (pMs: number, prMs: number): string[] =>
    interpret(factsOf(LEFT, { measurements: { ...USUAL_FACTS.measurements, qrsMs: 150, pMs, prMs } }))
      .statements.map(({ code }) => code)
      .filter((code) => code.startsWith('CON-'));

  test('where PR is short and nothing is left between P and QRS', () => {
    expect(shaped(87, 110)).toEqual(['CON-WPW']);
    expect(shaped(80, 119)).toEqual(['CON-WPW']);
  });

  test('and not where there is, or where PR is usual', () => {
    expect(shaped(70, 110)).toEqual(['CON-LBBB']);
    expect(shaped(100, 120)).toEqual(['CON-LBBB']);
  });
});

describe('a fast rhythm whose QRS cannot be measured is not called ventricular', () => {
  const fast = (more: Partial<Facts>): string[] =>
    interpret({
      ...USUAL_FACTS,
      base: 'UNK',
      sinus: [],
      isTachycardiaOfUnknownWidth: true,
      measurements: { heartRateBpm: 170 },
      ...more,
    }).statements.map(({ code, severity }) => `${code} ${severity}`);

  test('it is said that ventricular tachycardia is not excluded', () => {
    expect(fast({})).toContain('RHY-TACHY IMPORTANT');
    expect(fast({ measurements: { heartRateBpm: 190 } })).toContain('RHY-TACHY CRITICAL');
    for (const said of [fast({}), fast({ ageYears: 8 })]) {
      expect(said.some((one) => one.startsWith('RHY-VT'))).toBe(false);
      expect(said.some((one) => one.startsWith('RHY-UNDET'))).toBe(false);
    }
  });

  test.each([0.2, 0])(
    'it is none at a rate that is usual for the age, or where the months are not known: %d',
    (ageYears) => {
      const codes = fast({ ageYears, measurements: { heartRateBpm: 140 } });
      expect(codes.some((code) => code.startsWith('RHY-TACHY'))).toBe(false);
    },
  );

  test('and in a recording', () => {
    const stated = statedOf('annotated/ludb', '35', 'RHY-TACHY');
    if (stated === 'left out') return;
    expect(stated).toMatchObject({ severity: 'IMPORTANT', values: { rate: 132 } });
    expect(statedOf('annotated/ludb', '35', 'RHY-VT')).toBeUndefined();
  });
});

describe('a fast regular rhythm without P waves may be a flutter of which every second wave is conducted', () => {
  test.each([250, 264, 280, 300])('of %i waves a minute', (perMinute) => {
    const { statements } = analyse(toRecording(flutter(perMinute, 2, { seed: perMinute })));
    const codes = statements.map(({ code }) => code);
    expect(codes.some((code) => ['RHY-AFL', 'RHY-AFL21', 'RHY-SVT'].includes(code))).toBe(true);
    expect(codes.filter((code) => /RHY-(S(INUS|TACHY)|UNDET|VT)/.test(code))).toEqual([]);
  });

  test('and in a recording', () => {
    const stated = statedOf('annotated/ludb', '35', 'RHY-AFL21');
    if (stated === 'left out') return;
    expect(stated).toMatchObject({ certainty: 'possible', values: { rate: 132 } });
  });
});

describe('a 2:1 block that comes and goes is a block, and its P waves are no beats', () => {
  test.each([
    [72, 45, undefined],
    [85, 120, undefined],
    [80, 60, ['MDC_ECG_LEAD_II'] as const],
  ])(
    'at %i P waves a minute, in stretches of %i s',
    (bpm, stretchSeconds, leads) => {
      const ecg = passingTwoToOneBlock(bpm, stretchSeconds, {
        seconds: 300,
        noiseUv: 10,
        ...(leads && { leads }),
      });
      const { statements, beats } = analyse(toRecording(ecg));
      const block = statements.find(({ code }) => code.startsWith('AVB-'));
      expect(block?.severity).toBe('IMPORTANT');
      expect(Number(block?.values?.rate)).toBeLessThan(0.9 * bpm);
      expect(Math.abs(Number(block?.values?.atrial) - bpm)).toBeLessThanOrEqual(2);
      expect(Math.abs(beats.length - ecg.beats.length)).toBeLessThanOrEqual(2);
      expect(beats.filter(({ label }) => label !== 'N' && label !== 'Q').length).toBeLessThanOrEqual(5);
    },
    60_000,
  );
});

describe('what a block says of the rest of a recording', () => {
  const withBlock = (unnamedSeconds: number) =>
    interpret({
      ...USUAL_FACTS,
      base: 'UNK',
      sinus: [[0, 2500]],
      avConduction: {
        kind: 'twoToOne',
        atrialBpm: 80,
        bpm: 40,
        blocked: 30,
        ranges: [[2500, 5000]],
        unnamedSeconds,
      },
    });

  test('minutes in which none was found are told, and other blocks are not denied', () => {
    const { statements, assessments, notAssessed } = withBlock(600);
    expect(statements.find(({ code }) => code === 'RHY-UNDETPART')?.values).toEqual({ minutes: 10 });
    expect(assessments).toContainEqual({ code: 'AVB-3', outcome: 'notAssessed', reason: 'rhythm' });
    expect(notAssessed.map(({ code }) => code)).not.toContain('AVBLOCK');
  });

  test('where it fills all that had no name, there is no rest', () => {
    const { statements, assessments } = withBlock(0);
    expect(statements.map(({ code }) => code)).not.toContain('RHY-UNDETPART');
    expect(assessments).toContainEqual({ code: 'AVB-3', outcome: 'absent' });
  });

  test('a stretch over which a person drew sinus rhythm is not searched', () => {
    const recording = toRecording(passingTwoToOneBlock(80, 60, { seconds: 180, noiseUv: 10 }));
    const codes = (constraints: Constraints): string[] =>
      analyse(recording, { constraints }).statements.map(({ code }) => code);
    expect(codes({})).toContain('AVB-21');
    const drawn = { startSample: 29_000, endSample: 61_000, code: 'N' as const };
    expect(codes({ episodes: [drawn] }).filter((code) => code.startsWith('AVB-'))).toEqual([]);
  }, 60_000);
});

describe('leads without a signal', () => {
  const heart = twelveLeads({ durationSeconds: 10 });
  const readWithout = (silent: RegExp, ageYears?: number) =>
    analyse(
      toRecording(heart, (raw, lead) => {
        if (silent.test(lead)) raw.fill(0);
      }),
      { patient: { ...(ageYears !== undefined && { ageYears }) } },
    );

  test.each([
    ['the chest leads of an adult', /_V\d$/, undefined, 'V1, V2, V3, V4, V5, V6'],
    ['the chest leads of a child of four', /_V\d$/, 4, 'V1, V2, V3, V4, V5, V6'],
    ['one chest lead', /_V3$/, undefined, 'V3'],
  ] as const)('%s are named, and are no noise and no pacemaker', (_, silent, ageYears, leads) => {
    const { statements, notAssessed, quality } = readWithout(silent, ageYears);
    const codes = statements.map(({ code }) => code);
    expect(statements.find(({ code }) => code === 'QUAL-FLAT')?.values).toEqual({ leads });
    expect(codes).not.toContain('QUAL-FAIR');
    expect(codes).not.toContain('RHY-PACESPIKES');
    expect(codes).not.toContain('SUM-NORMAL');
    expect(quality.filter(({ flags }) => flags.includes('noise'))).toEqual([]);
    if (ageYears === undefined)
      expect(notAssessed).toContainEqual(expect.objectContaining({ code: 'ST', reason: 'leads' }));
  });

  test('a lead that is cut off for a while is not called silent', () => {
    const half = analyse(
      toRecording(heart, (raw, lead) => {
        if (lead.endsWith('_V3')) raw.fill(0, 0, raw.length / 2);
      }),
    );
    expect(half.statements.map(({ code }) => code)).not.toContain('QUAL-FLAT');
    expect(half.statements.map(({ code }) => code)).not.toContain('SUM-NORMAL');
  });
});
