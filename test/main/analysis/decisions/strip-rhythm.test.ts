import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../../main/analysis/analyse.ts';
import { STRIP_INPUTS } from '../../../../main/analysis/decisions/strip-inputs.ts';
import {
  isFibrillationDenied,
  isFibrillationLearned,
  isSinusLearned,
  STRIP_CLASSES,
} from '../../../../main/analysis/decisions/strip-rhythm.ts';
import { STRIP_RHYTHM } from '../../../../main/analysis/decisions/strip-rhythm-trees.ts';
import { TreeDecision, type TreeModel } from '../../../../main/analysis/decisions/trees.ts';
import type { Facts } from '../../../../main/analysis/rules/facts.ts';
import { interpret } from '../../../../main/analysis/rules/interpret.ts';
import { evidenceTexts } from '../../../../shared/findings/evidence-text.ts';
import { EVIDENCE_WORDS } from '../../../../shared/findings/evidence-words.ts';
import type { LeadCode } from '../../../../shared/signal/lead.ts';
import { trainTrees } from '../../../../training/boosted-trees.ts';
import { FOLDS, foldOf, isChecked } from '../../../accuracy/piles.ts';
import { flutter, junctional, twoToOneBlock } from '../../../support/made-rhythms.ts';
import { simulatedPatient } from '../../../support/simulated-patient.ts';
import { toRecording, type twelveLeads } from '../../../support/synthetic-recording.ts';
import { projectRoot } from '../../../support/test-data.ts';
import { USUAL_FACTS } from '../../../support/usual-facts.ts';

describe('trees', () => {
  const model: TreeModel = {
    inputs: ['a', 'b'],
    classes: ['low', 'high'],
    base: [0, 0],
    limits: [[1, 2], [5]],
    usual: [0, 9],
    // Low: nothing. High: a < 2 ? -1 : (b < 5 ? 1 : 2).
    nodes: Uint8Array.from(
      [
        [255, 0, 0],
        [0, 1, 2],
        [255, 0xec, 0x78],
        [1, 0, 2],
        [255, 0x13, 0x88],
        [255, 0x27, 0x10],
      ].flat(),
    ),
  };
  const trees = new TreeDecision(model);
  const highOf = (...values: number[]): number => trees.probabilities(values)[1] as number;
  const logistic = (score: number): number => 1 / (1 + Math.exp(-score));

  test('a value at the limit is above it; one that is not known goes on as if it were large', () => {
    expect(highOf(1.99, 0)).toBeCloseTo(logistic(-1), 12);
    expect(highOf(2, 4.99)).toBeCloseTo(logistic(1), 12);
    expect(highOf(2, 5)).toBeCloseTo(logistic(2), 12);
    expect(highOf(Number.NaN, Number.NaN)).toBeCloseTo(logistic(2), 12);
  });

  test('the strongest inputs are those whose usual value would change most, and that are known', () => {
    expect(trees.strongest(Float64Array.of(3, 9), 1, 2)).toEqual([{ input: 'a', value: 3 }]);
    expect(trees.strongest(Float64Array.of(Number.NaN, 9), 1, 2)).toEqual([]);
  });

  test('what is learned from the same examples is the same, and never runs against what it must not', () => {
    const rows = Array.from({ length: 400 }, (_, i) => Float64Array.of(i % 20, (i * 7) % 13));
    const examples = {
      inputs: ['up', 'noise'],
      classes: ['no', 'yes'],
      rows,
      // It rises up to 10, and falls again behind it: the tree must not follow that.
      labels: rows.map(([up = 0]) => (up > 6 && up < 14 ? 1 : 0)),
      weights: rows.map(() => 1),
    };
    const options = { rounds: 20, depth: 3, rate: 0.3, lambda: 1, leastWeight: 1 };
    const monotone = { yes: { up: 1 }, no: { up: -1 } } as const;
    const free = new TreeDecision(trainTrees(examples, options));
    const bound = trainTrees(examples, { ...options, monotone });
    expect(trainTrees(examples, { ...options, monotone })).toEqual(bound);
    const yes = (of: TreeDecision): number[] =>
      Array.from({ length: 20 }, (_, up) => of.probabilities([up, 3])[1] as number);
    expect(yes(free)[10]).toBeGreaterThan(0.9);
    expect(yes(free)[18]).toBeLessThan(0.1);
    const rising = yes(new TreeDecision(bound));
    expect(rising.every((value, i) => i === 0 || value >= (rising[i - 1] as number))).toBe(true);
  });
});

describe('the rhythm of strips', () => {
  test('its trees are those that were made, for the numbers and classes that there are', () => {
    const { nodes, ...model } = STRIP_RHYTHM;
    const sha256 = createHash('sha256').update(JSON.stringify(model)).update(nodes).digest('hex');
    const source = readFileSync(join(projectRoot, 'main/analysis/decisions/strip-rhythm-trees.ts'), 'utf8');
    expect(source).toContain(`SHA-256 ${sha256}`);
    expect(STRIP_RHYTHM.inputs).toEqual(STRIP_INPUTS);
    expect(STRIP_RHYTHM.classes).toEqual(STRIP_CLASSES);
  });

  test('every number has a name in both languages', () => {
    for (const words of Object.values(EVIDENCE_WORDS))
      expect(STRIP_INPUTS.filter((name) => !Object.hasOwn(words, name))).toEqual([]);
  });

  test('sinus rhythm needs that fibrillation is all but ruled out', () => {
    const decided = (sinus: number, fibrillation: number): boolean => isSinusLearned({ sinus, fibrillation });
    expect([decided(0.45, 0.0149), decided(0.449, 0), decided(0.9, 0.015)]).toEqual([true, false, false]);
  });

  test('fibrillation over most of a strip can be denied; in a part of it, rules stand', () => {
    const denied = (fibrillation: number, endSample: number): boolean =>
      isFibrillationDenied({ fibrillation }, [[0, endSample]], 1000);
    expect([denied(0.19, 500), denied(0.2, 500), denied(0, 499)]).toEqual([true, false, false]);
    expect([0.4, 0.39].map((fibrillation) => isFibrillationLearned({ fibrillation }))).toEqual([true, false]);
  });

  const LEADS: readonly LeadCode[][] = [['MDC_ECG_LEAD_I'], ['MDC_ECG_LEAD_II']];
  const rhythmOf = (ecg: ReturnType<typeof twelveLeads>) =>
    analyse(toRecording(ecg)).statements.filter(({ code }) => code.startsWith('RHY-'));

  test.each(LEADS)('on %s, sinus rhythm is named at usual rates, and fibrillation is', (lead) => {
    for (const heartRateBpm of [52, 70, 88])
      expect(
        rhythmOf(simulatedPatient({ rhythm: 'sinus', heartRateBpm, leads: [lead], seconds: 30 })).map(
          ({ code }) => code,
        ),
      ).toEqual([heartRateBpm < 60 ? 'RHY-SBRADY' : 'RHY-SINUS']);
    expect(
      rhythmOf(simulatedPatient({ rhythm: 'afib', leads: [lead], seconds: 30 })).map(({ code }) => code),
    ).toEqual(['RHY-AFIB']);
  });

  test.each(LEADS)('on %s, no block, flutter or junctional rhythm is called sinus rhythm', (lead) => {
    const made = [
      ...[55, 75, 95].map((bpm) => twoToOneBlock(bpm, { leads: [lead], seed: bpm })),
      ...[230, 290].flatMap((waves) =>
        [2, 3].map((ratio) => flutter(waves, ratio, { leads: [lead], seed: waves })),
      ),
      ...[45, 65, 105].map((bpm) => junctional(bpm, { leads: [lead], seed: bpm })),
    ];
    expect(
      made.map((ecg) => rhythmOf(ecg).filter(({ code }) => /SINUS|SBRADY|STACHY/.test(code)).length),
    ).toEqual(made.map(() => 0));
  });

  test('what a person drew does not rest on it, and what it alone names is said to be probable', () => {
    const ecg = simulatedPatient({
      rhythm: 'sinus',
      heartRateBpm: 70,
      leads: ['MDC_ECG_LEAD_I'],
      seconds: 30,
    });
    const episodes = [{ code: 'AFIB' as const, startSample: 0, endSample: ecg.samplesUv[0]?.length ?? 0 }];
    const drawn = analyse(toRecording(ecg), { constraints: { episodes } }).statements.find(
      ({ code }) => code === 'RHY-AFIB',
    );
    expect(drawn?.evidence?.values).not.toHaveProperty('likelihoodShare');
    const learned: Facts['learned'] = { sinus: 0.998, fibrillation: 0, strongestFor: () => [] };
    const [sinus] = interpret({ ...USUAL_FACTS, learned }).statements;
    expect(sinus).toMatchObject({ text: 'Sinus rhythm, 60/min (probable)', certainty: 'probable' });
    expect(sinus?.evidence?.values.likelihoodShare).toBe(0.99);
    const [proven] = interpret(USUAL_FACTS).statements;
    expect(proven).toMatchObject({ text: 'Sinus rhythm, 60/min', certainty: 'definite' });
  });

  test('the evidence says how likely it is, and which numbers say so, in words', () => {
    const statement = rhythmOf(
      simulatedPatient({ rhythm: 'afib', leads: ['MDC_ECG_LEAD_I'], seconds: 30 }),
    )[0]!;
    expect(statement.certainty).toBe('probable');
    expect(statement.evidence?.values.likelihoodShare).toBeGreaterThan(0.4);
    const texts = evidenceTexts(statement, 'en');
    expect(texts.filter((text) => text.startsWith('likelihood '))).toHaveLength(1);
    expect(
      Object.keys(statement.evidence?.values ?? {}).filter((name) =>
        (STRIP_INPUTS as readonly string[]).includes(name),
      ).length,
    ).toBeGreaterThanOrEqual(2);
    expect(evidenceTexts(statement, 'es').some((text) => text.startsWith('probabilidad '))).toBe(true);
  });
});

test('patients are in one pile for good: a fifth to check, the others in even folds', () => {
  const patients = Array.from({ length: 5000 }, (_, i) => `A${String(i).padStart(5, '0')}`);
  const checked = patients.filter((patient) => isChecked('cinc2017', patient));
  expect(Math.abs(checked.length - 1000)).toBeLessThan(100);
  const counts = Array.from(
    { length: FOLDS },
    (_, fold) => patients.filter((patient) => foldOf('cinc2017', patient) === fold).length,
  );
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(100);
  // Which these are never changes.
  expect(
    ['A00001', 'A00013', 'A00225'].map((patient) => [
      isChecked('cinc2017', patient),
      foldOf('cinc2017', patient),
    ]),
  ).toMatchInlineSnapshot(`
    [
      [
        true,
        2,
      ],
      [
        false,
        2,
      ],
      [
        false,
        3,
      ],
    ]
  `);
});
