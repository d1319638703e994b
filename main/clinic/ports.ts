// What the domain needs of the world beside the store (`store.ts`, and those of the aggregates), declared by
// the domain: files, worker pool, clock, randomness, log. Whoever implements these imports this file; it
// imports none of them.

import type { AnalysisProgress } from '../../shared/analysis-stage.ts';
import type { CallInput, CallOutput } from '../../shared/bridge/contract.ts';
import type { TestOutcome } from '../../shared/bridge/sync-views.ts';
import type { AuditState, StorageState } from '../../shared/bridge/views.ts';
import type { CharacterSet } from '../../shared/character-set.ts';
import type { Reason } from '../../shared/errors.ts';
import type { SignalFormat } from '../../shared/export-formats.ts';
import type { AskedExamination, OrderFacts, OrderFolderLook, OrderReading } from '../../shared/order.ts';
import type { Constraints } from '../../shared/review/constraints.ts';
import type { MadeCorrection } from '../../shared/review/corrections.ts';
import type { ChannelChoice } from '../../shared/signal/channel-choice.ts';
import type { PatientFacts, Warning } from '../../shared/signal/recording.ts';
import type { ConnectionTrouble } from '../../shared/sync-state.ts';
import type { Commitment } from '../ground/dicom-object.ts';
import type { ExaminationResult } from '../ground/examination-result.ts';
import type { Hl7HeadFacts } from '../ground/hl7-head.ts';
import type { ReadEcg } from '../ground/read-ecg.ts';
import type { BackupRun, BackupTarget } from './backups/records.ts';
import type { OrderFile, OrderMessage } from './orders/records.ts';
import type { Turn } from './tasks/analysis-lanes.ts';
import type { FindingSummary, RecordingFacts, ReportLook } from './tasks/records.ts';
import type { Release, ReleaseFile, ReleaseSource } from './updates/records.ts';

/** An open file of bytes that are still coming in. */
export interface IncomingFile {
  /** Hands the bytes to the system, which is a copy in memory; what waits for the disk is `sync`. */
  write(offsetBytes: number, bytes: Uint8Array): void;
  read(offsetBytes: number, lengthBytes: number): Promise<Uint8Array>;
  /** Returns when everything written is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface Files {
  /** Makes an empty file for bytes that are to come; durable when this returns. */
  createIncoming(id: string): Promise<void>;
  /** Undefined where it is not there any more: it was adopted or removed. */
  openIncoming(id: string): Promise<IncomingFile | undefined>;
  openStored(sha256: string): Promise<Pick<IncomingFile, 'read' | 'close'> | undefined>;
  /** Whether the content is there and whole. */
  holds(sha256: string): Promise<boolean>;
  /** Removes what a process that died left half done: imports and temporary files. Uploads are kept. */
  clean(): Promise<void>;
  incomingPath(id: string): string;
  removeIncoming(id: string): Promise<void>;
  /** Where the analysis of a task lays aside what it has; made by whoever writes there. */
  unfinishedFolder(taskId: number): string;
  unfinishedTasks(): Promise<readonly number[]>;
  removeUnfinished(taskId: number): Promise<void>;
  /** Moves a complete incoming file to its place by content. */
  adopt(id: string, sha256: string): Promise<void>;
  /** An empty folder for the files of an archive. */
  makeUnpackFolder(id: string): Promise<string>;
  removeUnpackFolder(id: string): Promise<void>;
  /** Moves a file of an unpack folder, whose bytes are on the disk, to its place by content. */
  adoptUnpacked(path: string, sha256: string): Promise<void>;
  /** Stores bytes durably by their content and returns their SHA-256. */
  put(bytes: Uint8Array): Promise<string>;
  /** Undefined where the file is missing or its content differs. */
  get(sha256: string): Promise<Uint8Array | undefined>;
  path(sha256: string): string;
  /**
   * For what no row names any more: commit first, delete after. A file that just came in is spared: a row is
   * about to name it.
   */
  remove(sha256: string, nowMs: number): Promise<void>;
  /** However young it is. */
  erase(sha256: string): Promise<void>;
  /** 0 where it is not there. */
  sizeBytes(sha256: string): Promise<number>;
  freeBytes(): Promise<number>;
  /**
   * Keeps some of the disk for ending a recording in order; does nothing where it is kept, or where there is
   * little room anyway.
   */
  keepReserve(): Promise<void>;
  /** @returns false where nothing was kept. */
  releaseReserve(): Promise<boolean>;
}

/** What was done to the note outside, or to the trail. */
export type AnchorFault = NonNullable<NonNullable<AuditState['checked']>['fault']>;

/** As the operating system says it. */
export type DiskEncryption = StorageState['encryption'];

/** A file of a record as a worker finds it. */
export interface PoolFile {
  readonly name: string;
  readonly path: string;
}

export interface UnpackedFile extends PoolFile {
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface Unpacked {
  readonly files: readonly UnpackedFile[];
  readonly warnings: readonly Warning[];
}

export interface RecordDescription {
  /** Which of the given files belong to the record, its main file first. */
  readonly fileIndices: readonly number[];
  readonly name: string;
  readonly outcome:
    | { readonly ok: true; readonly facts: RecordingFacts }
    | {
        readonly ok: false;
        readonly reason: Reason;
        readonly message: string;
        /** The key of its channels, where a person may say that some of them are ECG. */
        readonly channelsKey?: string;
      };
}

export interface FileDescriptions {
  readonly records: readonly RecordDescription[];
  /** How many records there are: 0 where none is, and every file has a description that says why. */
  readonly found: number;
  readonly archives: readonly number[];
  readonly unclaimed: readonly number[];
}

/** A recording, read as a person wants it read. */
export interface ChosenFiles {
  readonly files: readonly PoolFile[];
  /** Which of its channels are ECG, where a person has said so. */
  readonly channels?: ChannelChoice;
}

export interface AnalysisJob extends ChosenFiles {
  readonly patient: PatientFacts;
  /** Start of the recording as the request states it; wins over the file's. */
  readonly startMs?: number;
  /** Stands for the start where neither states one: ages are counted to here. */
  readonly createdMs?: number;
  /** Also states what can only be suspected. */
  readonly withSuspicions?: boolean;
  /** What a person has corrected. */
  readonly constraints?: Constraints;
  /** The stored result in which the person saw what is corrected, where families of beats are. */
  readonly seenResultJson?: Uint8Array;
  /** What was said of families and approved with that result. */
  readonly approvedShapes?: NonNullable<Constraints['shapes']>;
  /** Where a long analysis lays aside what it has, and takes up what one before it had. */
  readonly unfinishedFolder?: string;
}

export interface ReportJob extends AnalysisJob {
  readonly resultJson: Uint8Array;
  /** Made over the result. */
  readonly corrections: readonly MadeCorrection[];
  readonly timeZone?: string;
  readonly look: ReportLook;
  readonly logoPath?: string;
  /** The whole recording, a minute a line, instead of the report. */
  readonly isEveryBeat?: boolean;
  readonly indications?: readonly string[];
  readonly taskId?: number;
  readonly revision?: number;
}

/** Samples of a recording, at the rate of its analysis. */
export interface SignalRange {
  readonly startSample: number;
  readonly sampleCount: number;
}

export type SignalPart = CallOutput<'review.signal'>;
/** All channels of the file, a few seconds of each, and what the program takes them for. */
export type ChannelsView = Omit<CallOutput<'channels.of'>, 'sameCount' | 'choice' | 'isCorrected'>;
export type SignalStrip = CallOutput<'review.strip'>;
export type ReviewReading = CallOutput<'review.reading'>;
export type ReviewMarks = CallOutput<'review.marks'>;
/** What a stored result says of a recording of an hour or more. */
export type StoredDay = Omit<CallOutput<'day.get'>, 'revision' | 'carried'>;
export type RowsWanted = Omit<CallInput<'day.rows'>, 'taskId'>;
export type PicturesWanted = Omit<CallInput<'day.pictures'>, 'taskId'>;
export type BeatPictures = CallOutput<'day.pictures'>;
export type SignalRows = CallOutput<'day.rows'>;

export interface AnalysisOutput {
  /** Canonical JSON of an AnalysisResult. */
  readonly resultJson: Uint8Array;
  readonly summary: FindingSummary;
  readonly analysisVersion: string;
}

/** What of a recording goes to a centre: as one file, or as frames of a stream. */
export interface PackJob extends ChosenFiles {
  /**
   * An EDF+ file; the files as they are, in one archive; frames one behind the other, with where each is
   * found behind them; the objects of an archive, one behind the other.
   */
  readonly into: 'edf' | 'zip' | 'frames' | 'dicom';
  /** For an archive. */
  readonly study?: PackedStudy;
  /** Written into the recording where its format has room for them. */
  readonly patient: PatientFacts;
  readonly startMs?: number;
  /** An empty file that is there. */
  readonly path: string;
}

/** What goes to an archive beside the recording. */
export interface PackedStudy {
  readonly asked: AskedExamination | undefined;
  readonly report: {
    readonly pdf: Uint8Array;
    readonly madeMs: number;
    readonly isApproved: boolean;
    readonly title: string;
  };
  readonly read: ReadEcg;
}

/** Where an object lies, without the head of a file. */
export interface PackedObject {
  readonly classUid: string;
  readonly instanceUid: string;
  readonly offsetBytes: number;
  readonly lengthBytes: number;
}

export interface Packed {
  readonly sizeBytes: number;
  readonly sha256: string;
  /** How many frames there are, and where their index begins. */
  readonly frames?: { readonly count: number; readonly indexOffsetBytes: number };
  readonly objects?: readonly PackedObject[];
}

/** A recording for another program. */
export interface ExportJob extends Pick<AnalysisJob, 'files' | 'channels' | 'patient' | 'startMs'> {
  readonly format: SignalFormat;
  /** The name of the file, without its ending. */
  readonly name: string;
}

export type ExportedFile = CallOutput<'recording.export'>;

/** A small file whose orders are read off the clinic thread: it comes from outside. */
export interface OrdersJob {
  readonly bytes: Uint8Array;
  readonly characterSet: OrderReading['characterSet'];
  readonly dateOrder: OrderReading['dateOrder'];
  readonly nowMs: number;
}

export interface WorklistRead {
  readonly orders: readonly OrderFacts[];
  readonly unread: number;
}

export type Hl7Read =
  | ({ readonly ok: true; readonly head: Hl7HeadFacts } & OrderMessage)
  /** Without a head it is no HL7 at all. */
  | { readonly ok: false; readonly head: Hl7HeadFacts | undefined; readonly message: string };

export interface OrdersRead extends Pick<OrderFile, 'orders' | 'characterSet' | 'trouble'> {
  /** The messages of a hospital, in their order. */
  readonly messages?: readonly OrderMessage[];
}

/**
 * Work off the clinic thread. A job that can't read its input rejects with an IsolineError; one whose worker
 * died with `analysis_crashed`.
 */
export interface Pool {
  /** Sorts files into records and looks at each. */
  describe(files: readonly PoolFile[], signal?: AbortSignal): Promise<FileDescriptions>;
  /**
   * Unpacks an archive into a folder; undefined where the file is none. Rejects with the archive reasons of
   * D55.
   */
  unpack(file: PoolFile, folder: string): Promise<Unpacked>;
  /** @param onProgress hears what it is at */
  analyse(
    job: AnalysisJob,
    signal?: AbortSignal,
    onProgress?: (progress: AnalysisProgress) => void,
    /** Somebody waits for it where left out. */
    turn?: Turn,
  ): Promise<AnalysisOutput>;
  report(job: ReportJob, signal?: AbortSignal): Promise<Uint8Array>;
  /** What lies beyond the end of the recording is left out. */
  signal(job: AnalysisJob, range: SignalRange): Promise<SignalPart>;
  strip(job: AnalysisJob): Promise<SignalStrip>;
  /** @throws IsolineError where the file cannot be read */
  channels(files: readonly PoolFile[]): Promise<ChannelsView>;
  /** What the recording is with the channels that were chosen. */
  describeChosen(recording: ChosenFiles): Promise<RecordDescription['outcome']>;
  exportRecording(job: ExportJob): Promise<ExportedFile>;
  /** GDT 6310. */
  writeGdt(result: ExaminationResult, characterSet: CharacterSet): Promise<Uint8Array>;
  /** @param resultJson as it is stored */
  marks(resultJson: Uint8Array): Promise<ReviewMarks>;
  /** @param resultJson as it is stored */
  day(resultJson: Uint8Array): Promise<StoredDay>;
  rows(job: AnalysisJob, wanted: RowsWanted): Promise<SignalRows>;
  beatPictures(job: AnalysisJob, wanted: PicturesWanted): Promise<BeatPictures>;
  /** The same recording gives the same bytes. @throws IsolineError where it can't be written so */
  pack(job: PackJob, signal: AbortSignal | undefined, turn: Turn): Promise<Packed>;
  /** Reads a file of orders; `trouble` where it is none. */
  readOrders(job: OrdersJob): Promise<OrdersRead>;
  /** Entries of a worklist as orders; those that cannot be read are left out, and counted. */
  readWorklist(entries: readonly Uint8Array[], isImplicit: boolean): Promise<WorklistRead>;
  /** An HL7 message as orders, and what is to be answered where it is none. */
  readHl7(message: Uint8Array): Promise<Hl7Read>;
  /** What an archive says of a transaction; undefined where it says nothing that can be read. */
  readCommitment(dataset: Uint8Array, isImplicit: boolean): Promise<Commitment | undefined>;
  /** SHA-256 of a file, hexadecimal. */
  hash(path: string): Promise<string>;
  /** Unpacks a frame that is too large for the clinic thread; a sentence where it can't be. */
  checkFrame(bytes: Uint8Array): Promise<string | undefined>;
  readonly workers: number;
}

/** The folder in which practice systems put their orders. */
export interface OrderFolder {
  /** How it would be read; nothing is taken. @throws IsolineError `folder_unusable` */
  look(reading: OrderReading): Promise<OrderFolderLook>;
}

type BackupWork = (
  target: BackupTarget,
  onProgress: (done: number, of: number) => void,
  signal: AbortSignal,
) => Promise<Pick<BackupRun, 'files' | 'sizeBytes' | 'lost'>>;

/** Works beside the clinic thread, on the data folder as it lies there. */
export interface BackupMaker {
  /** Makes an empty folder one for backups. @throws IsolineError `backup_unusable`, `backup_key_wrong` */
  open(target: BackupTarget): Promise<void>;
  readonly make: BackupWork;
  /** Reads everything back. */
  readonly verify: BackupWork;
  /** The newest one, beside the data: the next start takes it over. */
  readonly restore: BackupWork;
  /** Takes away what `restore` left. */
  dropRestored(): Promise<void>;
}

/** New versions of the program, wherever they lie. Nothing is believed of them that is not signed. */
export interface Releases {
  /** Whether this build knows a key that a release could be signed with. */
  readonly canCheck: boolean;
  /**
   * The signed list. @throws IsolineError `update_unreachable`, `update_unsigned`, `update_expired`,
   * `update_unsuitable`
   */
  read(source: ReleaseSource): Promise<Release>;
  /** Byte by byte. @throws IsolineError `update_damaged` where the file is not what the list says */
  check(release: Release, path: string): Promise<void>;
  /** The address at which the installer finds the files, until it is disposed of. */
  serve(source: ReleaseSource, release: Release): Promise<{ readonly url: string } & AsyncDisposable>;
  /** Keeps a copy of the installer of a version, beside that of the one that runs; others go. */
  keep(version: string, running: string, path: string): Promise<void>;
  /** Where that of a version lies; undefined where none was kept. */
  keptInstaller(version: string): Promise<string | undefined>;
  /** Takes away what was fetched. */
  drop(path: string): Promise<void>;
}

/** What the server calls its newest version, before anything was fetched. */
export interface OfferedVersion {
  readonly version: string;
  /** For the system that this is. */
  readonly files: readonly Pick<ReleaseFile, 'name' | 'sha512'>[];
}

/** Fetches and installs, as far as this host can. */
export interface Installer {
  /** Undefined where nothing newer is there, or not for this computer yet. @throws IsolineError `update_unreachable` */
  look(url: string): Promise<OfferedVersion | undefined>;
  /**
   * What was looked at last. @returns where it lies
   * @throws IsolineError `update_unreachable`, `update_damaged`, `update_blocked` where a recording begins
   */
  fetch(onProgress: (done: number, of: number) => void): Promise<string>;
  /** Returns at once; the program then ends in order, is replaced, and starts again. */
  install(): Promise<void>;
}

/** Files that somebody opened with the program, outside of its pages. */
export interface OpenedFiles {
  /**
   * @param args paths, or the arguments of a command line: what cannot be an ECG is passed by
   * @param folder that relative ones begin at
   */
  add(args: readonly string[], folder: string): Promise<void>;
  readonly views: CallOutput<'opened.list'>['files'];
  /** @throws IsolineError `file_not_found` */
  read(id: string, offsetBytes: number, lengthBytes: number): Promise<Uint8Array>;
  close(ids: readonly string[]): void;
}

/** What the computer and the program's log say, for somebody who helps. */
export interface SupportFacts {
  /** In one line. */
  readonly system: string;
  /** The newest last. */
  lastLog(lines: number): Promise<readonly string[]>;
}

/** What it takes to replace the program by a new version. */
export interface Updating {
  readonly releases: Releases;
  readonly installer: Installer;
}

/** One secret text. */
export interface SecretText {
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
  remove(): Promise<void>;
}

/** Tokens of centres. They are in no database, no log and no backup (D134). */
export interface TokenVault {
  /** Locked by the key store of the system; else a file that its owner alone can read. */
  readonly isSealed: boolean;
  read(connectionId: number): Promise<string | undefined>;
  write(connectionId: number, token: string): Promise<void>;
  remove(connectionId: number): Promise<void>;
}

/** What only whoever speaks to the centres knows, or can do. */
export interface ConnectionLink {
  stateOf(connectionId: number): {
    readonly trouble: ConnectionTrouble | undefined;
    readonly clockOffsetMs: number | undefined;
    readonly bytesPerSecond: number | undefined;
  };
  /** 0 to 1; undefined where that is not known. */
  progressOf(connectionId: number, itemId: number): number | undefined;
  /** Tests the address, the token, and whether streams work there; the last by an empty task that stays there. */
  test(connectionId: number): Promise<TestOutcome>;
  /**
   * When the centre made a task. @throws IsolineError `centre_silent` where nobody answers; undefined where
   * there is none
   */
  createdMsOf(connectionId: number, centralId: string): Promise<number | undefined>;
  /** Everything that is due was done, as far as it could be. */
  readonly isIdle: boolean;
}

export interface Clock {
  nowMs(): number;
  /** Only runs forward, whatever the time of day is set to. */
  monotonicMs(): number;
}

export type RandomBytes = (length: number) => Uint8Array;

/** Log lines hold ids, counts, codes and durations; never names, tokens, signal (SEC70). */
export type Log = (event: string, facts: Readonly<Record<string, string | number | boolean>>) => void;
