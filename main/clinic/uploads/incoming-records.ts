// What an upload brings: the one recording that it is, or the recordings of the archive that it is that can be read. D53, D55 to D57.

import { posix } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { base32Id, type ClinicContext } from '../context.ts';
import type { FileDescriptions, PoolFile, RecordDescription } from '../ports.ts';
import type { RecordingFacts, StoredFile } from '../tasks/records.ts';

const MAX_RECORDS = 1000;
const ID_LENGTH = 20;

export interface IncomingRecord {
  readonly files: readonly StoredFile[];
  readonly facts: RecordingFacts;
  /** The warnings of the archive; the recording's own are among its facts. */
  readonly warnings: readonly Warning[];
}

/** A file that ends its worker is the file's fault (D106). */
const orUnreadable = (error: unknown): never => {
  if (error instanceof IsolineError && error.reason === 'analysis_crashed')
    throw new IsolineError('record_unreadable', 'The file cannot be read.', {}, { cause: error });
  throw error;
};

function factsOf(record: RecordDescription, position: string): RecordingFacts {
  const { outcome } = record;
  if (!outcome.ok) throw new IsolineError(outcome.reason, `${position}${outcome.message}`);
  return outcome.facts;
}

/** A file that has come in and is not stored yet. */
export interface ArrivedFile {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Where it is known already, so that nobody reads the file for it. */
  readonly sha256?: string;
  /** Moves it to its place by content. */
  adopt(sha256: string): Promise<void>;
}

/**
 * Identifies arrived files by their content, and stores those that a record keeps. Two records may share a
 * file.
 */
export class ArrivedFiles {
  readonly #context: ClinicContext;
  readonly #known = new Map<ArrivedFile, StoredFile>();
  readonly #kept = new Set<ArrivedFile>();

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  async identify(files: readonly ArrivedFile[]): Promise<StoredFile[]> {
    const stored: StoredFile[] = [];
    for (const file of files) {
      const known = this.#known.get(file) ?? {
        // As the record's other files know it.
        name: posix.basename(file.name),
        sizeBytes: file.sizeBytes,
        sha256: file.sha256 ?? (await this.#context.pool.hash(file.path)),
      };
      this.#known.set(file, known);
      stored.push(known);
    }
    return stored;
  }

  async keep(files: readonly ArrivedFile[]): Promise<StoredFile[]> {
    const stored = await this.identify(files);
    for (const [i, file] of files.entries()) {
      if (this.#kept.has(file)) continue;
      await file.adopt((stored[i] as StoredFile).sha256);
      this.#kept.add(file);
    }
    return stored;
  }
}

export interface UnpackedArchive {
  readonly files: readonly ArrivedFile[];
  readonly warnings: readonly Warning[];
}

/** Unpacks an archive while `use` works on its files. */
export async function withUnpacked<T>(
  context: ClinicContext,
  file: PoolFile,
  use: (archive: UnpackedArchive) => Promise<T>,
): Promise<T> {
  const { files, pool, randomBytes } = context;
  const folderId = base32Id(randomBytes, ID_LENGTH);
  const folder = await files.makeUnpackFolder(folderId);
  try {
    const unpacked = await pool.unpack(file, folder).catch(orUnreadable);
    const arrived = unpacked.files.map(
      (each): ArrivedFile => ({ ...each, adopt: (sha256) => files.adoptUnpacked(each.path, sha256) }),
    );
    return await use({ files: arrived, warnings: unpacked.warnings });
  } finally {
    await files.removeUnpackFolder(folderId);
  }
}

const forPool = (files: readonly ArrivedFile[]): PoolFile[] =>
  files.map(({ name, path }) => ({ name, path }));

/** The files of one record, named as it knows them: without their folder. */
export const ofOneRecord = (files: readonly ArrivedFile[]): PoolFile[] =>
  files.map(({ name, path }) => ({ name: posix.basename(name), path }));

/** The reason is told of so many. */
const MOST_NAMED = 20;

/** What of an archive belongs to no recording (D55, D56). */
export function leftOut({ archives, unclaimed }: FileDescriptions): Warning[] {
  return [
    ...(archives.length === 0 ? [] : [warning('nested_archive', { count: archives.length })]),
    ...(unclaimed.length === 0 ? [] : [warning('files_ignored', { count: unclaimed.length })]),
  ];
}

/** The reasons that have words of their own; whatever else a reader says comes down to the last one. */
const TOLD = [
  'record_incomplete',
  'no_ecg_record',
  'record_too_long',
  'empty_file',
  'record_unreadable',
] as const;
const told = (reason: string): (typeof TOLD)[number] =>
  TOLD.find((known) => known === reason) ?? 'record_unreadable';

/**
 * Recordings beside those that are taken, each with its place and the reason why it is not. Names of files, which sentences of readers
 * hold as well, may be those of other patients.
 */
function refusedBeside({ records }: Pick<FileDescriptions, 'records'>): Warning[] {
  const refused = records.flatMap(({ outcome }, i) =>
    outcome.ok
      ? []
      : [warning(`record_left_out.${told(outcome.reason)}`, { place: i + 1, count: records.length })],
  );
  const more = refused.length - MOST_NAMED;
  return more <= 0
    ? refused
    : [...refused.slice(0, MOST_NAMED), warning('record_left_out.more', { count: more })];
}

/** A record with what a person said of earlier ones with the same channels, where that makes it one. */
export async function withRemembered(
  { store, pool }: Pick<ClinicContext, 'store' | 'pool'>,
  organizationId: number,
  record: RecordDescription,
  files: readonly ArrivedFile[],
): Promise<RecordDescription> {
  const { outcome } = record;
  if (outcome.ok || outcome.channelsKey === undefined) return record;
  const channels = store.channelChoices.of(organizationId, outcome.channelsKey);
  return channels === undefined
    ? record
    : { ...record, outcome: await pool.describeChosen({ files: ofOneRecord(files), channels }) };
}

async function recordsOfArchive(
  context: ClinicContext,
  organizationId: number,
  { files, warnings }: UnpackedArchive,
): Promise<IncomingRecord[]> {
  const described = await context.pool.describe(forPool(files)).catch(orUnreadable);
  const { found } = described;
  const records: RecordDescription[] = [];
  for (const record of described.records) {
    const own = record.fileIndices.map((index) => files[index] as ArrivedFile);
    records.push(await withRemembered(context, organizationId, record, own).catch(orUnreadable));
  }
  if (found === 0)
    throw new IsolineError(
      'no_ecg_record',
      `None of the ${files.length} files in the archive is a recording in a supported format.`,
    );
  if (found > MAX_RECORDS)
    throw new IsolineError(
      'too_many_records',
      `The archive contains ${found} recordings. At most ${MAX_RECORDS} can be sent at once.`,
    );
  const good = records.filter(({ outcome }) => outcome.ok);
  // Where no recording can be taken, the archive is refused with the reason of the first.
  if (good.length === 0)
    factsOf(records[0] as RecordDescription, found > 1 ? `Recording 1 of ${found}: ` : '');
  const beside = [...warnings, ...leftOut(described), ...refusedBeside({ records })];
  const arrived = new ArrivedFiles(context);
  const taken: IncomingRecord[] = [];
  for (const record of good) {
    const kept = await arrived.keep(record.fileIndices.map((index) => files[index] as ArrivedFile));
    taken.push({
      files: kept,
      facts: factsOf(record, ''),
      warnings: beside,
    });
  }
  return taken;
}

/**
 * @param upload the stored bytes of a complete upload, which carry no name: content alone tells what they are
 * @throws IsolineError with the reason of the archive, or, where no recording of it can be taken on, of the first
 */
export async function recordsOfUpload(
  context: ClinicContext,
  organizationId: number,
  upload: Omit<StoredFile, 'name'>,
): Promise<IncomingRecord[]> {
  const file: PoolFile = { name: 'upload', path: context.files.path(upload.sha256) };
  const { records, archives } = await context.pool.describe([file]).catch(orUnreadable);
  if (archives.length > 0)
    return withUnpacked(context, file, (archive) => recordsOfArchive(context, organizationId, archive));
  const arrived: ArrivedFile = { ...file, sizeBytes: upload.sizeBytes, adopt: async () => undefined };
  const record = await withRemembered(context, organizationId, records[0] as RecordDescription, [arrived]);
  return [{ files: [{ name: file.name, ...upload }], facts: factsOf(record, ''), warnings: [] }];
}
