// What the screens are shown of the workstation's things, as the bridge's messages hold it.

import { type Static, Type } from 'typebox';
import { ANALYSIS_LANES } from '../analysis-lane.ts';
import {
  LeadQualitySchema,
  MeasurementsSchema,
  PatientSchema,
  SeveritySchema,
  StatementSchema,
  UnassessedSchema,
  WarningSchema,
} from '../analysis-result.ts';
import { AnalysisProgressSchema } from '../analysis-stage.ts';
import { DEVICE_COMMANDS, DEVICE_STATES, UNKNOWN_DEVICE_STATE } from '../device-state.ts';
import { DATE_ORDERS } from '../entry/typed-date.ts';
import { LINK_STATES } from '../link-state.ts';
import { ORDER_STATES, OrderFacts } from '../order.ts';
import { ROLES } from '../roles.ts';
import { LEAD_CODES } from '../signal/lead.ts';
import { ITEM_STATES } from '../sync-state.ts';
import { TASK_STATES } from '../task-state.ts';
import { SCOPES } from '../token-scopes.ts';
import { MOST_FIRST } from './bounds.ts';
import { Choice, closed, taskId, text } from './fields.ts';

/** The most characters of a name that the clinic gives a device. */
export const MOST_DEVICE_NAME = 40;

/** What was behind a device when it was used last. */
export const KnownDevice = Type.Object(
  { identity: text(512), driver: text(64), variant: text(64), baud: Type.Integer(), leadSet: text(64) },
  closed,
);

/** What the clinic calls a device. */
export const DeviceName = Type.Object({ identity: text(512), name: text(MOST_DEVICE_NAME) }, closed);
export type DeviceName = Static<typeof DeviceName>;

/** What a technician must be told of a running recording. */
const RECORDING_NOTICES = [
  'storeRestarted',
  'storeSlow',
  'storeFull',
  'nearlyFull',
  'stoppedForSpace',
  'stoppedByCentre',
  'clockSet',
  'slept',
] as const;
export type RecordingNotice = (typeof RECORDING_NOTICES)[number];

export const TaskRow = Type.Object(
  {
    taskId,
    state: Type.Enum([...TASK_STATES]),
    createdMs: Type.Number(),
    /** Since when a critical one waits for a physician. */
    criticalSinceMs: Type.Optional(Type.Number()),
    /** The revision of its findings. */
    criticalRevision: Type.Optional(Type.Integer()),
    /** Somebody has said so of these findings. */
    isCriticalSeen: Type.Optional(Type.Boolean()),
    patient: PatientSchema,
    recordingStartMs: Type.Optional(Type.Number()),
    isStartZoneKnown: Type.Optional(Type.Boolean()),
    timeZone: Type.Optional(Type.String()),
    durationMs: Type.Optional(Type.Number()),
    leadCount: Type.Optional(Type.Integer()),
    severity: Type.Optional(SeveritySchema),
    /** The first statement of the newest findings, and how many others tell something abnormal. */
    firstFinding: Type.Optional(
      Type.Object(
        { ...Type.Pick(StatementSchema, ['code', 'text', 'values']).properties, more: Type.Integer() },
        closed,
      ),
    ),
    failureReason: Type.Optional(Type.String()),
    queuedAhead: Type.Optional(Type.Integer()),
    /** The lane of its analysis, as long as it is queued. */
    lane: Type.Optional(Type.Enum([...ANALYSIS_LANES])),
    /** It is queued, and cannot begin before another long recording is analysed. */
    waitsForLong: Type.Optional(Type.Boolean()),
    /** What its analysis is at. */
    progress: Type.Optional(AnalysisProgressSchema),
    /** What recorded it, as the desk or the file names it. */
    deviceName: Type.Optional(Type.String()),
    /** Who signed the newest report. */
    approvedBy: Type.Optional(Type.String()),
    isSimulated: Type.Optional(Type.Boolean()),
    /** Recorded before anybody said whose it is, and nobody has since. */
    isPatientMissing: Type.Optional(Type.Boolean()),
    /** It records, and was not heard of for half a minute (D80). */
    isDeviceLost: Type.Optional(Type.Boolean()),
    /** How far it is on its way to a central service; absent where none is meant for it. */
    central: Type.Optional(
      Type.Object(
        {
          state: Type.Enum([...ITEM_STATES]),
          severity: Type.Optional(Type.String()),
          hasReport: Type.Boolean(),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type TaskRow = Static<typeof TaskRow>;

/** What hinders the workstation as a whole: it records into a fresh folder, or started on a full disk. */
export const STORAGE_TROUBLES = ['databaseDamaged', 'diskFull'] as const;
export type StorageTrouble = (typeof STORAGE_TROUBLES)[number];

/** Whom a recording is of, as somebody saw it who acts on it. */
export const TaskSubject = Type.Object({ patient: PatientSchema, isPatientMissing: Type.Boolean() }, closed);
export type TaskSubject = Static<typeof TaskSubject>;

const BackupFailure = Type.Object({ atMs: Type.Number(), reason: Type.String() }, closed);

/** Automatic backups. */
export const BackupState = Type.Object(
  {
    /** Absent where none are made. */
    folder: Type.Optional(Type.String()),
    isEncrypted: Type.Optional(Type.Boolean()),
    isRunning: Type.Boolean(),
    /** The last good one is older than it may be. */
    isLate: Type.Boolean(),
    progress: Type.Optional(
      Type.Object(
        { kind: Type.Enum(['make', 'verify', 'restore']), done: Type.Integer(), of: Type.Integer() },
        closed,
      ),
    ),
    lastGood: Type.Optional(
      Type.Object(
        { atMs: Type.Number(), files: Type.Integer(), sizeBytes: Type.Number(), lost: Type.Integer() },
        closed,
      ),
    ),
    /** Since the last good one. */
    failed: Type.Optional(BackupFailure),
    /** When everything was read back. */
    verified: Type.Optional(Type.Object({ atMs: Type.Number() }, closed)),
    damaged: Type.Optional(BackupFailure),
  },
  closed,
);
export type BackupState = Static<typeof BackupState>;

/** Room on the disk. */
export const StorageState = Type.Object(
  {
    freeBytes: Type.Number(),
    /** About how many hours of twelve leads at 1000 Hz still fit. */
    roomHours: Type.Integer(),
    /** Until it is full at the pace of the last 30 days; absent while there is too little to tell. */
    lastsDays: Type.Optional(Type.Integer()),
    /** Whether the disk is encrypted, as the operating system says it. */
    encryption: Type.Enum(['on', 'off', 'unknown']),
  },
  closed,
);
export type StorageState = Static<typeof StorageState>;

/** How whole the audit trail is. */
export const AuditState = Type.Object(
  {
    entries: Type.Integer(),
    /** Without a name where it is a program. */
    actors: Type.Array(Type.Object({ actor: Type.String(), name: Type.Optional(Type.String()) }, closed)),
    /** The last time that somebody had it checked since the program started. */
    checked: Type.Optional(
      Type.Object(
        {
          atMs: Type.Number(),
          entries: Type.Integer(),
          /** The first entry that does not fit the one before it. */
          brokenAt: Type.Optional(Type.Integer()),
          /** How it does not fit the note outside the database. */
          fault: Type.Optional(Type.Enum(['missing', 'forged', 'cut', 'rewritten'])),
          /** Where it did not fit at an earlier start. */
          unfitAt: Type.Optional(Type.Integer()),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type AuditState = Static<typeof AuditState>;

export const AuditEntryView = Type.Object(
  {
    seq: Type.Integer(),
    atMs: Type.Number(),
    actor: Type.String(),
    /** Name of the person or the token. */
    by: Type.Optional(Type.String()),
    action: Type.String(),
    subject: Type.String(),
    /** The patient of the recording that it is about, as it is now. */
    patient: Type.Optional(PatientSchema),
    detail: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  },
  closed,
);
export type AuditEntryView = Static<typeof AuditEntryView>;

/** The service is off because another program has its port. */
export const ServiceTrouble = Type.Object(
  { port: Type.Integer(), freePort: Type.Optional(Type.Integer()) },
  closed,
);
export type ServiceTrouble = Static<typeof ServiceTrouble>;

/** The device of a task that waits for one or receives from one. */
export const DeviceView = Type.Object(
  {
    state: Type.Enum([...DEVICE_STATES, UNKNOWN_DEVICE_STATE]),
    /** Last heartbeat or frame. */
    seenMs: Type.Optional(Type.Number()),
    /** Not heard of for half a minute in the middle of a recording (D80). */
    isLost: Type.Boolean(),
    command: Type.Optional(Type.Enum([...DEVICE_COMMANDS])),
    /** The last command was not obeyed within its ten minutes (D78). */
    isCommandIgnored: Type.Boolean(),
    /** What the device may be told now. */
    commands: Type.Array(Type.Enum([...DEVICE_COMMANDS])),
    frameCount: Type.Integer(),
    startedMs: Type.Optional(Type.Number()),
  },
  closed,
);
export type DeviceView = Static<typeof DeviceView>;

export const TaskDetail = Type.Object(
  {
    ...TaskRow.properties,
    deviceId: Type.Optional(Type.String()),
    /** Nothing of the patient may be deleted. */
    legalHold: Type.Optional(Type.Object({ reason: Type.String(), sinceMs: Type.Number() }, closed)),
    device: Type.Optional(DeviceView),
    format: Type.Optional(Type.String()),
    measurements: Type.Optional(MeasurementsSchema),
    statements: Type.Array(StatementSchema),
    notAssessed: Type.Array(UnassessedSchema),
    quality: Type.Array(LeadQualitySchema),
    warnings: Type.Array(WarningSchema),
    indications: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    /** The revision of the newest findings: whoever approves names what was seen. */
    revision: Type.Optional(Type.Integer()),
    rejection: Type.Optional(
      Type.Object({ by: Type.String(), reason: Type.String(), atMs: Type.Number() }, closed),
    ),
  },
  closed,
);
export type TaskDetail = Static<typeof TaskDetail>;

/** What of a task's audit a screen shows; the rest is for those who look into it. */
export const TASK_ACTIONS = [
  'task.created',
  'stream.started',
  'stream.finished',
  'task.taken',
  'task.given_back',
  'task.analysed',
  'task.failed',
  'task.retried',
  'task.assigned',
  'task.approved',
  'task.rejected',
  'task.amended',
  'task.critical_seen',
  'review.taken_over',
  'sync.sent',
  'sync.done',
] as const;

/** Something that was done with a task. */
export const TaskEventView = Type.Object(
  {
    atMs: Type.Number(),
    action: Type.Enum([...TASK_ACTIONS]),
    /** Name of a person with an account. */
    by: Type.Optional(Type.String()),
    /** As it was given. */
    reason: Type.Optional(Type.String()),
  },
  closed,
);
export type TaskEventView = Static<typeof TaskEventView>;

/** What became of one record of an import. */
export const ImportedRecord = Type.Object(
  {
    name: Type.String(),
    taskId: Type.Optional(taskId),
    /** The same content was there before: the task is the earlier one, and no second was made. */
    isKnown: Type.Optional(Type.Boolean()),
    /** Its channels are taken for something else; a person may say that some are ECG, as long as the import is open. */
    isAsked: Type.Optional(Type.Boolean()),
    reason: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
  },
  closed,
);
export type ImportedRecord = Static<typeof ImportedRecord>;

export const TaskQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 1000 }),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    /**
     * Name, number, date of birth, tag, indication, finding: beginnings of words, all of which must be there.
     */
    text: Type.Optional(text(200)),
    dateOrder: Type.Optional(Type.Enum([...DATE_ORDERS])),
    states: Type.Optional(
      Type.Array(Type.Enum([...TASK_STATES]), { minItems: 1, maxItems: TASK_STATES.length }),
    ),
    sinceMs: Type.Optional(Type.Number()),
    lowestSeverity: Type.Optional(SeveritySchema),
    /** Without those of the simulator. */
    isRealOnly: Type.Optional(Type.Boolean()),
    /** Recorded before anybody said whose it is. */
    isPatientMissing: Type.Optional(Type.Boolean()),
    /** These go first, in this order, as far as they are among what is asked for. */
    first: Type.Optional(Type.Array(taskId, { maxItems: MOST_FIRST })),
    /** Nothing newer: what comes meanwhile moves no row of a list that somebody reads. */
    newestId: Type.Optional(taskId),
  },
  closed,
);
export type TaskQuery = Static<typeof TaskQuery>;

/** A person who is known here. */
export const KnownPatient = Type.Object(
  {
    patientId: Type.Integer(),
    patient: PatientSchema,
    /** When height or weight was last told. */
    measuredMs: Type.Optional(Type.Number()),
    seenMs: Type.Number(),
  },
  closed,
);
export type KnownPatient = Static<typeof KnownPatient>;

/** An examination that a practice system asks for. */
export const OrderView = Type.Object(
  {
    orderId: Type.Integer(),
    facts: OrderFacts,
    state: Type.Enum([...ORDER_STATES]),
    readMs: Type.Number(),
  },
  closed,
);
export type OrderView = Static<typeof OrderView>;

/** A file of the order folder of which something could not be read. */
export const UnreadOrderView = Type.Object(
  { fileId: Type.Integer(), name: text(1024), readMs: Type.Number(), trouble: Type.String() },
  closed,
);
export type UnreadOrderView = Static<typeof UnreadOrderView>;

/** Somebody with an account. */
export const UserView = Type.Object(
  { userId: Type.Integer(), name: text(256), role: Type.Enum([...ROLES]) },
  closed,
);
export type UserView = Static<typeof UserView>;

/** A token of the service, by its first letters. */
export const TokenView = Type.Object(
  {
    tokenId: Type.Integer(),
    organization: text(64),
    label: text(256),
    prefix: text(64),
    scopes: Type.Array(Type.Enum([...SCOPES])),
    createdMs: Type.Number(),
    expiresMs: Type.Optional(Type.Number()),
    lastUsedMs: Type.Optional(Type.Number()),
    isRevoked: Type.Boolean(),
  },
  closed,
);
export type TokenView = Static<typeof TokenView>;

const trouble = Type.Object({ reason: Type.String(), message: Type.String() }, closed);

/** A device on the desk as the screens show it. */
export const DeskDevice = Type.Object(
  {
    /** Stays the same when it is plugged in elsewhere. */
    id: text(512),
    /** Name of its port. */
    port: text(1024),
    /** What the port says of itself; the driver's or the device's own name once it is known. */
    name: text(256),
    /** What the clinic calls it, where it has been given a name; `name` is that name then. */
    ownName: Type.Optional(text(MOST_DEVICE_NAME)),
    adapter: Type.Optional(text(256)),
    state: Type.Enum([...LINK_STATES]),
    driver: Type.Optional(text(64)),
    variant: Type.Optional(text(64)),
    /** The packets fit these, too: a person can choose. */
    variants: Type.Array(Choice),
    leadSet: Type.Optional(text(64)),
    leadSets: Type.Array(Choice),
    leads: Type.Array(Type.Enum([...LEAD_CODES])),
    rateHz: Type.Optional(Type.Number()),
    /** Microvolts of one step of the samples in `desk.samples`. */
    lsbUv: Type.Optional(Type.Number()),
    deviceClass: Type.Optional(Type.Enum(['diagnostic', 'monitoring'])),
    hasCounter: Type.Optional(Type.Boolean()),
    isCalibrated: Type.Optional(Type.Boolean()),
    isSimulated: Type.Boolean(),
    batteryPercent: Type.Optional(Type.Number()),
    /** Mask of electrodes without contact: `shared/signal/electrode.ts`. */
    electrodesOff: Type.Integer(),
    lostSinceMs: Type.Optional(Type.Number()),
    driftPpm: Type.Optional(Type.Number()),
    /** Samples a second as they were measured, where the device does not keep what it declares. */
    trueRateHz: Type.Optional(Type.Number()),
    /** Because of its wrong rate, only an emergency may be recorded with it. */
    isRateRefused: Type.Optional(Type.Literal(true)),
    /** Why it can't be used, in one sentence with the remedy. */
    trouble: Type.Optional(trouble),
    /** The last one that ended, as it is on the disk: samples without the gaps between them. */
    lastRecording: Type.Optional(
      Type.Object(
        {
          taskId,
          /** Another one where it rolled over. */
          firstTaskId: taskId,
          recordedMs: Type.Number(),
          /** What is missing between its samples; absent where nothing is. */
          lostMs: Type.Optional(Type.Number()),
          /** The longest stretch without a gap, where something is missing. */
          longestMs: Type.Optional(Type.Number()),
          /** Why the program ended it; absent where a person did, or its time was over. */
          notice: Type.Optional(Type.Enum([...RECORDING_NOTICES])),
          /** Why nothing of it could be stored any more, in one sentence. */
          trouble: Type.Optional(trouble),
        },
        closed,
      ),
    ),
    recording: Type.Optional(
      Type.Object(
        {
          taskId,
          startedMs: Type.Number(),
          /** What is on the disk: recorded samples, not time that passed. */
          recordedMs: Type.Number(),
          lostShare: Type.Number(),
          /** Arrived and not on the disk yet. */
          waitingMs: Type.Number(),
          isFinishing: Type.Boolean(),
          fixedDurationMs: Type.Optional(Type.Number()),
          /** What the technician must know, one at a time. */
          notice: Type.Optional(Type.Enum([...RECORDING_NOTICES])),
          minutesLeft: Type.Optional(Type.Number()),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type DeskDevice = Static<typeof DeskDevice>;

export const InterruptedRecording = Type.Object(
  {
    taskId,
    startedMs: Type.Number(),
    deviceName: Type.String(),
    isSimulated: Type.Boolean(),
    durationMs: Type.Number(),
  },
  closed,
);
export type InterruptedRecording = Static<typeof InterruptedRecording>;
