// Imports by hand: files that a screen hands over in pieces become recordings and tasks. What is there
// already is opened, not stored a second time (E50).

import type { ImportedRecord } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { ChannelChoice } from '../../../shared/signal/channel-choice.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import { base32Id, type ClinicContext, change } from '../context.ts';
import type { Caller } from '../people/sessions.ts';
import type { ChannelsView, IncomingFile, RecordDescription } from '../ports.ts';
import { noteOfChoice, requireFit } from '../tasks/channel-choices.ts';
import { identityOf, type Tasks } from '../tasks/tasks.ts';
import {
  type ArrivedFile,
  ArrivedFiles,
  leftOut,
  ofOneRecord,
  withRemembered,
  withUnpacked,
} from './incoming-records.ts';

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
  /** The files of each record that a person is asked about, the main one first. */
  readonly asked: Map<string, readonly ImportedFile[]>;
}

const importEnded = (): IsolineError =>
  new IsolineError('import_not_found', 'This import has ended. Import the files again.');

/** Nobody would know which of two files of one name is meant. */
const isAskedOnce = (outcomes: readonly ImportedRecord[], name: string): boolean => {
  const [only, ...others] = outcomes.filter((outcome) => outcome.name === name);
  return only?.isAsked === true && others.length === 0;
};

const withoutQuestion = ({ isAsked: _isAsked, ...outcome }: ImportedRecord): ImportedRecord => outcome;

/** What holds for all records that are taken together. */
interface Taking {
  readonly warnings: readonly Warning[];
  readonly isAutoComplete: boolean;
  readonly actor: string;
  /** What a person said of the channels of this one. */
  readonly chosen?: { readonly choice: ChannelChoice; readonly isForSame: boolean };
  /** The files of an archive are gone before anybody could be asked. */
  readonly isOfArchive?: boolean;
}

/** A file that a person was asked about. */
interface ChosenImport {
  readonly name: string;
  readonly choice: ChannelChoice;
  /** Also for those that come with the same list of channels. */
  readonly isForSame: boolean;
  readonly isAutoComplete: boolean;
}

export class Imports {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #organizationId: number;
  readonly #open = new Map<string, OpenImport>();
  /** Imports that are being finished, and whether somebody has given them up meanwhile. */
  readonly #finishing = new Map<string, { isGivenUp: boolean }>();

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
    this.#open.set(importId, {
      session,
      files: opened,
      touchedMs: this.#context.clock.nowMs(),
      asked: new Map(),
    });
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
  ): Promise<{ records: ImportedRecord[]; ignored: string[]; importId?: string }> {
    const open = this.#find(importId, session);
    const imported = open.files;
    if (open.asked.size > 0) throw importEnded();
    if (imported.some((file) => file.receivedBytes !== file.sizeBytes))
      throw new IsolineError('invalid_message', 'The files did not arrive completely. Import them again.');
    this.#open.delete(importId);
    const finishing = { isGivenUp: false };
    this.#finishing.set(importId, finishing);
    const { pool } = this.#context;
    try {
      for (const file of imported) await this.#withFile(file, (incoming) => incoming.sync());
      const arrived = imported.map((file) => this.#arrived(file));
      const { records, archives, unclaimed } = await pool.describe(
        arrived.map(({ name, path }) => ({ name, path })),
      );
      const outcomes = await this.#takeAll(records, arrived, { warnings: [], isAutoComplete, actor });
      for (const index of archives)
        outcomes.push(...(await this.#takeArchive(arrived[index] as ArrivedFile, isAutoComplete, actor)));
      for (const { name, fileIndices } of records)
        if (isAskedOnce(outcomes, name))
          open.asked.set(
            name,
            fileIndices.map((index) => imported[index] as ImportedFile),
          );
      if (finishing.isGivenUp) open.asked.clear();
      const isOpen = open.asked.size > 0;
      if (isOpen) this.#open.set(importId, { ...open, touchedMs: this.#context.clock.nowMs() });
      return {
        records: outcomes.map((outcome) =>
          open.asked.has(outcome.name) ? outcome : withoutQuestion(outcome),
        ),
        ignored: unclaimed.map((index) => imported[index]?.name ?? ''),
        ...(isOpen && { importId }),
      };
    } finally {
      this.#finishing.delete(importId);
      const kept = new Set(this.#open.has(importId) ? [...open.asked.values()].flat() : []);
      await this.#discard(imported.filter((file) => !kept.has(file)));
    }
  }

  /** The channels of a file that a person is asked about. */
  channels(importId: string, name: string, session: string): Promise<ChannelsView> {
    return this.#context.pool.channels(ofOneRecord(this.#asked(importId, name, session)));
  }

  /** Imports a file with the channels that a person has chosen. @throws IsolineError `invalid_channels` */
  async importChosen(
    importId: string,
    { name, choice, isForSame, isAutoComplete }: ChosenImport,
    { actor, session }: Pick<Caller, 'actor' | 'session'>,
  ): Promise<ImportedRecord> {
    const arrived = this.#asked(importId, name, session);
    const open = this.#find(importId, session);
    const claimed = open.asked.get(name) ?? [];
    const { pool } = this.#context;
    requireFit(await pool.channels(ofOneRecord(arrived)), choice);
    // From here on nobody else imports it, and where it comes to nothing it can be asked about again.
    if (!open.asked.delete(name)) throw importEnded();
    try {
      const outcome = await pool.describeChosen({ files: ofOneRecord(arrived), channels: choice });
      const record: RecordDescription = { name, fileIndices: arrived.map((_, i) => i), outcome };
      const kept = new ArrivedFiles(this.#context);
      const taking: Taking = { warnings: [], isAutoComplete, actor, chosen: { choice, isForSame } };
      const imported = await this.#take(record, arrived, kept, taking);
      await this.#discard(claimed);
      return imported;
    } catch (error) {
      open.asked.set(name, claimed);
      throw error;
    } finally {
      open.touchedMs = this.#context.clock.nowMs();
    }
  }

  #asked(importId: string, name: string, session: string): ArrivedFile[] {
    const files = this.#find(importId, session).asked.get(name);
    if (files === undefined) throw importEnded();
    return files.map((file) => this.#arrived(file));
  }

  #arrived({ name, sizeBytes, incomingId }: ImportedFile): ArrivedFile {
    const { files } = this.#context;
    return {
      name,
      sizeBytes,
      path: files.incomingPath(incomingId),
      adopt: (sha256) => files.adopt(incomingId, sha256),
    };
  }

  async cancel(importId: string, session: string): Promise<void> {
    const finishing = this.#finishing.get(importId);
    if (finishing !== undefined) {
      finishing.isGivenUp = true;
      return;
    }
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
    if (found?.session !== session) throw importEnded();
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
    if (file === undefined) throw importEnded();
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
    taking: Taking,
  ): Promise<ImportedRecord[]> {
    const kept = new ArrivedFiles(this.#context);
    const outcomes: ImportedRecord[] = [];
    for (const record of records) {
      const files = record.fileIndices.map((index) => arrived[index] as ArrivedFile);
      outcomes.push(await this.#take(record, files, kept, taking));
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
          return this.#takeAll(described.records, files, {
            warnings: [...warnings, ...leftOut(described)],
            isAutoComplete,
            actor,
            isOfArchive: true,
          });
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
    { warnings, isAutoComplete, actor, chosen, isOfArchive = false }: Taking,
  ): Promise<ImportedRecord> {
    const { name } = record;
    const { store, clock } = this.#context;
    const { outcome } = await withRemembered(this.#context, this.#organizationId, record, files);
    // What is here already is opened, not asked about once more.
    const mayBeHere = outcome.ok || outcome.channelsKey !== undefined;
    const known = mayBeHere
      ? store.recordings.bySha256(identityOf(await arrived.identify(files)))
      : undefined;
    const earlier =
      known === undefined
        ? undefined
        : store.tasks.byRecording(known.id).find((task) => task.state !== 'DELETED');
    if (earlier !== undefined) return { name, taskId: earlier.id, isKnown: true };
    if (!outcome.ok) {
      const { reason, message, channelsKey } = outcome;
      return { name, reason, message, ...(channelsKey !== undefined && !isOfArchive && { isAsked: true }) };
    }
    const stored = await arrived.keep(files);
    const { facts } = outcome;
    const organizationId = this.#organizationId;
    const taskId = await change(this.#context, (tx) => {
      const made = this.#tasks.addRecorded(tx, {
        organizationId,
        fields: { patient: {} },
        isAutoComplete,
        origin: 'import',
        files: stored,
        facts,
        warnings,
        channels: chosen?.choice,
        actor,
      });
      if (chosen?.isForSame && facts.channelsKey !== undefined)
        store.channelChoices.put(organizationId, facts.channelsKey, chosen.choice, clock.nowMs());
      const said =
        chosen === undefined ? [] : [noteOfChoice(made.taskId, chosen.choice, actor, chosen.isForSame)];
      return { result: made.taskId, notes: [...made.notes, ...said] };
    });
    this.#tasks.announceQueued(taskId);
    return { name, taskId };
  }
}
