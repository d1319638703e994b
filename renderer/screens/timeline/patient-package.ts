// The recordings of a patient as one zip file, for handing over: reports, signals, results, a list. Each piece is asked
// for by itself, so that one recording at a time is in memory beside the file.

import { BlobWriter, configure, TextReader, Uint8ArrayReader, ZipWriter } from '@zip.js/zip.js';
import type { Bridge } from '../../../shared/bridge/contract.ts';
import type { TaskRow } from '../../../shared/bridge/views.ts';
import { csvTable } from '../../../shared/csv-field.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import type { ExportFormat } from '../../../shared/export-formats.ts';
import type { Warning } from '../../../shared/signal/recording.ts';

// Workers would be started from a blob, which no page of ours may do (SEC3).
configure({ useWebWorkers: false });

const COLUMNS = [
  'task',
  'recorded (UTC)',
  'received (UTC)',
  'last name',
  'first name',
  'birth date',
  'patient ID',
  'seconds',
  'leads',
  'state',
  'severity',
  'approved by',
  'simulated',
  'files',
  'not kept as it was',
];
/** Why a piece is not there: the list names the reason instead of the file. */
const ABSENT: ReadonlySet<Reason> = new Set(['report_not_available', 'format_unsuitable']);
/** Why a piece that was there cannot be read: somebody should know before the file is handed over. */
const DAMAGED: ReadonlySet<Reason> = new Set(['report_damaged', 'record_unreadable']);

export interface PatientPackage {
  readonly file: Blob;
  /** Pieces that are there no more, or cannot be read. */
  readonly damaged: number;
}

type Piece = () => Promise<{
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly warnings: readonly Pick<Warning, 'message'>[];
}>;

/** EDF+ where the recording fits into it, else WFDB. */
const piecesOf = (bridge: Bridge, { taskId }: TaskRow): readonly (readonly Piece[])[] => {
  const exported =
    (format: ExportFormat): Piece =>
    () =>
      bridge.call('recording.export', { taskId, format });
  return [
    [
      async () => ({
        name: 'report.pdf',
        bytes: (await bridge.call('report.read', { taskId })).pdf,
        warnings: [],
      }),
    ],
    [exported('edf'), exported('wfdb')],
    [exported('json')],
  ];
};

/** The first that is there. @returns why none is */
async function firstOf(pieces: readonly Piece[]): Promise<Awaited<ReturnType<Piece>> | Reason> {
  let reason: Reason = 'report_not_available';
  for (const piece of pieces)
    try {
      return await piece();
    } catch (error) {
      if (!(error instanceof IsolineError)) throw error;
      ({ reason } = error);
      if (!ABSENT.has(reason) && !DAMAGED.has(reason)) throw error;
    }
  return reason;
}

const timeOf = (ms: number | undefined): string => (ms === undefined ? '' : new Date(ms).toISOString());

const lineOf = (row: TaskRow, files: readonly string[], changes: readonly string[]): string[] => [
  String(row.taskId),
  timeOf(row.recordingStartMs),
  timeOf(row.createdMs),
  row.patient.lastName ?? '',
  row.patient.firstName ?? '',
  row.patient.birthDate ?? '',
  row.patient.id ?? '',
  row.durationMs === undefined ? '' : String(row.durationMs / 1000),
  String(row.leadCount ?? ''),
  row.state,
  row.severity ?? '',
  row.approvedBy ?? '',
  row.isSimulated === true ? 'yes' : 'no',
  files.join(' '),
  changes.join(' '),
];

/**
 * @param readMe what stands in the file, for whoever opens it
 * @throws IsolineError what a piece threw, but for those that are not there: the list says so
 */
export async function packPatient(
  bridge: Bridge,
  recordings: readonly TaskRow[],
  readMe: string,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<PatientPackage> {
  const zip = new ZipWriter(new BlobWriter('application/zip'));
  const lines = [COLUMNS];
  let damaged = 0;
  for (const [i, row] of recordings.entries()) {
    const files: string[] = [];
    const changes: string[] = [];
    for (const pieces of piecesOf(bridge, row)) {
      signal.throwIfAborted();
      const found = await firstOf(pieces);
      if (typeof found === 'string') {
        if (DAMAGED.has(found)) damaged++;
        files.push(`(${found})`);
        continue;
      }
      const name = `ecg-${row.taskId}/${found.name}`;
      await zip.add(name, new Uint8ArrayReader(found.bytes));
      files.push(name);
      changes.push(...found.warnings.map(({ message }) => message));
    }
    lines.push(lineOf(row, files, changes));
    onProgress(i + 1);
  }
  await zip.add('list.csv', new TextReader(csvTable(lines)));
  await zip.add('READ ME.txt', new TextReader(readMe));
  return { file: await zip.close(), damaged };
}
