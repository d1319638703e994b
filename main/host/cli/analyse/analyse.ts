// `isoline analyse`: one recording in full, or many files, archives and folders.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { AnalysisResult } from '../../../../shared/analysis-result.ts';
import { IsolineError } from '../../../../shared/errors.ts';
import { notAssessedText } from '../../../../shared/findings/finding-text.ts';
import type { Language } from '../../../../shared/language.ts';
import { parseSetting } from '../../../../shared/settings.ts';
import { SEVERITY_WORDS } from '../../../../shared/severity-words.ts';
import { ANALYSIS_VERSION } from '../../../analysis/analyse.ts';
import { type RunningPool, startPool } from '../../../pool/pool.ts';
import { measurementCells } from '../../../report/report-text.ts';
import { CHANNELS_OPTION } from '../chosen-channels.ts';
import { type Arguments, type Command, print, requireFreeOutputs, usageError } from '../command.ts';
import { openRecords, theOnlyRecord } from '../open-records.ts';
import { analyseMany } from './analyse-many.ts';
import { analyseRecord, jsonOf, type ReportLook } from './analyse-record.ts';
import { isFolder } from './folder-entries.ts';
import { withoutEnding } from './record-groups.ts';
import { ROW_NAMES, resultRow } from './result-row.ts';
import { parseShard, partCell, partHead, type Shard } from './shard.ts';
import { TableFile } from './table-file.ts';
import { writeWhole } from './write-whole.ts';

const TIME_LIMIT_SECONDS = 3600;
const STANDARD_OUTPUT = '-';

function summarise(result: AnalysisResult): string {
  const { recording, beats, measurements, statements, notAssessed, severity, warnings } = result;
  const lines = [
    `${recording.format}, ${recording.leads.length} leads, ${recording.sampleRateHz} Hz, ${(recording.durationMs / 1000).toFixed(1)} s, ${beats.length} beats`,
    ...measurementCells(measurements).map(([label, value]) => `  ${label.padEnd(18)}${value}`),
    `Severity: ${severity === undefined ? 'not determined' : SEVERITY_WORDS.en[severity]}`,
    ...statements.map((statement) => `  • ${statement.text}`),
    notAssessedText(notAssessed, 'en'),
    ...warnings.map((warning) => `Warning: ${warning.message}`),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

interface Wanted {
  readonly json: string | undefined;
  readonly pdf: string | undefined;
  readonly csv: string | undefined;
  readonly atr: string | undefined;
  readonly look: ReportLook;
  readonly shard: Shard | undefined;
  readonly mayResume: boolean;
}

function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const shard = parseShard(text);
  if (shard === undefined) throw usageError('--shard takes a part of a whole, as in 3/64.', analyseCommand);
  return shard;
}

function wantedOf(args: Arguments): Wanted {
  const wanted = {
    json: args.text('json'),
    pdf: args.text('pdf'),
    csv: args.text('csv'),
    atr: args.text('atr'),
    look: {
      language: parseSetting('report.language', args.text('language') ?? 'en') as Language,
      paper: parseSetting('report.paper', args.text('paper') ?? 'A4') as 'A4' | 'Letter',
      withSuspicions: args.isOn('suspicions'),
      channels: args.text('channels'),
    },
    shard: shardOf(args.text('shard')),
    mayResume: args.isOn('resume'),
  };
  if (wanted.pdf === STANDARD_OUTPUT) throw usageError('--pdf takes the name of a file.', analyseCommand);
  if (wanted.atr === STANDARD_OUTPUT) throw usageError('--atr takes the name of a file.', analyseCommand);
  if (wanted.json === STANDARD_OUTPUT && wanted.csv === STANDARD_OUTPUT)
    throw usageError('Only one of --json and --csv can be the standard output.', analyseCommand);
  if (wanted.shard !== undefined && wanted.csv === STANDARD_OUTPUT)
    throw usageError('With --shard, --csv takes the name of a file.', analyseCommand);
  if (wanted.mayResume && !isFile(wanted.csv))
    throw usageError('--resume goes on behind the rows of --csv, which must be a file.', analyseCommand);
  return wanted;
}

const isFile = (name: string | undefined): name is string => name !== undefined && name !== STANDARD_OUTPUT;

/** @returns false where the file is an archive of several recordings, with nothing done */
async function runOne(pool: RunningPool, path: string, wanted: Wanted): Promise<boolean> {
  const { json, pdf, csv, atr, look } = wanted;
  using opened = await openRecords(path);
  if (opened.records.length > 1) return false;
  const { name, files } = theOnlyRecord(opened);
  requireFreeOutputs([json, pdf, csv, atr].filter(isFile), [{ name: path, path }, ...files], analyseCommand);
  const outputs = { json: isFile(json) ? json : undefined, pdf, atr };
  const result = await analyseRecord(pool, files, outputs, look);
  const table = `${ROW_NAMES}\n${resultRow(withoutEnding(name), result)}`;
  if (isFile(csv)) await writeWhole(csv, `${table}\n`);
  if (json === STANDARD_OUTPUT) print(jsonOf(result));
  else if (csv === STANDARD_OUTPUT) print(table);
  else print(summarise(result));
  return true;
}

/** Nothing that is there already is written over: it may be one of the recordings. */
function requireNewOutputs({ json, pdf, csv, atr }: Wanted): void {
  for (const folder of [json, pdf, atr].filter(isFile))
    if (existsSync(folder) && !isFolder(folder))
      throw usageError(`"${folder}" is a file. With several recordings, name a folder.`, analyseCommand);
  if (isFile(csv) && existsSync(csv))
    throw usageError(`"${csv}" is already there. Choose another name.`, analyseCommand);
}

async function runMany(
  pool: RunningPool,
  atATime: number,
  paths: readonly string[],
  wanted: Wanted,
): Promise<void> {
  const { json, pdf, csv, atr, look, shard, mayResume } = wanted;
  if (json === STANDARD_OUTPUT)
    throw usageError('With several recordings, --json takes the name of a folder.', analyseCommand);
  // After a failure, people start all shards again, also those that are complete.
  if (mayResume && isFile(csv) && existsSync(csv)) return print(`"${csv}" is whole already.`);
  requireNewOutputs(wanted);
  const isQuiet = csv === STANDARD_OUTPUT;
  // Where the recordings lie, and where results go, may differ from computer to computer.
  const common = JSON.stringify({ ANALYSIS_VERSION, look });
  const asked = JSON.stringify({ common, paths, shard, json, pdf, atr });
  using table = isFile(csv) ? new TableFile({ path: csv, head: ROW_NAMES, asked, mayResume }) : undefined;
  const resumed = table?.isResumed === true ? table.done : undefined;
  if (resumed !== undefined && resumed.length > 0 && !isQuiet)
    print(`${resumed.length} recordings were done before.`);
  if (isQuiet) print(ROW_NAMES);
  let row = resumed?.length ?? 0;
  const onRow = (cells: string): void => {
    const line = shard === undefined ? cells : `${cells}${partCell(shard, row++)}`;
    if (isQuiet) print(line);
    else table?.add(line);
  };
  const { analysed, failed, ignored, dealt } = await analyseMany(pool, paths, atATime, {
    folders: { json, pdf, atr },
    onRow: csv === undefined ? undefined : onRow,
    isQuiet,
    look,
    shard,
    asked: common,
    resumed,
  });
  await table?.finish(shard === undefined ? '' : partHead(shard, dealt));
  if (dealt.total === 0)
    throw new IsolineError('no_ecg_record', 'There is no recording in a supported format.');
  const counts = [
    `${analysed} analysed`,
    ...(failed > 0 ? [`${failed} not readable`] : []),
    ...(ignored > 0 ? [`${ignored} ${ignored === 1 ? 'file' : 'files'} left out`] : []),
  ];
  if (!isQuiet) print(`${counts.join(', ')}.`);
  if (failed > 0) process.exitCode = 1;
}

export const analyseCommand: Command = {
  name: 'analyse',
  usage:
    'PATH… [--json OUT|-] [--pdf OUT] [--csv OUT|-] [--atr OUT] [--shard K/N] [--resume] [--channels CHANNELS] [--paper A4|Letter] [--language en|es] [--suspicions]',
  options: {
    json: {
      value: 'OUT',
      meaning: 'Write the result as JSON to a file, or to the standard output with "-".',
    },
    pdf: { value: 'OUT', meaning: 'Write the report as PDF to a file.' },
    csv: { value: 'OUT', meaning: 'Write a table with one row a recording to a file, or with "-".' },
    atr: { value: 'OUT', meaning: 'Write beats and rhythms as annotations in the MIT (WFDB) format.' },
    channels: CHANNELS_OPTION,
    language: { value: 'LANGUAGE', meaning: 'Language of the report: en (default) or es.' },
    paper: { value: 'PAPER', meaning: 'A4 (default) or Letter.' },
    shard: {
      value: 'K/N',
      meaning:
        'Analyse every N-th recording from the K-th on, so that N runs share them. "isoline merge" joins their tables.',
    },
    resume: {
      meaning: 'Go on with a run that was cut off: what stands in OUT.part of --csv is not done again.',
    },
    suspicions: {
      meaning: 'Also report possible Wellens, de Winter, Brugada and hyperkalaemia patterns.',
    },
  },
  notes:
    'With several files or a folder, the OUT of --json, --pdf and --atr is a folder, and gets one file for each recording. Nothing that is there already is written over.',
  positionals: [1, Number.POSITIVE_INFINITY],
  async run(args) {
    const wanted = wantedOf(args);
    const [path, ...others] = args.positionals as readonly [string, ...string[]];
    const isOne = others.length === 0 && !isFolder(path);
    const workers = availableParallelism();
    const pool = startPool({ workers, timeLimitSeconds: TIME_LIMIT_SECONDS, log: () => undefined });
    try {
      const isDone =
        isOne && wanted.shard === undefined && !wanted.mayResume && (await runOne(pool, path, wanted));
      if (!isDone) await runMany(pool, workers, args.positionals, wanted);
    } finally {
      await pool.close();
    }
  },
};
