// `isoline analyse FILE`: one recording through reader, analysis and report, in the worker pool like everywhere else.

import { realpathSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { AnalysisResult } from '../../../shared/analysis-result.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { parseSetting } from '../../../shared/settings.ts';
import type { PoolFile } from '../../clinic/ports.ts';
import { measurementCells, SEVERITY_WORDS } from '../../report/report-text.ts';
import { startPool } from '../pool.ts';
import { PRODUCT_VERSION } from '../product.ts';
import { filesOfRecord } from '../record-files.ts';
import { type Command, print, usageError } from './command.ts';

const TIME_LIMIT_SECONDS = 3600;

/** A result must never take the place of a recording, of the other result, or of anything that is no file. */
function requireFreeOutputs(outputs: readonly string[], inputs: readonly PoolFile[]): void {
  const taken = inputs.map((file) => realpathSync(file.path));
  for (const output of outputs) {
    const known = statSync(output, { throwIfNoEntry: false });
    if (known !== undefined && !known.isFile()) throw usageError(`"${output}" is not a file that can be written.`, analyseCommand);
    const path = known === undefined ? resolve(output) : realpathSync(output);
    if (taken.includes(path))
      throw usageError(`"${output}" is a file of the recording, or named twice: choose another name.`, analyseCommand);
    taken.push(path);
  }
}

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
  const { recording, beats, measurements, statements, severity, warnings } = result;
  const lines = [
    `${recording.format}, ${recording.leads.length} leads, ${recording.sampleRateHz} Hz, ${(recording.durationMs / 1000).toFixed(1)} s, ${beats.length} beats`,
    ...measurementCells(measurements).map(([label, value]) => `  ${label.padEnd(18)}${value}`),
    `Severity: ${severity === undefined ? 'not determined' : SEVERITY_WORDS[severity]}`,
    ...statements.map((statement) => `  • ${statement.text}`),
    ...warnings.map((warning) => `Warning: ${warning.message}`),
  ];
  return lines.join('\n');
}

export const analyseCommand: Command = {
  name: 'analyse',
  summary: 'Analyse a recording: results as JSON, report as PDF.',
  usage: 'FILE [--json OUT|-] [--pdf OUT] [--paper A4|Letter]',
  options: {
    json: { value: 'OUT', meaning: 'Write the result as JSON to a file, or to the standard output with "-".' },
    pdf: { value: 'OUT', meaning: 'Write the report as PDF to a file.' },
    paper: { value: 'PAPER', meaning: 'A4 (default) or Letter.' },
  },
  positionals: [1, 1],
  async run(args) {
    const path = args.positionals[0] as string;
    const [json, pdf] = [args.text('json'), args.text('pdf')];
    if (pdf === '-') throw usageError('--pdf takes the name of a file.', analyseCommand);
    const paper = parseSetting('report.paper', args.text('paper') ?? 'A4') as 'A4' | 'Letter';
    const pool = startPool({ workers: 1, timeLimitSeconds: TIME_LIMIT_SECONDS, log: () => undefined });
    try {
      const files = filesOfRecord(path);
      requireFreeOutputs(
        [json, pdf].filter((name): name is string => name !== undefined && name !== '-'),
        files,
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
            look: { approval: { kind: 'preliminary' }, paper, productVersion: PRODUCT_VERSION, createdMs: 0 },
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
