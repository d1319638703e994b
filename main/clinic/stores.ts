// What the domain needs of the store that keeps its records: one interface an aggregate, declared by the domain. The store imports this
// file; it imports nothing of the store.

import type { SearchTerms } from '../../shared/entry/patient-words.ts';
import type { Reason } from '../../shared/errors.ts';
import type { OrderFacts } from '../../shared/order.ts';
import type { Severity } from '../../shared/severity.ts';
import type { Warning } from '../../shared/signal/recording.ts';
import type { RecordedDevice } from '../../shared/signal/stream-file.ts';
import type { TaskState } from '../../shared/task-state.ts';
import type { TaskFields } from '../../shared/v3/task-fields.ts';
import type { TaskRequest } from '../../shared/v3/v3.ts';
import type { Item } from './outbox/item.ts';
import type { Upstream } from './outbox/upstream.ts';
import type {
  AuditEntry,
  ByteRange,
  CentralReport,
  Centre,
  DeviceLink,
  Download,
  Finding,
  KnownDevice,
  Merge,
  Order,
  OrderFile,
  Organization,
  OutboxEntry,
  Patient,
  RecordingEvent,
  RecordingRow,
  Rejection,
  SentPatient,
  StoredFrame,
  StoredReport,
  StreamRow,
  Task,
  Token,
  UnreadOrderFile,
  Upload,
  UploadState,
  User,
} from './records.ts';

export interface OrganizationStore {
  all(): Organization[];
  byPath(path: string): Organization | undefined;
  byId(id: number): Organization | undefined;
  add(path: string, name: string, createdMs: number): Organization;
}

export interface TokenStore {
  byHash(hash: Uint8Array): Token | undefined;
  list(): Token[];
  add(token: Omit<Token, 'id' | 'organizationPath'>): number;
  revoke(id: number, nowMs: number): void;
  touch(id: number, nowMs: number): void;
}

export interface UploadStore {
  byId(id: string): Upload | undefined;
  countOpen(organizationId: number): number;
  /** Whether an upload that is complete and not expired has this content. */
  holdsContent(sha256: string): boolean;
  /** Bytes that open uploads may still bring. */
  bytesOwed(): number;
  add(upload: Upload): void;
  setState(id: string, state: UploadState, nowMs: number): void;
  ranges(id: string): ByteRange[];
  /** Those that overlap or border on a range, in order. */
  rangesTouching(id: string, range: ByteRange): ByteRange[];
  countRanges(id: string): number;
  /** Adds a range and merges it with its neighbours. */
  addRange(id: string, range: ByteRange, nowMs: number): void;
  /** Uploads not touched since then that are still held. */
  staleSince(limitMs: number): Upload[];
  rememberRequest(uploadId: string, bodyHash: string, taskIds: readonly number[], nowMs: number): void;
  earlierRequest(uploadId: string, bodyHash: string, sinceMs: number): readonly number[] | undefined;
}

export interface PatientStore {
  byId(id: number): Patient | undefined;
  byNumber(organizationId: number, number: string): Patient[];
  byBirthDate(organizationId: number, birthDate: string): Patient[];
  /** @param words that the patient is found by */
  add(patient: Omit<Patient, 'id' | 'mergedInto'>, words: readonly string[]): number;
  set(patient: Patient, words: readonly string[]): void;
  /** @param words none: nobody finds it any more */
  setMergedInto(id: number, into: number | undefined, words: readonly string[]): void;
  addMerge(merge: Omit<Merge, 'id' | 'isUndone'>): number;
  merge(id: number): Merge | undefined;
  /** Not undone ones, the newest first. */
  mergesSince(ms: number): Merge[];
  setUndone(mergeId: number, nowMs: number): void;
  /** The newest `limit` that are found, and how many there are. */
  search(organizationId: number, terms: SearchTerms, limit: number): { readonly patients: Patient[]; readonly total: number };
}

export interface RecordingStore {
  byId(id: number): RecordingRow | undefined;
  bySha256(sha256: string): RecordingRow | undefined;
  /** Whether any recording has a file of this content. */
  usesFile(sha256: string): boolean;
  add(recording: Omit<RecordingRow, 'id'>, createdMs: number): number;
}

export interface TaskListing extends Pick<Task, 'severity' | 'isSimulated'> {
  readonly words: readonly string[];
}

export interface TaskFilter {
  readonly terms: SearchTerms;
  readonly states?: readonly TaskState[] | undefined;
  readonly sinceMs?: number | undefined;
  readonly lowestSeverity?: Severity | undefined;
  /** Without those of the simulator. */
  readonly isRealOnly?: boolean | undefined;
  readonly isPatientMissing?: boolean | undefined;
  readonly newestId?: number | undefined;
  /** These go first, in this order, as far as they are found. */
  readonly first?: readonly number[] | undefined;
}

export interface TaskStore {
  byId(id: number): Task | undefined;
  byRecording(recordingId: number): Task[];
  add(task: Omit<Task, 'id' | 'attempts' | 'failureReason' | 'severity' | 'rejection' | 'isSimulated'>): number;
  setState(id: number, state: TaskState, change: { failureReason?: Reason; attempts?: number }): void;
  setRecording(id: number, recordingId: number): void;
  setFields(id: number, fields: TaskFields): void;
  setRejection(id: number, rejection: Rejection): void;
  ofPatient(patientId: number): number[];
  moveToPatient(ids: readonly number[], patientId: number): void;
  /** What stood there is kept beside it. */
  setPatient(id: number, patient: Pick<Task, 'fields' | 'patientId' | 'identity'>, nowMs: number): void;
  setWarnings(id: number, warnings: readonly Warning[]): void;
  /** The one with the greatest id. */
  latestOfDevice(organizationId: number, deviceId: string, state: TaskState): Task | undefined;
  /** What the worklist finds it by; undefined for a task that is not shown any more. */
  setListing(id: number, listing: TaskListing | undefined): void;
  /** Some that no listing was ever made for. */
  unlisted(limit: number): number[];
  /** The newest first, and how many there are in all. */
  list(filter: TaskFilter, limit: number, offset: number): { readonly tasks: Task[]; readonly total: number };
  nextQueued(): Task | undefined;
  inState(state: TaskState): Task[];
  queuedBefore(id: number): number;
}

export interface StreamStore {
  byId(taskId: number): StreamRow | undefined;
  open(): StreamRow[];
  countOpen(): number;
  add(stream: Pick<StreamRow, 'taskId' | 'parameters' | 'totalFrames' | 'startedMs' | 'device'>): void;
  setDevice(taskId: number, device: RecordedDevice): void;
  addEvents(taskId: number, events: readonly RecordingEvent[]): void;
  setTotalFrames(taskId: number, totalFrames: number): void;
  setState(taskId: number, state: StreamRow['state']): void;
  /** Of a stream without frames. */
  remove(taskId: number): void;
  frameCrc32(taskId: number, timestampUs: number): number | undefined;
  /** @returns false where the timestamp is there already; nothing is stored then. */
  addFrame(taskId: number, frame: StoredFrame): boolean;
  countFrames(taskId: number): number;
  /** The one with the greatest timestamp. */
  lastFrame(taskId: number): Pick<StoredFrame, 'timestampUs' | 'samples'> | undefined;
  noteActivity(taskId: number, nowMs: number): void;
  /** @returns how many there are now. */
  noteConflict(taskId: number): number;
  /** In order of their timestamps. */
  frames(taskId: number, afterUs: number, limit: number): StoredFrame[];
  /** The one before which there are so many. */
  frameAt(taskId: number, index: number): StoredFrame | undefined;
  /** @returns how many were removed. */
  dropFrames(taskId: number, limit: number): number;
  /** Finished streams whose frames are in a file already. */
  withFramesLeftOver(): number[];
}

export interface DeviceStore {
  link(taskId: number): DeviceLink;
  setLink(taskId: number, link: DeviceLink): void;
  /** Tasks whose device has not obeyed yet. */
  withCommand(): number[];
  /** How the differences of a device were found to begin. */
  deltaStart(organizationId: number, deviceId: string): string | undefined;
  rememberDeltaStart(organizationId: number, deviceId: string, name: string): void;
}

export interface DeskDeviceStore {
  known(identity: string): KnownDevice | undefined;
  remember(device: KnownDevice, nowMs: number): void;
}

export interface DownloadStore {
  byId(id: string): Download | undefined;
  add(download: Download): void;
  touch(id: string, nowMs: number): void;
  removeUnusedSince(limitMs: number): void;
}

export interface FindingStore {
  latest(taskId: number): Finding | undefined;
  add(finding: Finding): void;
}

export interface ReportStore {
  latest(taskId: number): StoredReport | undefined;
  add(report: StoredReport): void;
}

export interface UserStore {
  all(): User[];
  byId(id: number): User | undefined;
  byName(name: string): User | undefined;
  add(user: Pick<User, 'name' | 'role' | 'secret'>, nowMs: number): number;
  set(user: User): void;
}

export interface OrderStore {
  isKnown(key: string): boolean;
  add(file: OrderFile, organizationId: number, readMs: number): number;
  /** The very same order is there. */
  hasSame(organizationId: number, facts: OrderFacts): boolean;
  byId(id: number): Order | undefined;
  ofTask(taskId: number): Order[];
  /** Newest first, without those that were put away. */
  since(limitMs: number): Order[];
  unread(limitMs: number): UnreadOrderFile[];
  link(id: number, taskId: number): void;
  unlink(id: number, taskId: number): void;
  /** With a report that the practice system does not have yet. */
  unanswered(): Order[];
  setAnswered(id: number, taskId: number): void;
  putAway(id: number): void;
  putFileAway(id: number): void;
  /** Whether names are kept from then. */
  isAnyBefore(limitMs: number): boolean;
  /** Names of patients and of files go. @returns of how many files */
  forgetBefore(limitMs: number): number;
}

export interface SettingStore {
  all(): ReadonlyMap<string, string>;
  set(key: string, text: string, nowMs: number): void;
}

export interface CentreStore {
  /** Without those that were removed. */
  all(): Centre[];
  byId(id: number): Centre | undefined;
  ofOrganization(organizationId: number): Centre[];
  add(centre: Omit<Centre, 'id' | 'lastContactMs' | 'isIdempotent' | 'isStreamProven'>, nowMs: number): number;
  setUpstream(id: number, upstream: Upstream, lastContactMs: number | undefined): void;
  setProven(id: number, proven: Pick<Centre, 'isIdempotent' | 'isStreamProven'>): void;
  remove(id: number): void;
  /** Those that were removed. */
  removed(): Centre[];
  /** One that was removed is there again. */
  revive(id: number, as: Pick<Centre, 'label' | 'certificates' | 'upstream'>): void;
}

export interface OutboxStore {
  byId(id: number): OutboxEntry | undefined;
  byTask(centreId: number, taskId: number): OutboxEntry | undefined;
  /** Of the centres that are known. */
  ofTask(taskId: number): OutboxEntry[];
  byCentralId(centreId: number, centralId: string): OutboxEntry | undefined;
  /** @returns the id; the item is made with it */
  add(
    entry: Omit<OutboxEntry, 'item' | 'changedMs' | 'sent' | 'request' | 'replaces'>,
    makeItem: (id: number) => Item,
    nowMs: number,
  ): number;
  set(item: Item, nowMs: number): void;
  setContent(id: number, content: string): void;
  /** What a sender works on, the oldest first. */
  open(centreId: number): Item[];
  /** In these states, in the order in which they go. */
  queue(centreId: number, states: readonly Item['state'][], limit: number): OutboxEntry[];
  /** In these states, the last changed first. */
  list(centreId: number, states: readonly Item['state'][], limit: number): OutboxEntry[];
  count(centreId: number): ReadonlyMap<Item['state'], number>;
  countChangedSince(centreId: number, state: Item['state'], sinceMs: number): number;
  /** What the centre is told of the patient; nothing differs from that moment on. */
  setSent(id: number, sent: SentPatient, request: TaskRequest): void;
  setDiffering(id: number, isDiffering: boolean): void;
  /** Those whose patient stands otherwise here than there, the newest first. */
  differing(centreId: number, limit: number): OutboxEntry[];
  countDiffering(centreId: number): number;
  /** Tasks with a recording that this centre was never told of, the oldest first. @param of.ownTag what a task carries that came from here */
  neverSent(
    centreId: number,
    of: { readonly organizationId: number; readonly isSimulatedSent: boolean; readonly ownTag: string },
  ): number[];
  /** It is sent once more, as another task, under another mark. */
  beginAnew(id: number, as: Pick<OutboxEntry, 'marker' | 'deviceId' | 'replaces'>): void;
  /** The centre judges it graver than we do, and nobody has seen that yet; undefined: somebody has. */
  setRaised(id: number, severity: Severity | undefined): void;
  raised(): (OutboxEntry & { readonly severity: Severity })[];
  /** Of the recordings that still wait. */
  waitingBytes(centreId: number): number;
  /** The one that was put in first. */
  oldest(centreId: number, states: readonly Item['state'][]): Item | undefined;
  /** Another one of this content that is there, or may be. */
  sentTwin(centreId: number, content: string, exceptId: number): OutboxEntry | undefined;
  /** All that are not done, of every centre. */
  undone(): Item[];
  addReport(id: number, report: CentralReport): void;
  latestReport(id: number): CentralReport | undefined;
  isKept(patientId: number): boolean;
  keep(patientId: number, nowMs: number): void;
  letGo(patientId: number): void;
}

export interface AuditStore {
  append(entry: AuditEntry): void;
  /** 0 where there is none yet. */
  lastSeq(): number;
  /** Of an entry, in hexadecimal digits. */
  hashAt(seq: number): string | undefined;
  /** Number of the first entry of an action. */
  firstOf(action: string): number | undefined;
  /** The oldest first. */
  of(subject: string): AuditEntry[];
  /** First entry that doesn't fit the chain, if any. */
  verify(): { readonly entries: number; readonly brokenAt: number | undefined };
}

export interface ErasureStore {
  /** Inside a transaction: everything of a deleted task but its tombstone, and its patient where nothing else is of that one. */
  eraseTask(taskId: number): void;
  /** One more file that is to go. */
  forgetFile(sha256: string): void;
  /** SHA-256 of files that are to go. */
  pendingFiles(): string[];
  /** Whether any row needs the file. */
  isNamed(sha256: string): boolean;
  /** It is gone. */
  settleFile(sha256: string): void;
  /** Takes what was deleted out of the search index and the log. */
  scrub(): void;
}

export interface Store {
  readonly organizations: OrganizationStore;
  readonly tokens: TokenStore;
  readonly uploads: UploadStore;
  readonly patients: PatientStore;
  readonly recordings: RecordingStore;
  readonly tasks: TaskStore;
  readonly streams: StreamStore;
  readonly devices: DeviceStore;
  readonly deskDevices: DeskDeviceStore;
  readonly downloads: DownloadStore;
  readonly findings: FindingStore;
  readonly reports: ReportStore;
  readonly users: UserStore;
  readonly orders: OrderStore;
  readonly settings: SettingStore;
  readonly centres: CentreStore;
  readonly outbox: OutboxStore;
  readonly audit: AuditStore;
  readonly erasure: ErasureStore;
  readonly installationId: string;
  /** What tells this copy of the data from another; undefined where none was ever given. */
  nonce(): string | undefined;
  /** This is another copy from now on. */
  setNonce(nonce: string, installationId?: string): void;
  /** One `BEGIN IMMEDIATE` transaction around a plain function: all of it or nothing. */
  transaction<T>(change: () => T): T;
  /** Changes whenever another connection has committed. */
  dataVersion(): number;
}
