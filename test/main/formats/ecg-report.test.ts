// The reading of an ECG as a structured report (DICOM, TID 3700): its items, and what readers of others say of it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Deviations } from '../../../main/formats/deviations.ts';
import { TWELVE_LEAD_ECG } from '../../../main/formats/dicom/dicom-uids.ts';
import { ecgReportDataset } from '../../../main/formats/dicom/ecg-report.ts';
import { dicomBytes, prepareDicom, readingBytes } from '../../../main/formats/dicom/write-dicom.ts';
import type { ReadEcg } from '../../../main/ground/read-ecg.ts';
import type { AskedExamination } from '../../../shared/order.ts';
import type { Recording, StartTime } from '../../../shared/signal/recording.ts';
import { hasProgram, run } from '../../support/independent.ts';
import { dataFolder, recordingFrom } from '../../support/test-data.ts';

const startTime: StartTime = { utcMs: Date.UTC(2026, 10, 21, 14, 32, 11, 395), isZoneKnown: true };
const V1 = 'MDC_ECG_LEAD_V1';
const peaks = (...mv: number[]) => ({
  qrs: mv.map((peakMv, i) => ({ peakMv, peakMs: 20 * i, durationMs: 18 })),
});
const READ: ReadEcg = {
  measurements: {
    heartRateBpm: 71.6,
    qrsMs: 98,
    qtcFridericiaMs: 412,
    qrsAxisDeg: -30,
    leads: { [V1]: { ...peaks(0.2, -0.5, 1), tMaxMv: 0.25 } },
    st: { [V1]: { jMv: -0.05, j60Mv: -0.04, j80Mv: -0.03, slopeMvPerS: 0.1 } },
  },
  remarks: ['Sinus rhythm', 'Right bundle branch block'],
  indications: ['Chest pain'],
  by: 'Dr. Lind',
  organization: 'Clinic St. Anna',
  madeMs: Date.UTC(2026, 10, 21, 15),
  analysisVersion: '0.12',
};
const ASKED: AskedExamination = { accession: 'ACC1', procedureId: 'RP1' };

let recording: Recording;
let folder: string;
beforeAll(async () => {
  await prepareDicom();
  recording = { ...recordingFrom(join(dataFolder, 'edf', 'made_ecg12_plusC.edf')), startTime };
  folder = mkdtempSync(join(tmpdir(), 'isoline-sr-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Item {
  readonly ValueType: string;
  readonly RelationshipType: string;
  readonly ConceptNameCodeSequence: readonly { readonly CodeMeaning: string }[];
  readonly ContentSequence?: readonly Item[];
  readonly MeasuredValueSequence?: readonly { readonly NumericValue: string }[];
  readonly NumericValueQualifierCodeSequence?: readonly { readonly CodeMeaning: string }[];
  readonly [field: string]: unknown;
}
const NAMES = { StudyInstanceUID: '2.25.1', SeriesInstanceUID: '2.25.2', SOPInstanceUID: '2.25.3' };

const datasetOf = (read: ReadEcg, asked?: AskedExamination, start = startTime) =>
  ecgReportDataset(recording, start, read, {
    names: { ...NAMES, SOPInstanceUID: '2.25.4' },
    source: { object: TWELVE_LEAD_ECG, names: NAMES },
    deviations: new Deviations(),
    asked,
  });

/** Lists the name of every item and what it says, however deep it stands. */
function told(items: readonly Item[]): readonly (readonly [name: string, value: string])[] {
  return items.flatMap((item) => [
    [
      item.ConceptNameCodeSequence[0]?.CodeMeaning ?? '',
      item.ValueType === 'NUM'
        ? (item.MeasuredValueSequence?.[0]?.NumericValue ??
          item.NumericValueQualifierCodeSequence?.[0]?.CodeMeaning ??
          '')
        : String(item.TextValue ?? item.PersonName ?? ''),
    ] as const,
    ...told(item.ContentSequence ?? []),
  ]);
}
const itemsOf = (read: ReadEcg) => told(datasetOf(read).ContentSequence as readonly Item[]);
const saidOf = (read: ReadEcg, name: string): string | undefined =>
  itemsOf(read).find(([each]) => each === name)?.[1];

describe('a structured report', () => {
  test('holds numbers, findings, indications and who approved them', () => {
    expect(saidOf(READ, 'Ventricular Heart Rate')).toBe('71.6');
    expect(saidOf(READ, 'QRS axis')).toBe('-30');
    expect(saidOf(READ, 'Amplitude at 60 ms into ST segment, per lead')).toBe('-0.04');
    expect(saidOf(READ, 'Person Observer Name')).toBe('Dr. Lind');
    expect(saidOf(READ, 'Finding')).toBe('Chest pain');
    expect(itemsOf(READ).filter(([name]) => name === 'ECG Finding')).toHaveLength(2);
    expect(datasetOf(READ)).toMatchObject({
      VerificationFlag: 'VERIFIED',
      VerifyingObserverSequence: [
        { VerifyingObserverName: 'Dr. Lind', VerifyingOrganization: 'Clinic St. Anna' },
      ],
    });
  });

  test('says of what could not be measured that it could not, where the template asks for it', () => {
    expect(saidOf(READ, 'PR interval global')).toBe('Measurement failure');
    expect(saidOf(READ, 'QT interval global')).toBe('Measurement failure');
    expect(saidOf(READ, 'P Axis')).toBeUndefined();
  });

  test('that no physician has read is not verified, and names nobody', () => {
    const automatic = { ...READ, by: '' };
    expect(datasetOf(automatic)).toMatchObject({
      VerificationFlag: 'UNVERIFIED',
      PreliminaryFlag: 'PRELIMINARY',
    });
    expect(datasetOf(automatic)).not.toHaveProperty('VerifyingObserverSequence');
    expect(saidOf(automatic, 'Person Observer Name')).toBeUndefined();
  });

  test.each<[string, number[], (string | undefined)[]]>([
    ['rSR′', [0.2, -0.5, 1], [undefined, '0.2', '-0.5']],
    ['qRs', [-0.1, 1.2, -0.3], ['-0.1', '1.2', '-0.3']],
    ['a notched R', [0.6, 0.9, -0.2], [undefined, '0.9', '-0.2']],
    ['QS', [-0.8], [undefined, undefined, undefined]],
    ['QR', [-0.7, 0.3], ['-0.7', '0.3', undefined]],
  ])('names the waves of %s as they are', (_what, mv, [q, r, s]) => {
    const read = { ...READ, measurements: { leads: { [V1]: peaks(...mv) } } };
    expect(['Q', 'R', 'S'].map((wave) => saidOf(read, `${wave} amplitude, per lead`))).toEqual([q, r, s]);
  });

  test('of a recording of no known zone tells every time by the clock here', () => {
    const before = process.env.TZ;
    process.env.TZ = 'America/St_Johns';
    const dataset = datasetOf(READ, undefined, { ...startTime, isZoneKnown: false });
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
    expect(dataset).not.toHaveProperty('TimezoneOffsetFromUTC');
    expect(`${dataset.ContentDate}${dataset.ContentTime}`).toBe('20261121113000.000');
    expect(dataset.VerifyingObserverSequence).toMatchObject([{ VerificationDateTime: '20261121113000.000' }]);
  });

  test('names the request that it answers', () => {
    expect(datasetOf(READ, ASKED)).toMatchObject({
      AccessionNumber: 'ACC1',
      ReferencedRequestSequence: [{ AccessionNumber: 'ACC1', RequestedProcedureID: 'RP1' }],
    });
    expect(datasetOf(READ)).not.toHaveProperty('ReferencedRequestSequence');
  });

  test.skipIf(!hasProgram('dciodvfy') || !hasProgram('dsrdump')).each([
    ['approved and ordered', READ, ASKED],
    ['read by nobody, of nothing that could be measured', { ...READ, by: '', measurements: {} }, undefined],
    ['without findings', { ...READ, remarks: [], indications: [] }, undefined],
  ] as const)(
    '%s: dciodvfy and dsrdump find no error (left out where either is missing)',
    (_what, read, asked) => {
      const pieces = dicomBytes(recording, { asked });
      let next = pieces.next();
      while (next.done !== true) next = pieces.next();
      const path = join(folder, 'a.dcm');
      writeFileSync(path, readingBytes(recording, next.value, read, { asked }).bytes);
      const checked = run('dciodvfy', [path]);
      const said = checked.stdout.toString() + checked.stderr;
      expect(said).toContain('EnhancedSR');
      expect(said.split('\n').filter((line) => line.startsWith('Error'))).toEqual([]);
      const dumped = run('dsrdump', [path]);
      expect(dumped.stderr.toString()).not.toMatch(/^[EF]:/m);
      expect(dumped.stdout.toString()).toContain('ECG Global Measurements');
    },
  );
});
