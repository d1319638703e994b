// What a report carries: its recording, its result, and a sheet that says which revision of which findings it is.

import { type Static, Type } from 'typebox';
import { checkerOf } from '../../shared/validator.ts';

export const RESULT_NAME = 'result.json';
export const SHEET_NAME = 'isoline-report.json';
/** With the ending of its format. */
export const RECORDING_NAME = 'recording';

export const isReportPaper = (name: string): boolean => name === RESULT_NAME || name === SHEET_NAME;

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

const ReportSheetSchema = Type.Object(
  {
    version: Type.Literal(1),
    taskId: Type.Optional(Type.Integer()),
    revision: Type.Optional(Type.Integer()),
    /** The hashes of the attached files, by name. */
    files: Type.Record(Type.String(), sha256),
  },
  { additionalProperties: false },
);
export type ReportSheet = Static<typeof ReportSheetSchema>;

const isReportSheet = checkerOf(ReportSheetSchema);

/** Undefined where it is none. */
export function readReportSheet(text: string): ReportSheet | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return isReportSheet(read) ? read : undefined;
  } catch {
    return undefined;
  }
}
