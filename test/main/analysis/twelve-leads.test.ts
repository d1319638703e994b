// Heights of the leads, and what is said of them: ST, T, Q, voltages, and when an ECG is normal.

import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import type { Facts } from '../../../main/analysis/rules/facts.ts';
import { interpret } from '../../../main/analysis/rules/interpret.ts';
import { SUSPICION_RULES } from '../../../main/analysis/rules/suspicion-rules.ts';
import { synthesiseEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { factsOf, type Lead, type Leads } from '../../support/facts-of-leads.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';
import { USUAL_FACTS } from '../../support/usual-facts.ts';

const ALWAYS = new Set(['RHY-SINUS', 'SUM-NORMAL']);
const found = (facts: Facts): string[] =>
  interpret(facts)
    .statements.map(({ code }) => code)
    .filter((code) => !ALWAYS.has(code));
const stated = (facts: Facts, wanted: string) =>
  interpret(facts).statements.find(({ code }) => code === wanted);
const outcome = (facts: Facts, wanted: string) =>
  interpret(facts).assessments.find(({ code }) => code === wanted);

const MAN = { gender: 'MALE', ageYears: 60 } as const;

test.each([
  ['nothing', {}, {}, []],
  ['0.10 mV in II and aVF', { II: { jMv: 0.1 }, AVF: { jMv: 0.1 } }, MAN, ['ISC-STEMI']],
  ['0.09 mV', { II: { jMv: 0.09 }, AVF: { jMv: 0.09 } }, MAN, []],
  ['in one lead alone', { II: { jMv: 0.3 } }, MAN, []],
  ['in two that are no neighbours', { V1: { jMv: 0.3 }, V4: { jMv: 0.3 } }, MAN, []],
  ['0.19 mV in V2 and V3 of a man', { V2: { jMv: 0.19 }, V3: { jMv: 0.19 } }, MAN, []],
  ['0.20 mV', { V2: { jMv: 0.2 }, V3: { jMv: 0.2 } }, MAN, ['ISC-STEMI']],
  ['the same in a young man', { V2: { jMv: 0.2 }, V3: { jMv: 0.2 } }, { ...MAN, ageYears: 30 }, []],
  ['0.25 mV', { V2: { jMv: 0.25 }, V3: { jMv: 0.25 } }, { ...MAN, ageYears: 30 }, ['ISC-STEMI']],
  ['0.15 mV in a woman', { V2: { jMv: 0.15 }, V3: { jMv: 0.15 } }, { gender: 'FEMALE' }, ['ISC-STEMI']],
  ['only at J', { II: { jMv: 0.2, j60Mv: 0 }, AVF: { jMv: 0.2, j60Mv: 0 } }, MAN, []],
  [
    'a small part of a large QRS',
    { V1: { jMv: 0.3, qrs: [0.2, -2.8] }, V2: { jMv: 0.3, qrs: [0.3, -2.9] } },
    MAN,
    [],
  ],
] as [string, Leads, Partial<Facts>, string[]][])('ST elevation: %s', (_, leads, more, codes) => {
  expect(found(factsOf(leads, more)).filter((code) => code === 'ISC-STEMI')).toEqual(codes);
});

test('elevation is critical and says where; each value stands beside its limit', () => {
  const facts = factsOf({ V2: { jMv: 0.31 }, V3: { jMv: 0.28 }, V4: { jMv: 0.12 } }, MAN);
  expect(stated(facts, 'ISC-STEMI')).toMatchObject({
    severity: 'CRITICAL',
    values: { territory: 'septal, anterior', leads: 'V2, V3, V4' },
    evidence: {
      leads: ['MDC_ECG_LEAD_V2', 'MDC_ECG_LEAD_V3', 'MDC_ECG_LEAD_V4'],
      values: { MDC_ECG_LEAD_V2: 0.31, MDC_ECG_LEAD_V3: 0.28, MDC_ECG_LEAD_V4: 0.12 },
      limits: { MDC_ECG_LEAD_V2: 0.2, MDC_ECG_LEAD_V3: 0.2, MDC_ECG_LEAD_V4: 0.1 },
    },
  });
});

test('depression across the heart is named beside an elevation', () => {
  const inferior: Leads = { II: { jMv: 0.15 }, III: { jMv: 0.2 }, AVF: { jMv: 0.18 } };
  expect(stated(factsOf(inferior), 'ISC-STEMI')).toMatchObject({
    text: 'ST elevation (II, aVF, III): possible acute infarction, inferior. Check the patient',
  });
  expect(stated(factsOf({ ...inferior, AVL: { jMv: -0.1 } }), 'ISC-STEMI')).toMatchObject({
    text: 'ST elevation (II, aVF, III), with reciprocal depression (aVL): possible acute infarction, inferior. Check the patient',
  });
});

test('a posterior infarction: depression with upright T in V1 to V3, and a tall R in V2', () => {
  const front: Leads = {
    V1: { qrs: [0.4, -0.3], jMv: -0.1 },
    V2: { qrs: [0.9, -0.5], jMv: -0.15 },
    V3: { qrs: [0.9, -0.4], jMv: -0.1 },
  };
  expect(stated(factsOf(front), 'ISC-POST')).toMatchObject({
    severity: 'CRITICAL',
    text: 'ST depression (V1, V2, V3) with tall R: possible posterior infarction. Check the patient',
  });
  expect(stated(factsOf({ ...front, V2: { qrs: [0.4, -1], jMv: -0.15 } }), 'ISC-POST')).toBeUndefined();
  expect(stated(factsOf({ V2: front.V2! }), 'ISC-POST')).toBeUndefined();
});

test('what can only be suspected is stated where it is asked for, and not otherwise', () => {
  const suspected = (leads: Leads, more: Partial<Facts> = {}): string[] =>
    interpret(factsOf(leads, more), SUSPICION_RULES)
      .statements.map(({ code }) => code)
      .filter((code) => code !== 'SUM-NORMAL');
  const deepT = { qrs: [0.4, -0.6], tMaxMv: 0, tMinMv: -0.4 };
  expect(suspected({ V2: deepT, V3: deepT })).toEqual(['ISC-WELL']);
  expect(suspected({ V2: deepT })).toEqual([]);
  const rising = { jMv: -0.15, j60Mv: -0.05, j80Mv: 0, tMaxMv: 0.8, tMinMv: 0 };
  expect(suspected({ V2: rising, V3: rising, AVR: { jMv: 0.1 } })).toEqual(['ISC-DEWIN']);
  expect(suspected({ V2: rising, V3: rising })).toEqual([]);
  expect(suspected({ V1: { jMv: 0.3, j60Mv: 0.1, tMaxMv: 0, tMinMv: -0.2 } })).toEqual(['REP-BRUG']);
  const tall = { tMaxMv: 1.2, tMinMv: 0 };
  const wider = { measurements: { ...USUAL_FACTS.measurements, qrsMs: 114, pMs: 100 } };
  expect(suspected({ V2: tall, V3: tall }, wider)).toEqual(['REP-HYPERK']);
  expect(suspected({})).toEqual([]);
  expect(found(factsOf({ V2: deepT, V3: deepT }))).not.toContain('ISC-WELL');
});

test('ST depression: its depth, its kind, and how widespread it is', () => {
  const down = (mv: number, more: Lead = {}): Lead => ({ jMv: mv, ...more });
  expect(stated(factsOf({ V5: down(-0.05), V6: down(-0.06) }), 'ISC-STDEP')?.severity).toBe('MODERATE');
  expect(stated(factsOf({ V5: down(-0.1), V6: down(-0.06) }), 'ISC-STDEP')?.severity).toBe('IMPORTANT');
  expect(found(factsOf({ V5: down(-0.04), V6: down(-0.04) }))).toEqual([]);
  const rising = down(-0.1, { j60Mv: -0.06, j80Mv: -0.05 });
  expect(found(factsOf({ V5: rising, V6: rising }))).toEqual([]);
  const all = Object.fromEntries(['I', 'II', 'AVF', 'V4', 'V5', 'V6'].map((lead) => [lead, down(-0.1)]));
  expect(stated(factsOf({ ...all, AVR: { jMv: 0.1 } }), 'ISC-STDEP')).toMatchObject({
    severity: 'CRITICAL',
    values: { widespread: 'elevationOfAvr' },
  });
});

test('T waves: inverted, or low beside a tall R', () => {
  const inverted = { tMaxMv: 0, tMinMv: -0.1 };
  expect(found(factsOf({ V4: inverted, V5: inverted }))).toEqual(['ISC-TINV']);
  expect(found(factsOf({ V2: inverted }))).toEqual([]);
  const flat = { tMaxMv: 0.07, tMinMv: 0 };
  expect(found(factsOf({ V5: flat, V6: flat }))).toEqual(['REP-TFLAT']);
  expect(found(factsOf({ V5: { ...flat, qrs: [0.4] }, V6: { ...flat, qrs: [0.4] } }))).not.toContain(
    'REP-TFLAT',
  );
});

test('T that was not measured is neither upright nor of usual height', () => {
  const unknown: Lead = { isTUnknown: true };
  const facts = factsOf({ V5: unknown });
  for (const code of ['ISC-TINV', 'REP-TFLAT'])
    expect(outcome(facts, code)).toEqual({ code, outcome: 'notAssessed', reason: 'signal' });
  const inverted = { tMaxMv: 0, tMinMv: -0.1 };
  expect(found(factsOf({ V5: unknown, II: inverted, AVF: inverted }))).toEqual(['ISC-TINV']);
});

test.each([
  ['q of aVF and III', { AVF: { qrs: [-0.2, 0.6] }, III: { qrs: [-0.3, 0.5] } }, 'inferior'],
  ['a small q of aVF beside a tall R', { AVF: { qrs: [-0.1, 0.6] } }, undefined],
  ['QS in V2', { V2: { qrs: [-1.2] } }, 'anterior'],
  ['q in V5 and V6, deep', { V5: { qrs: [-0.2, 0.9] }, V6: { qrs: [-0.2, 0.9] } }, 'lateral'],
  ['q in V6 alone', { V6: { qrs: [-0.2, 0.9] } }, undefined],
] as [string, Leads, string | undefined][])('old infarction: %s', (_, leads, territory) => {
  expect(stated(factsOf(leads), 'ISC-QMI')?.values?.territory).toBe(territory);
});

test('left ventricular hypertrophy by voltage, with strain, and not by voltage alone in the young', () => {
  const tall = { V1: { qrs: [0.2, -1.8] }, V5: { qrs: [1.8] } };
  expect(stated(factsOf(tall), 'CHA-LVH')).toMatchObject({
    severity: 'LOW',
    values: {},
    evidence: { values: { sokolowMv: 3.6 }, limits: { sokolowMv: 3.5 } },
  });
  expect(found(factsOf(tall, { ageYears: 25 }))).toEqual([]);
  const strain = { ...tall, V6: { jMv: -0.06, j80Mv: -0.06, tMaxMv: 0, tMinMv: -0.2 } };
  expect(stated(factsOf(strain), 'CHA-LVH')).toMatchObject({
    severity: 'MODERATE',
    values: { strain: 'strainPattern' },
  });
  expect(found(factsOf({ V1: { qrs: [0.2, -1.7] }, V5: { qrs: [1.7] } }))).toEqual([]);
});

test('right ventricle, atria and low voltage', () => {
  const axis = { measurements: { ...USUAL_FACTS.measurements, qrsAxisDeg: 110, pMs: 130 } };
  expect(found(factsOf({ V1: { qrs: [0.8, -0.2] } }, axis))).toContain('CHA-RVH');
  expect(found(factsOf({ V1: { pMinMv: -0.12, pTerminalMs: 50 } }, axis))).toContain('CHA-LAE');
  expect(found(factsOf({ II: { pMaxMv: 0.26 } }))).toEqual(['CHA-RAE']);
  const low = Object.fromEntries(
    ['I', 'II', 'III', 'AVR', 'AVL', 'AVF'].map((lead) => [lead, { qrs: [0.4] }]),
  );
  expect(stated(factsOf(low), 'VOL-LOW')?.values).toEqual({ leads: 'limbLeads' });
});

test('what is found on some leads is said though others are missing; absence is not', () => {
  const facts = factsOf({ II: { jMv: 0.3 }, AVF: { jMv: 0.3 } }, MAN);
  const without = (lead: string): Facts => {
    const leadMeasurements = new Map(facts.leadMeasurements);
    leadMeasurements.delete(`MDC_ECG_LEAD_${lead}`);
    return { ...facts, leadMeasurements };
  };
  expect(outcome(without('V4'), 'ISC-STEMI')?.outcome).toBe('present');
  for (const code of ['ISC-STDEP', 'ISC-TINV', 'REP-TFLAT', 'ISC-QMI'])
    expect(outcome(without('I'), code)).toMatchObject({ outcome: 'notAssessed' });
  expect(outcome(without('II'), 'ISC-STEMI')).toMatchObject({ outcome: 'notAssessed', reason: 'scale' });
  const unrecorded = { ...without('II'), leads: facts.leads.filter((lead) => !lead.endsWith('_II')) };
  expect(outcome(unrecorded, 'ISC-STEMI')).toMatchObject({ outcome: 'notAssessed', reason: 'leads' });
});

test('what is not found in millivolts that were assumed is not called absent; what is found is said', () => {
  const assumed = { isScaleAssumed: true };
  for (const code of ['ISC-STEMI', 'ISC-STDEP', 'ISC-TINV', 'ISC-QMI', 'CHA-LVH', 'CHA-LAE', 'VOL-LOW'])
    expect(outcome(factsOf({}, assumed), code)).toEqual({ code, outcome: 'notAssessed', reason: 'scale' });
  expect(found(factsOf({ II: { jMv: 0.2 }, AVF: { jMv: 0.2 } }, assumed))).toEqual(['ISC-STEMI']);
});

test('wide QRS hides ST, but not that of right bundle branch block', () => {
  const wide = { measurements: { ...USUAL_FACTS.measurements, qrsMs: 150 } };
  expect(outcome(factsOf({}, wide), 'ISC-STEMI')).toMatchObject({
    outcome: 'notAssessed',
    reason: 'wideQrs',
  });
  const right = { V1: { qrs: [0.2, -0.3, 0.9] }, V6: { qrs: [0.9, -0.4] } };
  const block = factsOf({ ...right, II: { jMv: 0.2 }, AVF: { jMv: 0.2 } }, wide);
  expect(found(block)).toEqual(expect.arrayContaining(['CON-RBBB', 'ISC-STEMI']));
});

test('an ECG is normal where everything was assessed and nothing found, at a known age', () => {
  expect(stated(factsOf({}), 'SUM-NORMAL')).toMatchObject({ severity: 'NONE', text: 'Normal ECG' });
  expect(outcome(factsOf({}, { ageYears: undefined }), 'SUM-NORMAL')).toMatchObject({ reason: 'age' });
  expect(interpret(factsOf({}, { ageYears: undefined })).notAssessed).toEqual([
    { code: 'NORMAL', reason: 'age' },
  ]);
  expect(interpret(factsOf({})).notAssessed).toEqual([]);
  expect(outcome(factsOf({}, { isScaleAssumed: true }), 'SUM-NORMAL')).toMatchObject({ reason: 'scale' });
  expect(outcome(factsOf({ V5: { jMv: -0.1 }, V6: { jMv: -0.1 } }), 'SUM-NORMAL')?.outcome).toBe('absent');
  expect(outcome(factsOf({}, { base: 'SBR' }), 'SUM-NORMAL')?.outcome).toBe('absent');
  const facts = factsOf({});
  expect(outcome({ ...facts, leadMeasurements: new Map() }, 'SUM-NORMAL')).toMatchObject({ reason: 'scale' });
  const delayed = { ...facts.measurements, qrsMs: 110 };
  expect(outcome({ ...facts, measurements: delayed }, 'SUM-NORMAL')?.outcome).toBe('absent');
  expect(outcome({ ...facts, sinus: [[0, 4000]] }, 'SUM-NORMAL')?.outcome).toBe('absent');
  const lasting = (seconds: number): Partial<Facts> => ({
    time: { sampleRateHz: 500, sampleCount: 500 * seconds, gaps: [] },
    sinus: [[0, 500 * seconds]],
  });
  expect(outcome({ ...facts, ...lasting(300) }, 'SUM-NORMAL')?.outcome).toBe('present');
  expect(outcome({ ...facts, ...lasting(301) }, 'SUM-NORMAL')?.outcome).toBe('absent');
  for (const measurements of [
    { ...facts.measurements, prMs: 110 },
    { ...facts.measurements, qtcBazettMs: 480 },
  ])
    expect(stated({ ...facts, measurements }, 'SUM-NORMAL')).toBeUndefined();
});

test('behind a left bundle branch block or pacing, ST is critical where it goes with QRS or too far against it', () => {
  const LEFT: Leads = {
    I: { qrs: [0.1, 0.9] },
    AVL: { qrs: [0.7] },
    V1: { qrs: [0.05, -1.6], jMv: 0.3 },
    V2: { qrs: [0.05, -2], jMv: 0.4 },
    V5: { qrs: [0.1, 1.3], jMv: -0.1 },
    V6: { qrs: [0.1, 1.2], jMv: -0.1 },
  };
  const wide = (leads: Leads, more: Partial<Facts> = {}): Facts =>
    factsOf({ ...LEFT, ...leads }, { measurements: { ...USUAL_FACTS.measurements, qrsMs: 160 }, ...more });
  const WANTED = 'ISC-STEMIWIDE';
  expect(found(wide({}))).toEqual(['CON-LBBB']);
  expect(stated(wide({ V6: { qrs: [0.1, 1.2], jMv: 0.12 } }), WANTED)).toMatchObject({
    severity: 'CRITICAL',
    text: 'ST changes beyond those expected in left bundle branch block (V6): possible acute infarction. Check the patient',
  });
  expect(stated(wide({ V2: { qrs: [0.05, -2], jMv: -0.12 } }), WANTED)?.values?.leads).toBe('V2');
  expect(stated(wide({ V2: { qrs: [0.05, -2], jMv: 0.55 } }), WANTED)?.evidence).toMatchObject({
    values: { MDC_ECG_LEAD_V2: 0.55 },
    limits: { MDC_ECG_LEAD_V2: 0.5 },
  });
  // A block that a person rejected is none for any rule; the list of what was rejected still has it.
  const rejected = interpret(
    wide({ V6: { qrs: [0.1, 1.2], jMv: 0.12 } }, { rejected: new Set(['CON-LBBB']) }),
  );
  expect(rejected.statements.map(({ code }) => code)).toEqual(['RHY-SINUS', 'CON-LBBB', 'CON-IVCD']);
  expect(rejected.severity).toBe('LOW');
  expect(rejected.notAssessed).toContainEqual({ code: 'ST', reason: 'wideQrs' });
  // Without such a QRS it is not asked, and takes nothing from a normal ECG.
  expect(outcome(factsOf({}), WANTED)?.outcome).toBe('absent');
  expect(stated(wide({ V6: { qrs: [0.1, 1.2], jMv: 0.12 } }, { base: 'P' }), WANTED)?.values?.of).toBe(
    'pacedBeats',
  );
});

test('a short PR alone is said; with a QRS of 110 ms it may be pre-excitation', () => {
  const pr = (prMs: number, qrsMs: number) =>
    factsOf({}, { measurements: { ...USUAL_FACTS.measurements, prMs, qrsMs } });
  expect(found(pr(120, 90))).toEqual([]);
  expect(found(pr(119, 90))).toEqual(['INT-PR']);
  expect(found(pr(110, 115))).toEqual(['CON-WPW']);
});

test('heights are those of the made beat, at any rate and gain', () => {
  for (const sampleRateHz of [250, 500, 1000]) {
    const { measurements } = analyse(toRecording(twelveLeads({ sampleRateHz, noiseUv: 3 })));
    const { leads = {}, st = {} } = measurements;
    expect(Object.keys(leads)).toHaveLength(12);
    for (const level of Object.values(st)) expect(Math.abs(level.jMv)).toBeLessThan(0.03);
    const two = leads.MDC_ECG_LEAD_II!;
    // R of 1.25 mV at 50°, seen at 60°; T of 0.34 mV at 40°; P of 0.14 mV at 55°.
    expect(Math.max(...two.qrs.map(({ peakMv }) => peakMv))).toBeCloseTo(1.25 * Math.cos(Math.PI / 18), 1);
    expect(Math.abs(two.tMaxMv! - 0.34 * Math.cos(Math.PI / 9))).toBeLessThan(0.03);
    expect(Math.abs(two.pMaxMv! - 0.14)).toBeLessThan(0.02);
  }
});

test('where limb leads contradict each other, no lead has heights', () => {
  const recording = toRecording(twelveLeads(), (raw, lead) => {
    if (lead === 'MDC_ECG_LEAD_AVF') for (let i = 0; i < raw.length; i++) raw[i] = 3 * raw[i]!;
  });
  expect(analyse(recording).measurements).not.toHaveProperty('st');
});

const MADE = { sampleRateHz: 500, durationSeconds: 10, noiseUv: 5 };

test('eight leads tell what twelve do', () => {
  const leads = STANDARD_LEADS.filter((lead) => !/_(III|AV[RLF])$/.test(lead));
  const options = { patient: { ageYears: 50 } };
  const eight = analyse(toRecording(synthesiseEcg({ ...MADE, leads })), options);
  const twelve = analyse(toRecording(synthesiseEcg({ ...MADE, leads: STANDARD_LEADS })), options);
  expect(Object.keys(eight.measurements.st ?? {}).sort()).toEqual(
    Object.keys(twelve.measurements.st ?? {}).sort(),
  );
  expect(eight.notAssessed).toEqual([]);
  expect(eight.statements.map(({ code }) => code)).toEqual(twelve.statements.map(({ code }) => code));
});
