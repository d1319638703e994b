import { describe, expect, test } from 'vitest';
import type { Statement } from '../../../shared/analysis-result.ts';
import { constraintsOf } from '../../../shared/review/constraints.ts';
import type { Correction, MadeCorrection } from '../../../shared/review/corrections.ts';
import { isCalledNormal, NORMAL_CODE, readFindings } from '../../../shared/review/read-findings.ts';

describe('what the analysis takes as given', () => {
  test('nothing, where nothing was corrected, or only statements were', () => {
    expect(constraintsOf([])).toEqual({});
    expect(constraintsOf([{ kind: 'accepted', code: 'RHY-SINUS' }])).toEqual({});
  });

  test('that a statement is not so, where others rest on it', () => {
    const rejected = (code: string): Correction => ({ kind: 'rejected', code, reason: 'Not seen' });
    expect(constraintsOf([rejected('CON-LBBB'), rejected('CHA-LVH'), rejected('RHY-AFIB')])).toEqual({
      rejected: ['CHA-LVH', 'CON-LBBB'],
    });
    expect(constraintsOf([rejected('CON-LBBB'), { kind: 'restored', code: 'CON-LBBB' }])).toEqual({});
  });

  test('a phrase says several things as if they had been said one by one', () => {
    expect(
      constraintsOf([
        {
          kind: 'phrase',
          name: 'no LVH',
          says: [
            { kind: 'rejected', code: 'CHA-LVH', reason: 'Thin chest' },
            { kind: 'accepted', code: 'RHY-SINUS' },
          ],
        },
      ]),
    ).toEqual({ rejected: ['CHA-LVH'] });
  });

  test('the last word on a beat counts', () => {
    const changes: Correction[] = [
      { kind: 'beat', sample: 900, label: 'V' },
      { kind: 'beat', sample: 400, label: 'S' },
      { kind: 'beat', sample: 900, label: 'N' },
    ];
    expect(constraintsOf(changes)).toEqual({
      beats: [
        { sample: 400, label: 'S' },
        { sample: 900, label: 'N' },
      ],
    });
  });

  test('a beat that was added and removed again is denied; one that was removed and added again is there', () => {
    expect(
      constraintsOf([
        { kind: 'beatAdded', sample: 500, label: 'N' },
        { kind: 'beatRemoved', sample: 500 },
      ]),
    ).toEqual({ noBeats: [500] });
    expect(
      constraintsOf([
        { kind: 'beatRemoved', sample: 500 },
        { kind: 'beatAdded', sample: 500, label: 'V' },
      ]),
    ).toEqual({ beats: [{ sample: 500, label: 'V' }] });
  });

  test('a class for a shape goes before what was said of its one beat until then', () => {
    const changes: Correction[] = [
      { kind: 'beat', sample: 500, label: 'V' },
      { kind: 'shape', sample: 500, label: 'S' },
    ];
    expect(constraintsOf(changes)).toEqual({
      beats: [{ sample: 500 }],
      shapes: [{ sample: 500, label: 'S' }],
    });
  });

  test('of two shapes, the one that was said last stands last', () => {
    const changes: Correction[] = [
      { kind: 'shape', sample: 500, label: 'S' },
      { kind: 'shape', sample: 700, label: 'V' },
      { kind: 'shape', sample: 500, label: 'N' },
    ];
    expect(constraintsOf(changes).shapes).toEqual([
      { sample: 700, label: 'V' },
      { sample: 500, label: 'N' },
    ]);
  });

  test('a class for a family says that it is one', () => {
    expect(
      constraintsOf([
        { kind: 'shape', sample: 500, label: 'S' },
        { kind: 'family', sample: 700, label: 'V' },
      ]).shapes,
    ).toEqual([
      { sample: 500, label: 'S' },
      { sample: 700, label: 'V', isFamily: true },
    ]);
  });

  test('a mark is moved, taken away, and given back to the program', () => {
    expect(
      constraintsOf([
        { kind: 'mark', name: 'tEnd', ms: 400 },
        { kind: 'mark', name: 'pOnset', ms: null },
      ]),
    ).toEqual({ marksMs: { tEnd: 400, pOnset: null } });
    expect(
      constraintsOf([
        { kind: 'mark', name: 'tEnd', ms: 400 },
        { kind: 'markReset', name: 'tEnd' },
      ]),
    ).toEqual({});
  });

  test('a rhythm that is drawn over another leaves what lies outside of it', () => {
    const drawn = { kind: 'rhythm', startSample: 1000, endSample: 5000, code: 'AFIB' } as const;
    expect(
      constraintsOf([drawn, { kind: 'rhythm', startSample: 2000, endSample: 3000, code: 'N' }]).episodes,
    ).toEqual([
      { startSample: 1000, endSample: 2000, code: 'AFIB' },
      { startSample: 2000, endSample: 3000, code: 'N' },
      { startSample: 3000, endSample: 5000, code: 'AFIB' },
    ]);
    expect(constraintsOf([drawn, { kind: 'rhythmErased', startSample: 0, endSample: 9000 }])).toEqual({});
  });
});

const stated = (code: string, severity: Statement['severity']): Statement => ({
  code,
  text: `text of ${code}`,
  values: {},
  severity,
  certainty: 'definite',
});
const FOUND = {
  statements: [stated('RHY-SINUS', 'NONE'), stated('ECT-PVC', 'LOW'), stated('ISC-TINV', 'MODERATE')],
  severity: 'MODERATE',
} as const;
const made = (...changes: Correction[]): MadeCorrection[] =>
  changes.map((change) => ({ change, by: 'Dr. Lind', atMs: 0 }));

describe('the findings as somebody reads them', () => {
  test('as the program states them, where nobody said anything', () => {
    const { statements, rejected, severity } = readFindings(FOUND, []);
    expect(statements.map(({ state }) => state)).toEqual(['program', 'program', 'program']);
    expect([rejected, severity]).toEqual([[], 'MODERATE']);
  });

  test('what is rejected stays beside, with its reason; the severity is that of the rest', () => {
    const read = readFindings(FOUND, made({ kind: 'rejected', code: 'ISC-TINV', reason: 'Known for years' }));
    expect(read.statements).toHaveLength(2);
    expect(read.rejected).toEqual([
      { statement: FOUND.statements[2], reason: 'Known for years', by: 'Dr. Lind' },
    ]);
    expect(read.severity).toBe('LOW');
  });

  test("words of a person's own are shown as they are, with the program's beside", () => {
    const [, read] = readFindings(
      FOUND,
      made({ kind: 'reworded', code: 'ECT-PVC', text: 'Isolated PVCs' }),
    ).statements;
    expect(read).toMatchObject({ state: 'reworded', by: 'Dr. Lind', original: FOUND.statements[1] });
    expect(read!.statement).toMatchObject({ text: 'Isolated PVCs', severity: 'LOW' });
    expect(read!.statement.values).toBeUndefined();
  });

  test('what is restored is as the program states it again', () => {
    const changes = made(
      { kind: 'rejected', code: 'ECT-PVC', reason: 'None' },
      { kind: 'restored', code: 'ECT-PVC' },
    );
    expect(readFindings(FOUND, changes)).toEqual(readFindings(FOUND, []));
  });

  test('what is added counts, until it is taken back', () => {
    const add = { kind: 'stated', code: 'FREE-1', text: 'Hypothermia?', severity: 'IMPORTANT' } as const;
    const read = readFindings(FOUND, made(add));
    expect(read.statements[0]).toMatchObject({ state: 'added', statement: { text: 'Hypothermia?' } });
    expect(read.severity).toBe('IMPORTANT');
    expect(readFindings(FOUND, made(add, { kind: 'unstated', code: 'FREE-1' }))).toEqual(
      readFindings(FOUND, []),
    );
  });

  test('the gravest first, as long as nobody has ordered them', () => {
    const { statements } = readFindings(FOUND, []);
    expect(statements.map(({ statement }) => statement.code)).toEqual(['ISC-TINV', 'ECT-PVC', 'RHY-SINUS']);
  });

  test('the order is that of the person; the rest follows', () => {
    const { statements } = readFindings(FOUND, made({ kind: 'ordered', codes: ['RHY-SINUS', 'ECT-PVC'] }));
    expect(statements.map(({ statement }) => statement.code)).toEqual(['RHY-SINUS', 'ECT-PVC', 'ISC-TINV']);
  });

  test('what is new and grave stands before all that somebody ordered', () => {
    const found = { ...FOUND, statements: [...FOUND.statements, stated('RHY-VT', 'CRITICAL')] };
    const { statements } = readFindings(found, made({ kind: 'ordered', codes: ['RHY-SINUS', 'ECT-PVC'] }));
    expect(statements[0]!.statement.code).toBe('RHY-VT');
  });

  test('beside anything that was found nobody reads that the ECG is normal', () => {
    const normal = {
      statements: [stated('RHY-SINUS', 'NONE'), stated(NORMAL_CODE, 'NONE')],
      severity: 'NONE',
    } as const;
    expect(isCalledNormal(readFindings(normal, []))).toBe(true);
    const grave = {
      kind: 'stated',
      code: 'FREE-1',
      text: 'Anterior infarction',
      severity: 'CRITICAL',
    } as const;
    const codes = (read: ReturnType<typeof readFindings>) =>
      read.statements.map(({ statement }) => statement.code);
    expect(codes(readFindings(normal, made(grave)))).toEqual(['FREE-1', 'RHY-SINUS']);
    expect(isCalledNormal(readFindings(normal, made(grave)))).toBe(false);
    const set = { kind: 'severity', severity: 'IMPORTANT', reason: 'Chest pain' } as const;
    expect(codes(readFindings(normal, made(set)))).toEqual(['RHY-SINUS']);
    const other = { kind: 'reworded', code: NORMAL_CODE, text: 'Not normal: ST elevation in V2' } as const;
    const reworded = readFindings(normal, made(other));
    expect(isCalledNormal(reworded)).toBe(false);
    expect(reworded.statements.map(({ statement }) => statement.text)).toContain(other.text);
  });

  test.each([
    ['Early repolarisation, normal variant', 'LOW', true],
    ['Repolarización precoz, variante de la normalidad', 'LOW', true],
    ['Child: limits for the age apply to rate, PR, QRS, QT and axis', 'NONE', true],
    ['ST elevation, not a normal variant', 'LOW', false],
    ['Normal variant or infarction', 'LOW', false],
    ['Normal variant?', 'LOW', false],
    ['Probably a normal variant, ischaemia cannot be excluded', 'LOW', false],
    ['Old inferior infarct; early repolarisation, normal variant', 'LOW', false],
    ['Left axis deviation and normal variant of repolarisation', 'LOW', false],
    ['Early repolarisation, normal variant', 'MODERATE', false],
    ['Left axis deviation', 'LOW', false],
  ] as const)('"%s" (%s) leaves a normal ECG normal: %s', (text, severity, isNormal) => {
    const normal = {
      statements: [stated('RHY-SINUS', 'NONE'), stated(NORMAL_CODE, 'NONE'), stated('INT-CHILDLIM', 'LOW')],
      severity: 'LOW',
    } as const;
    const read = readFindings(normal, made({ kind: 'stated', code: 'FREE-1', text, severity }));
    expect([isCalledNormal(read), read.severity]).toEqual([isNormal, isNormal ? 'NONE' : severity]);
  });

  test('a severity of a person goes before the sum of the statements', () => {
    const read = readFindings(FOUND, made({ kind: 'severity', severity: 'CRITICAL', reason: 'Chest pain' }));
    expect([read.severity, read.severityReason]).toEqual(['CRITICAL', 'Chest pain']);
  });

  test('where the program could not judge, harmless statements alone do not read as harmless', () => {
    const unjudged = { statements: FOUND.statements.slice(0, 2) };
    expect(readFindings(unjudged, made({ kind: 'accepted', code: 'RHY-SINUS' })).severity).toBeUndefined();
    expect(readFindings({ statements: FOUND.statements }, []).severity).toBe('MODERATE');
  });
});

describe('what is said of many at once', () => {
  test('beats have a class of their own, families one for all others, merging changes nothing that is measured', () => {
    expect(
      constraintsOf([
        { kind: 'beats', samples: [900, 400], label: 'V' },
        { kind: 'families', samples: [100, 200], label: 'S' },
        { kind: 'familiesMerged', samples: [100, 200] },
      ]),
    ).toEqual({
      beats: [
        { sample: 400, label: 'V' },
        { sample: 900, label: 'V' },
      ],
      shapes: [
        { sample: 100, label: 'S', isFamily: true },
        { sample: 200, label: 'S', isFamily: true },
      ],
    });
  });

  test('what is divided off a family keeps its class', () => {
    expect(constraintsOf([{ kind: 'familyDivided', samples: [400], label: 'V' }])).toEqual({
      beats: [{ sample: 400, label: 'V' }],
    });
  });

  test('what is rejected is no episode of its kind, and what is accepted again is one', () => {
    const judged = (kind: 'episodeRejected' | 'episodeAccepted', code: 'AFIB' | 'PAUSE'): Correction => ({
      kind,
      code,
      startSample: 100,
      endSample: 200,
    });
    for (const code of ['AFIB', 'PAUSE'] as const) {
      expect(constraintsOf([judged('episodeRejected', code)])).toEqual({
        rejectedEpisodes: [{ startSample: 100, endSample: 200, code }],
      });
      expect(constraintsOf([judged('episodeRejected', code), judged('episodeAccepted', code)])).toEqual({});
    }
  });

  const moved = (
    code: 'AFIB' | 'VT',
    from: readonly [number, number],
    to: readonly [number, number],
  ): Correction => ({
    kind: 'episodeMoved',
    code,
    startSample: from[0],
    endSample: from[1],
    toStartSample: to[0],
    toEndSample: to[1],
  });

  test('a moved episode is drawn where it is now, to its last beat, and there is none of its kind where it was', () => {
    expect(constraintsOf([moved('AFIB', [100, 200], [150, 300])])).toEqual({
      episodes: [{ startSample: 150, endSample: 301, code: 'AFIB' }],
      rejectedEpisodes: [{ startSample: 100, endSample: 150, code: 'AFIB' }],
    });
    // Back to where it was: nothing is denied any more.
    expect(
      constraintsOf([moved('AFIB', [100, 200], [150, 200]), moved('AFIB', [150, 200], [100, 200])]),
    ).toEqual({
      episodes: [{ startSample: 100, endSample: 201, code: 'AFIB' }],
    });
  });

  test('moving one kind leaves what was said of another, and rejecting what was moved can be taken back', () => {
    const rejectedRun: Correction = { kind: 'episodeRejected', code: 'VT', startSample: 120, endSample: 130 };
    expect(constraintsOf([rejectedRun, moved('AFIB', [100, 200], [90, 200])])).toEqual({
      episodes: [{ startSample: 90, endSample: 201, code: 'AFIB' }],
      rejectedEpisodes: [{ startSample: 120, endSample: 130, code: 'VT' }],
    });
    const judged = (kind: 'episodeRejected' | 'episodeAccepted'): Correction => ({
      kind,
      code: 'AFIB',
      startSample: 90,
      endSample: 200,
    });
    const there = { episodes: [{ startSample: 90, endSample: 201, code: 'AFIB' }] };
    const move = moved('AFIB', [100, 200], [90, 200]);
    expect(constraintsOf([move, judged('episodeRejected')])).toEqual({
      ...there,
      rejectedEpisodes: [{ startSample: 90, endSample: 200, code: 'AFIB' }],
    });
    expect(constraintsOf([move, judged('episodeRejected'), judged('episodeAccepted')])).toEqual(there);
  });

  test('a beat that has a class alone keeps it where its family is divided', () => {
    expect(
      constraintsOf([
        { kind: 'beats', samples: [400], label: 'F' },
        { kind: 'familyDivided', samples: [400, 900], label: 'V' },
      ]),
    ).toEqual({
      beats: [
        { sample: 400, label: 'F' },
        { sample: 900, label: 'V' },
      ],
    });
  });
});
