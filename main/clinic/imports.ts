// Imports by hand: files that a screen hands over in pieces become recordings and tasks. What is there already is opened, not
// stored a second time (E50).

import type { ImportedRecord } from '../../shared/bridge/contract.ts';
import { IsolineError, type Reason } from '../../shared/errors.ts';
import { base32Id, type ClinicContext, change } from './context.ts';
import type { IncomingFile, RecordDescription, StoredFile } from './ports.ts';
import { identityOf, type Tasks } from './tasks.ts';

const ID_LENGTH = 20;
const LIFE_MS = 3_600_000;

interface ImportedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly incomingId: string;
  readonly file: IncomingFile;
  /** Pieces come in order, so this is also how much is there. */
  receivedBytes: number;
}

interface OpenImport {
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

  async open(files: readonly { name: string; sizeBytes: number }[]): Promise<string> {
    await this.#closeForgotten();
    const total = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    const free = await this.#context.files.freeBytes();
    if (free - total < this.#context.settings()['storage.reserve'])
      throw new IsolineError('storage_full', 'There is not enough room on the disk for these files. Make room and import them again.');
    const importId = base32Id(this.#context.randomBytes, ID_LENGTH);
    const opened: ImportedFile[] = [];
    try {
      for (const [index, { name, sizeBytes }] of files.entries()) {
        const incomingId = `import-${importId}-${index}`;
        await this.#context.files.createIncoming(incomingId);
        const file = await this.#context.files.openIncoming(incomingId);
        if (file === undefined) throw new Error('the file just made is gone');
        opened.push({ name, sizeBytes, incomingId, file, receivedBytes: 0 });
      }
    } catch (error) {
      await this.#discard(opened);
      throw error;
    }
    this.#open.set(importId, { files: opened, touchedMs: this.#context.clock.nowMs() });
    return importId;
  }

  async write(importId: string, fileIndex: number, offsetBytes: number, bytes: Uint8Array): Promise<void> {
    const open = this.#find(importId);
    const file = open.files[fileIndex];
    if (file === undefined || offsetBytes !== file.receivedBytes || offsetBytes + bytes.length > file.sizeBytes)
      throw new IsolineError('invalid_message', 'A piece of the file came out of order. Import the file again.');
    await file.file.write(offsetBytes, bytes);
    file.receivedBytes += bytes.length;
    open.touchedMs = this.#context.clock.nowMs();
  }

  /** Stores the files, finds the records among them and makes a task of each. One bad record doesn't stop the others. */
  async finish(importId: string, isAutoComplete: boolean, actor: string): Promise<{ records: ImportedRecord[]; ignored: string[] }> {
    const { files: imported } = this.#find(importId);
    if (imported.some((file) => file.receivedBytes !== file.sizeBytes))
      throw new IsolineError('invalid_message', 'The files did not arrive completely. Import them again.');
    this.#open.delete(importId);
    const { files, pool } = this.#context;
    try {
      for (const { file } of imported) {
        await file.sync();
        await file.close();
      }
      const { records, unclaimed } = await pool.describe(
        imported.map((file) => ({ name: file.name, path: files.incomingPath(file.incomingId) })),
      );
      const outcomes: ImportedRecord[] = [];
      const kept = new Map<number, StoredFile>();
      for (const record of records) outcomes.push(await this.#take(record, imported, kept, isAutoComplete, actor));
      return { records: outcomes, ignored: unclaimed.map((index) => imported[index]?.name ?? '') };
    } finally {
      await this.#discard(imported);
    }
  }

  async cancel(importId: string): Promise<void> {
    const { files } = this.#find(importId);
    this.#open.delete(importId);
    await this.#discard(files);
  }

  async close(): Promise<void> {
    for (const { files } of this.#open.values()) await this.#discard(files);
    this.#open.clear();
  }

  #find(importId: string): OpenImport {
    const found = this.#open.get(importId);
    if (found === undefined) throw new IsolineError('import_not_found', 'This import was ended. Import the files again.');
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
    for (const { file, incomingId } of files) {
      await file.close();
      await this.#context.files.removeIncoming(incomingId);
    }
  }

  /** A file by its content. It stays where it came in until a record keeps it; two records may share one. */
  async #identify(index: number, imported: readonly ImportedFile[], kept: ReadonlyMap<number, StoredFile>): Promise<StoredFile> {
    const known = kept.get(index);
    if (known !== undefined) return known;
    const { name, sizeBytes, incomingId } = imported[index] as ImportedFile;
    return { name, sizeBytes, sha256: await this.#context.pool.hash(this.#context.files.incomingPath(incomingId)) };
  }

  async #take(
    record: RecordDescription,
    imported: readonly ImportedFile[],
    kept: Map<number, StoredFile>,
    isAutoComplete: boolean,
    actor: string,
  ): Promise<ImportedRecord> {
    if (!record.outcome.ok) return { name: record.name, reason: record.outcome.reason satisfies Reason, message: record.outcome.message };
    const { files, store } = this.#context;
    const stored: StoredFile[] = [];
    for (const index of record.fileIndices) stored.push(await this.#identify(index, imported, kept));
    const known = store.recordings.bySha256(identityOf(stored));
    const earlier = known === undefined ? undefined : store.tasks.byRecording(known.id).find((task) => task.state !== 'DELETED');
    if (earlier !== undefined) return { name: record.name, taskId: earlier.id, isKnown: true };
    for (const [position, index] of record.fileIndices.entries()) {
      if (kept.has(index)) continue;
      const file = stored[position] as StoredFile;
      await files.adopt((imported[index] as ImportedFile).incomingId, file.sha256);
      kept.set(index, file);
    }
    const { facts } = record.outcome;
    const taskId = change(this.#context, () => {
      const made = this.#tasks.addRecorded({
        organizationId: this.#organizationId,
        fields: {},
        isAutoComplete,
        origin: 'import',
        files: stored,
        facts,
        actor,
      });
      return { result: made.taskId, notes: made.notes };
    });
    this.#tasks.announceQueued(taskId);
    return { name: record.name, taskId };
  }
}
