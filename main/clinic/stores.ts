// What the domain keeps, and what it needs of the store that keeps it: records and one interface an aggregate, declared by the domain. The
// store imports this file; it imports nothing of the store.

import type { AnalysisResult, Measurements, Statement } from '../../shared/analysis-result.ts';
import type { SearchTerms } from '../../shared/entry/patient-words.ts';
import type { Identity } from '../../shared/entry/recording-entry.ts';
import type { Reason } from '../../shared/errors.ts';
import type { OrderFacts } from '../../shared/order.ts';
import type { Role } from '../../shared/roles.ts';
import type { Severity } from '../../shared/severity.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import type { PatientFacts, Warning } from '../../shared/signal/recording.ts';
import type { RecordedDevice, StreamScale } from '../../shared/signal/stream-file.ts';
import type { StreamState } from '../../shared/stream-state.ts';
import type { TaskState } from '../../shared/task-state.ts';
import type { TaskFields } from '../../shared/v3/task-fields.ts';
import type { DeviceCommand, DeviceState, Scope } from '../../shared/v3/v3.ts';

export interface Organization {
  readonly id: number;
  readonly path: string;
  readonly name: string;
}

export interface Token {
  readonly id: number;
  readonly organizationId: number;
  readonly organizationPath: string;
  readonly hash: Uint8Array;
  /** First characters of the token, to tell tokens apart in lists and logs. */
  readonly prefix: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly creator: string;
  readonly createdMs: number;
  readonly expiresMs: number | undefined;
  readonly revokedMs: number | undefined;
  readonly lastUsedMs: number | undefined;
}

export type UploadState = 'receiving' | 'complete' | 'failed' | 'expired';

export interface Upload {
  readonly id: string;
  readonly organizationId: number;
  readonly totalSizeBytes: number;
  /** SHA-256 of the whole, lower-case hexadecimal. */
  readonly sha256: string;
  readonly state: UploadState;
  readonly createdMs: number;
  readonly touchedMs: number;
}

/** [start, end) of bytes that are acknowledged. */
export type ByteRange = readonly [start: number, end: number];

export interface StoredFile {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** What the reader said of a recording when it came in. */
export interface RecordingFacts {
  readonly format: string;
  readonly leadCount: number;
  readonly durationMs: number;
  readonly startMs?: number;
  readonly isStartZoneKnown?: boolean;
  readonly deviceId?: string;
  readonly isSimulated?: boolean;
  readonly patient: PatientFacts;
  readonly warnings: readonly Warning[];
}

export interface RecordingRow {
  readonly id: number;
  /** Identity of the content: of the file, or of the list of its files where there are several. */
  readonly sha256: string;
  readonly files: readonly StoredFile[];
  readonly facts: RecordingFacts;
}

/** A reviewer did not accept what was found, or recorded. */
export interface Rejection {
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

export interface Task {
  readonly id: number;
  /** Made with the task, the same in every copy of the data (D122). */
  readonly localId: string;
  readonly organizationId: number;
  readonly recordingId: number | undefined;
  /** Absent where nobody said whom it is of. */
  readonly patientId: number | undefined;
  readonly state: TaskState;
  readonly isAutoComplete: boolean;
  readonly origin: 'v3' | 'import';
  /** How the patient of a recording on the desk was identified; nothing in it: not yet. Absent for tasks that are not of the desk. */
  readonly identity: Partial<Identity> | undefined;
  readonly fields: TaskFields;
  readonly warnings: readonly Warning[];
  readonly createdMs: number;
  readonly attempts: number;
  readonly failureReason: Reason | undefined;
  /** Of the newest findings. */
  readonly severity: Severity | undefined;
  readonly rejection: Rejection | undefined;
  /** Its signal comes from no patient who is there. */
  readonly isSimulated: boolean;
}

/** A person who was recorded here, or is to be. */
export interface Patient {
  readonly id: number;
  readonly organizationId: number;
  /** What is known of the person; never an age, which passes. */
  readonly facts: Omit<PatientFacts, 'ageYears'>;
  /** When height or weight was last told. */
  readonly measuredMs: number | undefined;
  readonly seenMs: number;
  /** The same person, under whom everything is found. */
  readonly mergedInto: number | undefined;
}

/** Two patients became one, and what has to be known to part them again. */
export interface Merge {
  readonly id: number;
  readonly keptId: number;
  readonly goneId: number;
  /** Of the one that is kept, before. */
  readonly keptFacts: Patient['facts'];
  /** Tasks that went from one to the other. */
  readonly taskIds: readonly number[];
  readonly mergedMs: number;
  readonly isUndone: boolean;
}

/** The part of a result that lists and panels show; the whole is a file. */
export interface FindingSummary {
  readonly measurements: Measurements;
  readonly statements: readonly Statement[];
  readonly severity?: Severity;
  readonly quality: AnalysisResult['quality'];
  readonly warnings: readonly Warning[];
}

export interface Finding {
  readonly taskId: number;
  readonly revision: number;
  readonly analysisVersion: string;
  readonly resultSha256: string;
  readonly summary: FindingSummary;
  readonly createdMs: number;
}

/** What the bytes of a report depend on beside recording and findings. */
export interface ReportLook {
  readonly approval:
    | { readonly kind: 'preliminary' }
    | { readonly kind: 'automatic' }
    | { readonly kind: 'approved'; readonly by: string; readonly atMs: number };
  readonly paper: 'A4' | 'Letter';
  readonly productVersion: string;
  readonly createdMs: number;
}

export interface StoredReport {
  readonly taskId: number;
  readonly revision: number;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Kept, so that a lost report can be made again exactly. */
  readonly look: ReportLook;
}

export interface AuditEntry {
  readonly timeMs: number;
  /** `token:3`, `user:2`, `program`, `cli`. */
  readonly actor: string;
  readonly action: string;
  /** `task:17`, `upload:…`: personal data only by reference. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

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

/** What a stream's start agreed on; a second start must agree on the same (D72). */
export interface StreamParameters {
  readonly sampleRateHz: number;
  readonly leadCodes: readonly LeadCode[];
  readonly scale?: StreamScale;
}

export interface StreamRow {
  /** Of the task behind the stream; the id of the stream too. */
  readonly taskId: number;
  readonly parameters: StreamParameters;
  /** 0 = not known. */
  readonly totalFrames: number;
  /** Timestamp 0 of the stream, by the clock of this machine. */
  readonly startedMs: number;
  readonly state: Exclude<StreamState, 'absent'>;
  /** To a second. */
  readonly lastFrameMs: number | undefined;
  /** Frames that came again with other bytes (D75). */
  readonly conflicts: number;
  /** Of a recording of this workstation: the device on the desk. */
  readonly device: RecordedDevice | undefined;
}

/** Something that happened in a recording of this workstation, at a sample of its stream. */
export interface RecordingEvent {
  readonly sample: number;
  readonly kind: string;
  /** End of a gap, bits of electrodes, milliseconds since 1970 of an anchor … by kind. */
  readonly value: number;
}

/** What the device on the desk brings along with a frame. */
export interface DeskFacts {
  readonly events: readonly RecordingEvent[];
}

export interface StoredFrame {
  readonly timestampUs: number;
  /** Per channel. */
  readonly samples: number;
  readonly crc32: number;
  /** As received. */
  readonly payload: Uint8Array;
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
  /** @returns how many were removed. */
  dropFrames(taskId: number, limit: number): number;
  /** Finished streams whose frames are in a file already. */
  withFramesLeftOver(): number[];
}

/** What the device of a task reported, and what it is to do (D77 to D79). */
export interface DeviceLink {
  readonly deviceState: DeviceState | undefined;
  readonly heartbeatMs: number | undefined;
  readonly command: DeviceCommand | undefined;
  readonly commandMs: number | undefined;
  readonly customDurationMs: number | undefined;
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

/** What was behind a device on the desk when it was used last: it is tried first the next time. */
export interface KnownDevice {
  /** USB identity; of a port without one its path. */
  readonly identity: string;
  readonly driver: string;
  readonly variant: string;
  readonly baud: number;
  readonly leadSet: string;
}

export interface DeskDeviceStore {
  known(identity: string): KnownDevice | undefined;
  remember(device: KnownDevice, nowMs: number): void;
}

/** A frozen file that is given out in chunks (D48). */
export interface Download {
  readonly id: string;
  readonly organizationId: number;
  readonly sha256: string;
  readonly totalSizeBytes: number;
  readonly usedMs: number;
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

export interface User {
  readonly id: number;
  /** Told apart without regard to capitals. */
  readonly name: string;
  readonly role: Role;
  /** `scrypt$N$r$p$salt$hash` */
  readonly secret: string;
  readonly isActive: boolean;
  /** Since the last right one. */
  readonly wrongTries: number;
  readonly blockedUntilMs: number;
}

export interface UserStore {
  all(): User[];
  byId(id: number): User | undefined;
  byName(name: string): User | undefined;
  add(user: Pick<User, 'name' | 'role' | 'secret'>, nowMs: number): number;
  set(user: User): void;
}

/** A file of the watched folder, as it was read. */
export interface OrderFile {
  /** By which it is known again: of its name, content and time. */
  readonly key: string;
  readonly name: string;
  readonly orders: readonly OrderFacts[];
  readonly characterSet?: string;
  /** What of it could not be read, in one sentence. */
  readonly trouble?: string;
}

/** An examination that a practice system asks for. */
export interface Order {
  readonly id: number;
  readonly organizationId: number;
  readonly facts: OrderFacts;
  readonly readMs: number;
  readonly characterSet: string | undefined;
  /** Recordings for it, the oldest first, and whether the practice system has their results. */
  readonly tasks: readonly { readonly id: number; readonly state: TaskState; readonly isAnswered: boolean }[];
}

export interface UnreadOrderFile {
  readonly id: number;
  readonly name: string;
  readonly readMs: number;
  readonly trouble: string;
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
  /** Names of patients and of files go. @returns of how many files */
  forgetBefore(limitMs: number): number;
}

export interface SettingStore {
  all(): ReadonlyMap<string, string>;
  set(key: string, text: string, nowMs: number): void;
}

export interface AuditStore {
  append(entry: AuditEntry): void;
  /** The oldest first. */
  of(subject: string): AuditEntry[];
  /** First entry that doesn't fit the chain, if any. */
  verify(): { readonly entries: number; readonly brokenAt: number | undefined };
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
  readonly audit: AuditStore;
  readonly installationId: string;
  /** One `BEGIN IMMEDIATE` transaction around a plain function: all of it or nothing. */
  transaction<T>(change: () => T): T;
  /** Changes whenever another connection has committed. */
  dataVersion(): number;
}
