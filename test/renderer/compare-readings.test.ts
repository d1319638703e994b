import { describe, expect, test } from 'vitest';
import { type ComparedReading, compareReadings } from '../../renderer/screens/compare/compare-readings.ts';
import type { Measurements, Statement } from '../../shared/analysis-result.ts';

const statement = (code: string, text = code): Statement => ({
  code,
  text,
  severity: 'MODERATE',
  certainty: 'definite',
});
/** @param unassessed of the rules that came to no result */
const reading = (
  codes: readonly (string | Statement)[],
  measurements: Measurements = {},
  unassessed: readonly string[] = [],
): ComparedReading => ({
  measurements,
  statements: codes.map((code) => (typeof code === 'string' ? statement(code) : code)),
  assessed: new Set(RULES.filter((code) => !unassessed.includes(code))),
});
const codesOf = (findings: ReturnType<typeof compareReadings>['gone']): string[] =>
  findings.map((finding) => finding.statement.code);
const RULES = ['RHY-AFIB', 'RHY-SINUS', 'CON-LBBB', 'ISC-STDEP', 'ISC-QMI', 'ISC-STEMI'];
const st = (mv: number) => ({ jMv: mv, j60Mv: mv, j80Mv: mv, slopeMvPerS: 0 });

describe('what changed between two ECGs', () => {
  test('findings that came, and those that went; what both have is no change', () => {
    const { appeared, gone } = compareReadings(
      reading(['RHY-AFIB', 'CON-LBBB']),
      reading(['RHY-SINUS', 'CON-LBBB']),
    );
    expect(codesOf(appeared)).toEqual(['RHY-AFIB']);
    expect(codesOf(gone)).toEqual(['RHY-SINUS']);
  });

  test('what the other ECG was not assessed for is neither new nor gone', () => {
    const [now, before] = [reading(['CON-LBBB', 'RHY-SINUS']), reading(['ISC-STDEP'], {}, ['CON-LBBB'])];
    expect(compareReadings(now, before).appeared).toEqual([
      { statement: statement('CON-LBBB'), isOtherNotAssessed: true },
      { statement: statement('RHY-SINUS'), isOtherNotAssessed: false },
    ]);
    // Suppressed by another statement, a rule comes to no result either.
    const wide = reading(['CON-LBBB'], {}, ['ISC-STDEP']);
    expect(compareReadings(wide, before).gone).toEqual([
      { statement: statement('ISC-STDEP'), isOtherNotAssessed: true },
    ]);
    // Nor does one that a version did not have.
    expect(compareReadings(reading(['ECT-RONT']), before).appeared[0]?.isOtherNotAssessed).toBe(true);
  });

  test('the same finding elsewhere, graver or in other words is told as such', () => {
    const qmi = (territory: string, leads: string): Statement => ({
      ...statement('ISC-QMI'),
      values: { territory, leads },
    });
    const otherOf = (now: Statement, before: Statement): number =>
      compareReadings(reading([now]), reading([before])).other.length;
    expect(otherOf(qmi('anterior', 'V2, V3'), qmi('inferior', 'II, III'))).toBe(1);
    expect(otherOf(qmi('inferior', 'II, aVF'), qmi('inferior', 'II, III'))).toBe(0);
    const stdep = (leads: string): Statement => ({ ...statement('ISC-STDEP'), values: { leads } });
    expect(otherOf(stdep('V5, V6'), stdep('II, III'))).toBe(1);
    expect(otherOf({ ...stdep('V5'), severity: 'CRITICAL' }, stdep('V5'))).toBe(1);
    const reworded = { ...statement('ISC-STEMI'), text: 'Early repolarisation' };
    expect(otherOf(statement('ISC-STEMI'), reworded)).toBe(1);
    const sinus = (rate: number): Statement => ({
      ...statement('RHY-SINUS', `Sinus rhythm, ${rate}/min`),
      values: { rate },
    });
    expect(otherOf(sinus(88), sinus(66))).toBe(0);
  });

  test('what is said of the recording alone is no change, but a caution', () => {
    const { appeared, gone, cautions } = compareReadings(
      reading(['LEAD-REV', 'QUAL-POOR']),
      reading(['SUM-NORMAL', 'QUAL-HUM']),
    );
    expect([appeared, gone]).toEqual([[], []]);
    expect(cautions).toEqual(['electrodes', 'signal']);
  });

  test("a person's own words are compared as words", () => {
    const now = reading([statement('FREE-1', 'Epsilon wave')]);
    expect(compareReadings(now, reading([statement('FREE-2', 'Epsilon wave')])).appeared).toEqual([]);
    expect(codesOf(compareReadings(now, reading([statement('FREE-1', 'Osborn wave')])).gone)).toEqual([
      'FREE-1',
    ]);
  });

  test.each([
    ['rate', 'heartRateBpm', 74, 93, 94],
    ['pr', 'prMs', 160, 189, 190],
    ['qrs', 'qrsMs', 96, 115, 116],
    ['qtc', 'qtcFridericiaMs', 440, 469, 470],
    ['axis', 'qrsAxisDeg', -10, 19, 20],
  ] as const)('%s is marked from its limit on, in both directions', (name, key, before, within, beyond) => {
    const marked = (a: number, b: number): unknown =>
      compareReadings(reading([], { [key]: a }), reading([], { [key]: b })).values.map((value) => [
        value.name,
        value.isMarked,
      ]);
    expect(marked(within, before)).toEqual([[name, false]]);
    expect(marked(beyond, before)).toEqual([[name, true]]);
    expect(marked(before, beyond)).toEqual([[name, true]]);
  });

  test('a value that one of both does not have has no difference', () => {
    expect(compareReadings(reading([], { prMs: 160 }), reading([])).values).toEqual([]);
  });

  test('an axis goes around', () => {
    const { values } = compareReadings(reading([], { qrsAxisDeg: -170 }), reading([], { qrsAxisDeg: 175 }));
    expect(values).toMatchObject([{ difference: 15, isMarked: false }]);
  });

  test('ST of the leads that both have', () => {
    const { st: compared } = compareReadings(
      reading([], { st: { MDC_ECG_LEAD_V2: st(0.24), MDC_ECG_LEAD_V3: st(0.05) } }),
      reading([], { st: { MDC_ECG_LEAD_V2: st(0.13), MDC_ECG_LEAD_V5: st(0) } }),
    );
    expect(compared).toEqual([{ lead: 'MDC_ECG_LEAD_V2', differenceMv: 0.11, isMarked: true }]);
  });

  test('a longer QTc beside a wider QRS says so', () => {
    const { cautions } = compareReadings(
      reading([], { qrsMs: 150, qtcFridericiaMs: 480 }),
      reading([], { qrsMs: 90, qtcFridericiaMs: 430 }),
    );
    expect(cautions).toEqual(['wideQrs']);
    const narrower = compareReadings(
      reading([], { qrsMs: 90, qtcFridericiaMs: 520 }),
      reading([], { qrsMs: 140, qtcFridericiaMs: 430 }),
    );
    expect(narrower.cautions).toEqual([]);
  });
});
