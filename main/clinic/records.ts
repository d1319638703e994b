// What the domain keeps: plain values, as they come from the store and go to it.

import type { AnalysisResult, Measurements, Statement } from '../../shared/analysis-result.ts';
import type { Identity } from '../../shared/entry/recording-entry.ts';
import type { Reason } from '../../shared/errors.ts';
import type { Language } from '../../shared/language.ts';
import type { OrderFacts } from '../../shared/order.ts';
import type { Role } from '../../shared/roles.ts';
import type { Severity } from '../../shared/severity.ts';
import type { LeadCode } from '../../shared/signal/lead.ts';
import type { PatientFacts, Warning } from '../../shared/signal/recording.ts';
import type { RecordedDevice, StreamScale } from '../../shared/signal/stream-file.ts';
import type { StreamState } from '../../shared/stream-state.ts';
import type { TaskState } from '../../shared/task-state.ts';
import type { TaskFields } from '../../shared/v3/task-fields.ts';
import type { DeviceCommand, DeviceState, Scope, TaskRequest } from '../../shared/v3/v3.ts';
import type { Item } from './outbox/item.ts';
import type { Upstream } from './outbox/upstream.ts';

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
  /** Absent in findings of older versions. */
  readonly notAssessed?: AnalysisResult['notAssessed'];
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
  /** Absent in reports of older versions, which were in English. */
  readonly language?: Language;
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

/** What the device of a task reported, and what it is to do (D77 to D79). */
export interface DeviceLink {
  readonly deviceState: DeviceState | undefined;
  readonly heartbeatMs: number | undefined;
  readonly command: DeviceCommand | undefined;
  readonly commandMs: number | undefined;
  readonly customDurationMs: number | undefined;
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

/** A frozen file that is given out in chunks (D48). */
export interface Download {
  readonly id: string;
  readonly organizationId: number;
  readonly sha256: string;
  readonly totalSizeBytes: number;
  readonly usedMs: number;
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

/** A central service that recordings of an organization go to. Its token is kept elsewhere. */
export interface Centre {
  readonly id: number;
  readonly label: string;
  readonly url: string;
  readonly organizationId: number;
  /** What the organization is called there. */
  readonly organizationPath: string;
  /** Trusted beside those of the system, PEM. */
  readonly certificates: string | undefined;
  /** It is another workstation: the same creation twice makes one task (D46). */
  readonly isIdempotent: boolean;
  /** A test there has shown that streams work (D123). */
  readonly isStreamProven: boolean;
  readonly upstream: Upstream;
  readonly lastContactMs: number | undefined;
}

/** A task on its way to a centre. */
export interface OutboxEntry {
  readonly item: Item;
  readonly centreId: number;
  readonly taskId: number;
  /** Under which people find it there (D122): of the installation by which it was made. */
  readonly marker: string;
  /** Unique to the recording, for the stream way (D125). */
  readonly deviceId: string;
  /** SHA-256 of the recording, where it is known. */
  readonly content: string | undefined;
  /** Whom the centre was told that it is of, once it was. */
  readonly sent: SentPatient | undefined;
  /** The body of its creation, as it was intended: a repeat is the same. */
  readonly request: TaskRequest | undefined;
  /** Number of the task there in whose place this one is sent. */
  readonly replaces: string | undefined;
  readonly changedMs: number;
}

export type SentPatient = Pick<PatientFacts, 'id' | 'lastName' | 'firstName' | 'birthDate' | 'gender'>;

/** The centre's own report, beside ours. */
export interface CentralReport {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly fetchedMs: number;
}
