// Imports by hand: files that a screen hands over in pieces become recordings and tasks. What is there
// already is opened, not stored a second time (E50).

import type { ImportedRecord } from '../../../shared/bridge/views.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import { base32Id, type ClinicContext, change } from '../context.ts';
import type { Caller } from '../people/sessions.ts';
import type { IncomingFile, RecordDescription } from '../ports.ts';
import { identityOf, type Tasks } from '../tasks/tasks.ts';
import { type ArrivedFile, ArrivedFiles, leftOut, withUnpacked } from './incoming-records.ts';

const ID_LENGTH = 20;
const LIFE_MS = 3_600_000;

interface ImportedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly incomingId: string;
  /** Pieces come in order, so this is also how much is there. */
  receivedBytes: number;
}

interface OpenImport {
  /** The page that hands the files over; no other one may touch the import. */
  readonly session: string;
  readonly files: readonly ImportedFile[];
  /** When the last piece came. */
  touchedMs: number;
}

export class Imports {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #organizationId: number;
  readonly #open = new Map<string, OpenImport>();

  constructor(context: ClinicContext, tasks: Tasks, organizationId: number) {
    this.#context = context;
    this.#tasks = tasks;
    this.#organizationId = organizationId;
  }

  async open(files: readonly { name: string; sizeBytes: number }[], session: string): Promise<string> {
    await this.#closeForgotten();
    const total = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const free = await this.#context.files.freeBytes();
    if (free - total < this.#context.settings()['storage.reserve'])
      throw new IsolineError(
        'storage_full',
        'There is not enough disk space for these files. Free some space and import them again.',
      );
    const importId = base32Id(this.#context.randomBytes, ID_LENGTH);
    const opened: ImportedFile[] = [];
    try {
      for (const [index, { name, sizeBytes }] of files.entries()) {
        const incomingId = `import-${importId}-${index}`;
        await this.#context.files.createIncoming(incomingId);
        opened.push({ name, sizeBytes, incomingId, receivedBytes: 0 });
      }
    } catch (error) {
      await this.#discard(opened);
      throw error;
    }
    this.#open.set(importId, { session, files: opened, touchedMs: this.#context.clock.nowMs() });
    return importId;
  }

  async write(
    importId: string,
    fileIndex: number,
    offsetBytes: number,
    bytes: Uint8Array,
    session: string,
  ): Promise<void> {
    const open = this.#find(importId, session);
    const file = open.files[fileIndex];
    if (
      file === undefined ||
      offsetBytes !== file.receivedBytes ||
      offsetBytes + bytes.length > file.sizeBytes
    )
      throw new IsolineError(
        'invalid_message',
        'Part of the file arrived out of order. Import the file again.',
      );
    // Taken before anything is waited for, so that two equal pieces are not both in order.
    file.receivedBytes += bytes.length;
    await this.#withFile(file, (incoming) => incoming.write(offsetBytes, bytes));
    open.touchedMs = this.#context.clock.nowMs();
  }

  /**
   * Stores the files, finds the records among them and makes a task of each. One bad record doesn't stop the
   * others.
   */
  async finish(
    importId: string,
    isAutoComplete: boolean,
    { actor, session }: Pick<Caller, 'actor' | 'session'>,
  ): Promise<{ records: ImportedRecord[]; ignored: string[] }> {
    const { files: imported } = this.#find(importId, session);
    if (imported.some((file) => file.receivedBytes !== file.sizeBytes))
      throw new IsolineError('invalid_message', 'The files did not arrive completely. Import them again.');
    this.#open.delete(importId);
    const { files, pool } = this.#context;
    try {
      for (const file of imported) await this.#withFile(file, (incoming) => incoming.sync());
      const arrived = imported.map(
        ({ name, sizeBytes, incomingId }): ArrivedFile => ({
          name,
          sizeBytes,
          path: files.incomingPath(incomingId),
          adopt: (sha256) => files.adopt(incomingId, sha256),
        }),
      );
      const { records, archives, unclaimed } = await pool.describe(
        arrived.map(({ name, path }) => ({ name, path })),
      );
      const outcomes = await this.#takeAll(records, arrived, [], isAutoComplete, actor);
      for (const index of archives)
        outcomes.push(...(await this.#takeArchive(arrived[index] as ArrivedFile, isAutoComplete, actor)));
      return { records: outcomes, ignored: unclaimed.map((index) => imported[index]?.name ?? '') };
    } finally {
      await this.#discard(imported);
    }
  }

  async cancel(importId: string, session: string): Promise<void> {
    const { files } = this.#find(importId, session);
    this.#open.delete(importId);
    await this.#discard(files);
  }

  async close(): Promise<void> {
    for (const { files } of this.#open.values()) await this.#discard(files);
    this.#open.clear();
  }

  #find(importId: string, session: string): OpenImport {
    const found = this.#open.get(importId);
    if (found?.session !== session)
      throw new IsolineError('import_not_found', 'This import has ended. Import the files again.');
    return found;
  }

  /** A window that was closed in the middle leaves its pieces behind. */
  async #closeForgotten(): Promise<void> {
    const limit = this.#context.clock.nowMs() - LIFE_MS;
    for (const [importId, { touchedMs, files }] of this.#open) {
      if (touchedMs >= limit) continue;
      this.#open.delete(importId);
      await this.#discard(files);
    }
  }

  async #discard(files: readonly ImportedFile[]): Promise<void> {
    for (const { incomingId } of files) await this.#context.files.removeIncoming(incomingId);
  }

  /**
   * Open for a moment only: an import of ten thousand files must not take the descriptors of everybody else.
   */
  async #withFile(
    { incomingId }: ImportedFile,
    work: (file: IncomingFile) => void | Promise<void>,
  ): Promise<void> {
    const file = await this.#context.files.openIncoming(incomingId);
    if (file === undefined)
      throw new IsolineError('import_not_found', 'This import has ended. Import the files again.');
    try {
      await work(file);
    } finally {
      await file.close();
    }
  }

  /** One bad record doesn't stop the others. */
  async #takeAll(
    records: readonly RecordDescription[],
    arrived: readonly ArrivedFile[],
    warnings: readonly Warning[],
    isAutoComplete: boolean,
    actor: string,
  ): Promise<ImportedRecord[]> {
    const kept = new ArrivedFiles(this.#context);
    const outcomes: ImportedRecord[] = [];
    for (const record of records) {
      const files = record.fileIndices.map((index) => arrived[index] as ArrivedFile);
      outcomes.push(await this.#take(record, files, kept, warnings, isAutoComplete, actor));
    }
    return outcomes;
  }

  async #takeArchive(
    archive: ArrivedFile,
    isAutoComplete: boolean,
    actor: string,
  ): Promise<ImportedRecord[]> {
    try {
      return await withUnpacked(
        this.#context,
        { name: archive.name, path: archive.path },
        async ({ files, warnings }) => {
          const described = await this.#context.pool.describe(
            files.map(({ name, path }) => ({ name, path })),
          );
          if (described.found === 0)
            throw new IsolineError(
              'no_ecg_record',
              'The archive contains no recording in a supported format.',
            );
          return this.#takeAll(
            described.records,
            files,
            [...warnings, ...leftOut(described)],
            isAutoComplete,
            actor,
          );
        },
      );
    } catch (error) {
      if (!(error instanceof IsolineError)) throw error;
      return [{ name: archive.name, reason: error.reason, message: error.message }];
    }
  }

  async #take(
    record: RecordDescription,
    files: readonly ArrivedFile[],
    arrived: ArrivedFiles,
    warnings: readonly Warning[],
    isAutoComplete: boolean,
    actor: string,
  ): Promise<ImportedRecord> {
    if (!record.outcome.ok)
      return {
        name: record.name,
        reason: record.outcome.reason satisfies Reason,
        message: record.outcome.message,
      };
    const { store } = this.#context;
    const known = store.recordings.bySha256(identityOf(await arrived.identify(files)));
    const earlier =
      known === undefined
        ? undefined
        : store.tasks.byRecording(known.id).find((task) => task.state !== 'DELETED');
    if (earlier !== undefined) return { name: record.name, taskId: earlier.id, isKnown: true };
    const stored = await arrived.keep(files);
    const { facts } = record.outcome;
    const taskId = await change(this.#context, (tx) => {
      const made = this.#tasks.addRecorded(tx, {
        organizationId: this.#organizationId,
        fields: { patient: {} },
        isAutoComplete,
        origin: 'import',
        files: stored,
        facts,
        warnings,
        actor,
      });
      return { result: made.taskId, notes: made.notes };
    });
    this.#tasks.announceQueued(taskId);
    return { name: record.name, taskId };
  }
}
