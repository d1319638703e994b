// `isoline verify`: whether a report is one that was approved here, unchanged, and whether what it carries is what its sheet
// says; or whether a backup is whole.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import type { StoredReport } from '../../clinic/tasks/records.ts';
import { type PdfAttachment, pdfAttachments } from '../../formats/archive/pdf.ts';
import { bufferSource } from '../../formats/byte-source.ts';
import { type ReportSheet, readReportSheet, SHEET_NAME } from '../../ground/report-attachments.ts';
import { BackupFolder } from '../../store/backup/backup-folder.ts';
import { verifyBackups } from '../../store/backup/verify-backup.ts';
import { openDataStore } from '../data-folder.ts';
import { megabytes } from './backup.ts';
import { KEY_OPTIONS, keySourceOf } from './backup-key-options.ts';
import { type Arguments, type Command, print } from './command.ts';

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function readPdf(path: string): Uint8Array {
  if (!existsSync(path)) throw new IsolineError('file_not_found', `There is no file "${path}".`);
  const bytes = readFileSync(path);
  if (bytes.subarray(0, 5).toString('latin1') !== '%PDF-')
    throw new IsolineError('report_damaged', 'This is not a PDF, or its beginning was changed.');
  return bytes;
}

function sheetOf(attachments: readonly PdfAttachment[]): ReportSheet | undefined {
  const sheet = attachments.find(({ name }) => name === SHEET_NAME);
  return sheet && readReportSheet(Buffer.from(sheet.bytes).toString('utf8'));
}

/** Files that are not what the sheet says of them, or are missing. */
function changedFiles(attachments: readonly PdfAttachment[], { files }: ReportSheet): string[] {
  return Object.entries(files).flatMap(([name, sha256]) => {
    const file = attachments.find((each) => each.name === name);
    return file !== undefined && sha256Of(file.bytes) === sha256 ? [] : [name];
  });
}

const changed = (what: string): IsolineError =>
  new IsolineError('report_damaged', `${what} Do not rely on it.`);

/** What a changed file claims to be. */
const claimOf = (sheet: ReportSheet | undefined): string =>
  sheet?.taskId === undefined || sheet.revision === undefined
    ? ''
    : ` It claims to be version ${sheet.revision} of task ${sheet.taskId}.`;

function describe({ taskId, revision, look }: StoredReport, isNewest: boolean): string {
  const { approval } = look;
  const who =
    approval.kind === 'approved'
      ? `approved by ${approval.by} on ${new Date(approval.atMs).toISOString()}`
      : 'made by the program, not read by a physician';
  const newest = isNewest ? '' : ' A newer version was approved since.';
  return `Unchanged: version ${revision} of task ${taskId}, ${who}.${newest}`;
}

function storedReport(
  dataDir: string,
  sha256: string,
): { report: StoredReport; isNewest: boolean } | undefined {
  using store = openDataStore(dataDir, 'command');
  const report = store.reports.bySha256(sha256);
  return report && { report, isNewest: store.reports.latest(report.taskId)?.revision === report.revision };
}

async function verifyBackup(path: string, args: Arguments): Promise<void> {
  const folder = await BackupFolder.open(path, (await keySourceOf(args)) ?? { kind: 'none' });
  const { backups, files, sizeBytes, newest } = await verifyBackups(folder);
  print(
    `Whole: ${backups === 1 ? '1 backup' : `${backups} backups`}, ${files} files, ${megabytes(sizeBytes)}. The newest is from ${new Date(newest.snapshot.createdMs).toISOString()} and has ${newest.snapshot.rows.task ?? 0} tasks.`,
  );
  const { missing } = newest.snapshot;
  if (missing.length > 0)
    print(`Lost before it was made: ${missing.length} files, the first is ${missing[0]}.`);
}

export const verifyCommand: Command = {
  name: 'verify',
  usage: 'REPORT.pdf --data-dir D, or FOLDER [--passphrase | --key-file F]',
  options: {
    ...KEY_OPTIONS,
    'data-dir': {
      value: 'D',
      meaning: 'The data folder of the workstation. Without it, only the attached files are checked.',
    },
  },
  positionals: [1, 1],
  async run(args) {
    const path = resolve(args.positionals[0] as string);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return verifyBackup(path, args);
    const bytes = readPdf(path);
    const dataDir = args.text('data-dir');
    if (dataDir !== undefined && !existsSync(join(resolve(dataDir), 'isoline.sqlite')))
      throw new IsolineError('data_folder_unusable', `There is no data folder at "${resolve(dataDir)}".`);
    const stored = dataDir !== undefined ? storedReport(resolve(dataDir), sha256Of(bytes)) : undefined;
    if (stored !== undefined) return print(describe(stored.report, stored.isNewest));
    const attachments = await pdfAttachments(bufferSource(bytes)).catch(() => []);
    const sheet = sheetOf(attachments);
    if (sheet !== undefined) {
      const files = changedFiles(attachments, sheet);
      if (files.length > 0) throw changed(`The attached ${files.join(' and ')} was changed.`);
    }
    if (dataDir !== undefined)
      throw changed(`This is not a report of this workstation, or it was changed.${claimOf(sheet)}`);
    if (sheet === undefined)
      throw changed('Nothing is attached that could be checked. Name the data folder with --data-dir.');
    print(
      `The attached files match their sheet, which anyone could rewrite.${claimOf(sheet)} Whether the report is unchanged, only the workstation can tell: name its data folder with --data-dir.`,
    );
  },
};
