// The report: of a minute at most, an ECG with its findings; of more, a summary with strips. The same input gives the same
// bytes.

import { paperGainOf, readFindings } from '../../shared/review/read-findings.ts';
import { withDerivedLeads } from '../../shared/signal/derived-leads.ts';
import { drawEveryBeat } from './every-beat.ts';
import { drawLongReport } from './long-report.ts';
import type { Drawing, ReportInput } from './report-input.ts';
import { ReportPdf, type ReportResources } from './report-pdf.ts';
import { REPORT_WORDS } from './report-words.ts';
import { drawRestReport } from './rest-report.ts';

/** Longer than this, a recording is told as a whole. */
const REST_SECONDS = 60;

export function makeReport(given: ReportInput, resources: ReportResources): Promise<Uint8Array> {
  const input: ReportInput = { ...given, recording: withDerivedLeads(given.recording) };
  const language = input.language ?? 'en';
  const words = REPORT_WORDS[language];
  const { paper, createdMs } = input;
  const report = new ReportPdf({ title: words.title, language, paper, createdMs }, resources);
  const drawing: Drawing = {
    report,
    words,
    language,
    input,
    read: readFindings(input.result, input.corrections),
    gain: paperGainOf(input.corrections),
  };
  for (const file of input.files ?? []) report.attach(file, createdMs);
  if (input.isEveryBeat === true) drawEveryBeat(drawing);
  else if (input.recording.durationSeconds > REST_SECONDS) drawLongReport(drawing);
  else drawRestReport(drawing);
  return report.end();
}
