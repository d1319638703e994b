// What a report is made of.

import type { AnalysisResult } from '../../shared/analysis-result.ts';
import type { Language } from '../../shared/language.ts';
import type { MadeCorrection } from '../../shared/review/corrections.ts';
import type { PaperGain } from '../../shared/review/paper-gain.ts';
import type { ReadFindings } from '../../shared/review/read-findings.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import type { PatientFacts, Recording, Warning } from '../../shared/signal/recording.ts';
import type { Paper } from './paper-size.ts';
import type { ReportFile } from './report-file.ts';
import type { ReportPdf } from './report-pdf.ts';
import type { ReportWords } from './report-words.ts';

/** Who stands behind the findings: nobody yet, the program alone by the sender's wish, or a person. */
export type Approval =
  | { readonly kind: 'preliminary' }
  | { readonly kind: 'automatic' }
  | { readonly kind: 'approved'; readonly by: string; readonly atMs: number; readonly reason?: string };

export interface ReportInput {
  readonly recording: Recording;
  /** The result of the program, measured again with the corrections below. */
  readonly result: AnalysisResult;
  readonly corrections: readonly MadeCorrection[];
  readonly patient: PatientFacts;
  readonly timeZone?: string;
  readonly indications?: readonly string[];
  readonly approval: Approval;
  /** What its reader has to know of the recording beside what the analysis says of it; absent in reports of older versions. */
  readonly warnings?: readonly Warning[];
  /** Written into the document; decides nothing on the page, but makes the bytes reproducible. */
  readonly createdMs: number;
  readonly paper: Paper;
  /** English where a report of an older version is made again. */
  readonly language?: Language | undefined;
  readonly taskId?: number;
  readonly revision?: number;
  readonly productVersion: string;
  readonly files?: readonly ReportFile[];
  /** The whole recording, a minute a line, instead of the report. */
  readonly isEveryBeat?: boolean;
  /** Name of the clinic, with its address. */
  readonly clinic?: string;
  /** PNG; see `shared/report-logo.ts`. */
  readonly logo?: Uint8Array;
  /** Three rows of four where nothing is said. */
  readonly twelveLeads?: '3x4' | '6x2';
  /** II, V1 and V5 where nothing is said. */
  readonly rhythmLeads?: readonly LeadCode[];
}

/** What every block of a report is drawn with. */
export interface Drawing {
  readonly report: ReportPdf;
  readonly words: ReportWords;
  readonly language: Language;
  readonly input: ReportInput;
  /** The findings as somebody reads them. */
  readonly read: ReadFindings;
  readonly gain: PaperGain;
}
