// One recording through reader, analysis and report, in the worker pool like everywhere else.

import type { AnalysisResult } from '../../../../shared/analysis-result.ts';
import { given } from '../../../../shared/given.ts';
import type { Language } from '../../../../shared/language.ts';
import { rateHz } from '../../../../shared/signal/recording.ts';
import type { PoolFile } from '../../../clinic/ports.ts';
import { readRecord } from '../../../formats/read-record.ts';
import { openFileSource } from '../../../pool/file-source.ts';
import type { RunningPool } from '../../../pool/pool.ts';
import { PRODUCT_VERSION } from '../../../product/product.ts';
import { channelChoice } from '../chosen-channels.ts';
import { resultAnnotations } from './result-marks.ts';
import { writeWhole } from './write-whole.ts';

/** Where results go; what is absent is not written. */
export interface Outputs {
  readonly json?: string | undefined;
  readonly pdf?: string | undefined;
  readonly atr?: string | undefined;
}

export interface ReportLook {
  readonly paper: 'A4' | 'Letter';
  readonly language: Language;
  /** Also states what can only be suspected. */
  readonly withSuspicions: boolean;
  /** As `--channels` names them. */
  readonly channels?: string | undefined;
}

function hasOneRate(files: readonly PoolFile[]): boolean {
  const opened = files.map(({ name, path }) => ({ name, source: openFileSource(path) }));
  try {
    const [main, ...companions] = opened;
    const read = main && readRecord(main, [main, ...companions]);
    return read?.ok !== true || new Set(read.recording.channels.map(({ rate }) => rateHz(rate))).size <= 1;
  } finally {
    for (const { source } of opened) source.close();
  }
}

export const jsonOf = (result: AnalysisResult): string => JSON.stringify(result, undefined, 1);

/** @throws IsolineError where it cannot be read, analysed or written */
export async function analyseRecord(
  pool: RunningPool,
  files: readonly PoolFile[],
  { json, pdf, atr }: Outputs,
  { paper, language, withSuspicions, channels: named }: ReportLook,
): Promise<AnalysisResult> {
  const channels =
    named === undefined ? undefined : channelChoice(named, (await pool.channels(files)).channels);
  const { resultJson } = await pool.analyse({ files, patient: {}, withSuspicions, ...given({ channels }) });
  const result = JSON.parse(Buffer.from(resultJson).toString('utf8')) as AnalysisResult;
  if (pdf !== undefined) {
    const look = {
      approval: { kind: 'preliminary' },
      paper,
      language,
      productVersion: PRODUCT_VERSION,
      createdMs: 0,
      // The paper shows the warnings of the result; there are none beside them here.
      warnings: [],
    } as const;
    await writeWhole(
      pdf,
      await pool.report({
        files,
        ...given({ channels }),
        patient: result.patient,
        resultJson,
        corrections: [],
        look,
      }),
    );
  }
  if (json !== undefined) await writeWhole(json, `${jsonOf(result)}\n`);
  if (atr !== undefined) await writeWhole(atr, resultAnnotations(result, hasOneRate(files)));
  return result;
}
