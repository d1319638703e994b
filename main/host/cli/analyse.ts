// `isoline analyse FILE`: one recording through reader, analysis and report, in the worker pool like
// everywhere else.

import { rename, rm, writeFile } from 'node:fs/promises';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { notAssessedText } from '../../../shared/findings/finding-text.ts';
import type { Language } from '../../../shared/language.ts';
import { parseSetting } from '../../../shared/settings.ts';
import { startPool } from '../../pool/pool.ts';
import { PRODUCT_VERSION } from '../../product/product.ts';
import { measurementCells, SEVERITY_WORDS } from '../../report/report-text.ts';
import { type Command, print, requireFreeOutputs, usageError } from './command.ts';
import { openRecords, theOnlyRecord } from './open-records.ts';

const TIME_LIMIT_SECONDS = 3600;

/** All of the file or nothing: a half-written result must not be taken for a whole one. */
async function writeWhole(path: string, bytes: Uint8Array | string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new IsolineError(
      'storage_full',
      `"${path}" could not be written. Check that its folder exists and may be written to.`,
      {},
      { cause: error },
    );
  }
}

function summarise(result: AnalysisResult): string {
  const { recording, beats, measurements, statements, notAssessed, severity, warnings } = result;
  const lines = [
    `${recording.format}, ${recording.leads.length} leads, ${recording.sampleRateHz} Hz, ${(recording.durationMs / 1000).toFixed(1)} s, ${beats.length} beats`,
    ...measurementCells(measurements).map(([label, value]) => `  ${label.padEnd(18)}${value}`),
    `Severity: ${severity === undefined ? 'not determined' : SEVERITY_WORDS[severity]}`,
    ...statements.map((statement) => `  • ${statement.text}`),
    notAssessedText(notAssessed, 'en'),
    ...warnings.map((warning) => `Warning: ${warning.message}`),
  ];
  return lines.join('\n');
}

export const analyseCommand: Command = {
  name: 'analyse',
  summary: 'Analyse a recording: results as JSON, report as PDF.',
  usage: 'FILE [--json OUT|-] [--pdf OUT] [--paper A4|Letter] [--language en|es]',
  options: {
    json: {
      value: 'OUT',
      meaning: 'Write the result as JSON to a file, or to the standard output with "-".',
    },
    pdf: { value: 'OUT', meaning: 'Write the report as PDF to a file.' },
    language: { value: 'LANGUAGE', meaning: 'Language of the report: en (default) or es.' },
    paper: { value: 'PAPER', meaning: 'A4 (default) or Letter.' },
  },
  positionals: [1, 1],
  async run(args) {
    const path = args.positionals[0] as string;
    const [json, pdf] = [args.text('json'), args.text('pdf')];
    if (pdf === '-') throw usageError('--pdf takes the name of a file.', analyseCommand);
    const language = parseSetting('report.language', args.text('language') ?? 'en') as Language;
    const paper = parseSetting('report.paper', args.text('paper') ?? 'A4') as 'A4' | 'Letter';
    const pool = startPool({ workers: 1, timeLimitSeconds: TIME_LIMIT_SECONDS, log: () => undefined });
    try {
      using opened = await openRecords(path);
      const { files } = theOnlyRecord(opened);
      requireFreeOutputs(
        [json, pdf].filter((name): name is string => name !== undefined && name !== '-'),
        [{ name: path, path }, ...files],
        analyseCommand,
      );
      const { resultJson } = await pool.analyse({ files, patient: {} });
      const result = JSON.parse(Buffer.from(resultJson).toString('utf8')) as AnalysisResult;
      if (pdf !== undefined)
        await writeWhole(
          pdf,
          await pool.report({
            files,
            patient: result.patient,
            resultJson,
            look: {
              approval: { kind: 'preliminary' },
              paper,
              language,
              productVersion: PRODUCT_VERSION,
              createdMs: 0,
            },
          }),
        );
      const text = JSON.stringify(result, undefined, 1);
      if (json === '-') print(text);
      else if (json !== undefined) await writeWhole(json, `${text}\n`);
      if (json !== '-') print(summarise(result));
    } finally {
      await pool.close();
    }
  },
};
