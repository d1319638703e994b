// What the renderer may ask of the workstation: name → schema of input and output, and the events. Every transport and the typed
// client derive from these maps; a message is validated where it arrives.

import { type Static, type TSchema, Type } from 'typebox';
import {
  LeadQualitySchema,
  MeasurementsSchema,
  PatientSchema,
  SeveritySchema,
  StatementSchema,
  WarningSchema,
} from '../analysis-result.ts';
import { RecordingEntry } from '../entry/recording-entry.ts';
import { DATE_ORDERS } from '../entry/typed-date.ts';
import { LINK_STATES } from '../link-state.ts';
import { ROLES } from '../roles.ts';
import { LEAD_CODES } from '../signal/lead.ts';
import { LiveFindings } from '../signal/live/live-findings.ts';
import { RecordedDevice, StreamScale } from '../signal/stream-file.ts';
import { TASK_STATES } from '../task-state.ts';
import { DEVICE_COMMANDS, DEVICE_STATES, SCOPES, UNKNOWN_DEVICE_STATE } from '../v3/v3.ts';

const closed = { additionalProperties: false } as const;
const none = Type.Object({}, closed);
const taskId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const fileName = Type.String({ minLength: 1, maxLength: 1024 });
const importId = Type.String({ minLength: 1, maxLength: 64 });
const text = (maxLength: number) => Type.String({ maxLength });
/** A PIN or a password. */
const secret = Type.String({ minLength: 1, maxLength: 256 });
const reason = text(1000);
/** Something that a person can choose. */
const Choice = Type.Object({ id: text(64), name: text(256) }, closed);

/** What was behind a device when it was used last. */
export const KnownDevice = Type.Object(
  { identity: text(512), driver: text(64), variant: text(64), baud: Type.Integer(), leadSet: text(64) },
  closed,
);

/** What a technician must be told of a running recording. */
export const RECORDING_NOTICES = [
  'storeRestarted',
  'storeSlow',
  'storeFull',
  'nearlyFull',
  'stoppedForSpace',
  'clockSet',
  'slept',
] as const;
export type RecordingNotice = (typeof RECORDING_NOTICES)[number];

export const TaskRow = Type.Object(
  {
    taskId,
    state: Type.Enum([...TASK_STATES]),
    createdMs: Type.Number(),
    patient: PatientSchema,
    recordingStartMs: Type.Optional(Type.Number()),
    isStartZoneKnown: Type.Optional(Type.Boolean()),
    timeZone: Type.Optional(Type.String()),
    durationMs: Type.Optional(Type.Number()),
    leadCount: Type.Optional(Type.Integer()),
    severity: Type.Optional(SeveritySchema),
    failureReason: Type.Optional(Type.String()),
    queuedAhead: Type.Optional(Type.Integer()),
    isSimulated: Type.Optional(Type.Boolean()),
    /** Recorded before anybody said whose it is, and nobody has since. */
    isPatientMissing: Type.Optional(Type.Boolean()),
    /** It records, and was not heard of for half a minute (D80). */
    isDeviceLost: Type.Optional(Type.Boolean()),
  },
  closed,
);
export type TaskRow = Static<typeof TaskRow>;

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
    device: Type.Optional(DeviceView),
    format: Type.Optional(Type.String()),
    measurements: Type.Optional(MeasurementsSchema),
    statements: Type.Array(StatementSchema),
    quality: Type.Array(LeadQualitySchema),
    warnings: Type.Array(WarningSchema),
    indications: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    /** Of the newest findings: whoever approves names what was seen. */
    revision: Type.Optional(Type.Integer()),
    rejection: Type.Optional(Type.Object({ by: Type.String(), reason: Type.String(), atMs: Type.Number() }, closed)),
  },
  closed,
);
export type TaskDetail = Static<typeof TaskDetail>;

/** What became of one record of an import. */
export const ImportedRecord = Type.Object(
  {
    name: Type.String(),
    taskId: Type.Optional(taskId),
    /** The same content was there before: the task is the earlier one, and no second was made. */
    isKnown: Type.Optional(Type.Boolean()),
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
    /** Name, number, date of birth, tag, indication, finding: beginnings of words, all of which must be there. */
    text: Type.Optional(text(200)),
    dateOrder: Type.Optional(Type.Enum([...DATE_ORDERS])),
    states: Type.Optional(Type.Array(Type.Enum([...TASK_STATES]), { minItems: 1, maxItems: TASK_STATES.length })),
    sinceMs: Type.Optional(Type.Number()),
    lowestSeverity: Type.Optional(SeveritySchema),
    /** Without those of the simulator. */
    isRealOnly: Type.Optional(Type.Boolean()),
    /** Recorded before anybody said whose it is. */
    isPatientMissing: Type.Optional(Type.Boolean()),
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

/** Somebody with an account. */
export const UserView = Type.Object({ userId: Type.Integer(), name: text(256), role: Type.Enum([...ROLES]) }, closed);
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

export const MAX_BRIDGE_BUFFER_BYTES = 16 * 1024 * 1024;

/** Bytes travel as they are, never as text. Checked by the dispatcher, because JSON schema knows no byte arrays. */
const bytes = Type.Unsafe<Uint8Array>({ description: 'bytes' });

export const QUERIES = {
  /** Who is signed in at this page, and who could be. */
  'session.get': {
    input: none,
    output: Type.Object({ isNeeded: Type.Boolean(), person: Type.Optional(UserView), users: Type.Array(UserView) }, closed),
  },
  'workstation.about': {
    input: none,
    output: Type.Object(
      { version: Type.String(), isDemo: Type.Boolean(), serviceUrl: Type.String(), fingerprint: Type.Optional(Type.String()) },
      closed,
    ),
  },
  'task.list': {
    input: TaskQuery,
    output: Type.Object({ rows: Type.Array(TaskRow), total: Type.Integer() }, closed),
  },
  'task.get': { input: Type.Object({ taskId }, closed), output: TaskDetail },
  /** Whom somebody may mean who types this; nobody where nothing is typed. */
  'patient.search': {
    input: Type.Object({ text: text(200), dateOrder: Type.Enum([...DATE_ORDERS]) }, closed),
    output: Type.Object({ patients: Type.Array(KnownPatient), total: Type.Integer() }, closed),
  },
  /** Who may be the same person under another name or number. */
  'patient.similar': {
    input: Type.Object({ patient: PatientSchema }, closed),
    output: Type.Object({ patients: Type.Array(KnownPatient) }, closed),
  },
  /** Charts that became one and can still be parted. */
  'patient.merges': {
    input: none,
    output: Type.Object(
      {
        merges: Type.Array(
          Type.Object({ mergeId: Type.Integer(), mergedMs: Type.Number(), kept: KnownPatient, gone: KnownPatient }, closed),
        ),
      },
      closed,
    ),
  },
  /** Everything that can be set, as text. */
  'setting.list': { input: none, output: Type.Object({ values: Type.Record(Type.String(), Type.String()) }, closed) },
  'token.list': { input: none, output: Type.Object({ tokens: Type.Array(TokenView), organizations: Type.Array(text(64)) }, closed) },
  'report.read': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object({ pdf: bytes, approval: Type.Enum(['preliminary', 'automatic', 'approved']), patient: PatientSchema }, closed),
  },
} as const satisfies Record<string, { input: TSchema; output: TSchema }>;

export const COMMANDS = {
  'import.open': {
    input: Type.Object(
      {
        files: Type.Array(Type.Object({ name: fileName, sizeBytes: Type.Integer({ minimum: 0 }) }, closed), {
          minItems: 1,
          maxItems: 10_000,
        }),
      },
      closed,
    ),
    output: Type.Object({ importId }, closed),
  },
  'import.write': {
    input: Type.Object({ importId, fileIndex: Type.Integer({ minimum: 0 }), offsetBytes: Type.Integer({ minimum: 0 }), bytes }, closed),
    output: none,
  },
  'import.finish': {
    input: Type.Object({ importId, autoComplete: Type.Boolean() }, closed),
    output: Type.Object({ records: Type.Array(ImportedRecord), ignored: Type.Array(Type.String()) }, closed),
  },
  'import.cancel': { input: Type.Object({ importId }, closed), output: none },
  'device.command': { input: Type.Object({ taskId, command: Type.Enum([...DEVICE_COMMANDS]) }, closed), output: none },
  /** Ends a stream whose device does not come back, with what it sent. */
  'stream.finish': { input: Type.Object({ taskId }, closed), output: none },
  'device.setDuration': {
    input: Type.Object({ taskId, durationMs: Type.Optional(Type.Integer({ minimum: 1000, maximum: 35 * 86_400_000 })) }, closed),
    output: none,
  },
  'session.signIn': { input: Type.Object({ userId: Type.Integer(), secret }, closed), output: UserView },
  'session.signOut': { input: none, output: none },
  'user.add': { input: Type.Object({ name: text(256), role: Type.Enum([...ROLES]), secret }, closed), output: UserView },
  'user.deactivate': { input: Type.Object({ userId: Type.Integer() }, closed), output: none },
  'user.changeSecret': { input: Type.Object({ before: secret, after: secret }, closed), output: none },
  'task.assign': { input: Type.Object({ taskId, entry: RecordingEntry, reason }, closed), output: none },
  /** Two charts of one person; `facts` is what is true where they differ. */
  'patient.merge': {
    input: Type.Object({ keptId: Type.Integer(), goneId: Type.Integer(), facts: PatientSchema, reason }, closed),
    output: Type.Object({ mergeId: Type.Integer() }, closed),
  },
  'patient.part': { input: Type.Object({ mergeId: Type.Integer() }, closed), output: none },
  'task.delete': { input: Type.Object({ taskId, reason }, closed), output: none },
  'task.approve': { input: Type.Object({ taskId, revision: Type.Integer(), secret }, closed), output: none },
  'task.reject': { input: Type.Object({ taskId, reason, secret }, closed), output: none },
  /** The text is shown once and kept nowhere. */
  'token.create': {
    input: Type.Object(
      {
        organization: text(64),
        label: text(256),
        scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
        /** 0: for ever. */
        lifeDays: Type.Integer({ minimum: 0, maximum: 36_500 }),
      },
      closed,
    ),
    output: Type.Object({ text: Type.String() }, closed),
  },
  'token.revoke': { input: Type.Object({ tokenId: Type.Integer() }, closed), output: none },
  'setting.change': { input: Type.Object({ key: text(64), text: text(1024) }, closed), output: none },
  'task.retry': { input: Type.Object({ taskId }, closed), output: none },
} as const satisfies Record<string, { input: TSchema; output: TSchema }>;

/** A device on the desk as the screens show it. */
export const DeskDevice = Type.Object(
  {
    /** Stays the same when it is plugged in elsewhere. */
    id: text(512),
    /** Name of its port. */
    port: text(1024),
    /** What the port says of itself; the driver's or the device's own name once it is known. */
    name: text(256),
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
    /** Why it can't be used, in one sentence with the remedy. */
    trouble: Type.Optional(Type.Object({ reason: Type.String(), message: Type.String() }, closed)),
    /** The last one that ended, as it is on the disk: samples without the gaps between them. */
    lastRecording: Type.Optional(
      Type.Object({ taskId, /** Another one where it rolled over. */ firstTaskId: taskId, recordedMs: Type.Number() }, closed),
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
  { taskId, startedMs: Type.Number(), deviceName: Type.String(), isSimulated: Type.Boolean(), durationMs: Type.Number() },
  closed,
);
export type InterruptedRecording = Static<typeof InterruptedRecording>;

const deskId = text(512);
const MAX_DURATION_MS = 35 * 86_400_000;

/** Answered where the devices are: on the main thread, beside the clinic's. */
export const DESK_QUERIES = {
  'desk.list': { input: none, output: Type.Object({ devices: Type.Array(DeskDevice) }, closed) },
  'desk.drivers': {
    input: none,
    output: Type.Object(
      {
        drivers: Type.Array(Type.Object({ ...Choice.properties, variants: Type.Array(Choice) }, closed)),
        rhythms: Type.Array(Type.String()),
      },
      closed,
    ),
  },
  'desk.interrupted': { input: none, output: Type.Object({ recordings: Type.Array(InterruptedRecording) }, closed) },
} as const satisfies Record<string, { input: TSchema; output: TSchema }>;

export const DESK_COMMANDS = {
  /** The port of a device in the list, one that is typed, or the simulator (`simulator:…`). */
  'desk.connect': {
    input: Type.Object(
      {
        port: text(1024),
        driver: Type.Optional(text(64)),
        variant: Type.Optional(text(64)),
        leadSet: Type.Optional(text(64)),
      },
      closed,
    ),
    output: Type.Object({ id: deskId }, closed),
  },
  'desk.disconnect': { input: Type.Object({ id: deskId }, closed), output: none },
  'desk.chooseLeads': { input: Type.Object({ id: deskId, leadSet: text(64) }, closed), output: none },
  'desk.record': {
    input: Type.Object(
      {
        id: deskId,
        /** Without it nobody knows yet whose it is. */
        entry: Type.Optional(RecordingEntry),
        /** The seconds before, as far as they are there. */
        withPast: Type.Optional(Type.Boolean()),
        durationMs: Type.Optional(Type.Integer({ minimum: 10_000, maximum: MAX_DURATION_MS })),
      },
      closed,
    ),
    output: Type.Object({ taskId }, closed),
  },
  'desk.stop': { input: Type.Object({ id: deskId }, closed), output: Type.Object({ taskId }, closed) },
  /** The last ten seconds, as a recording of its own. */
  'desk.saveLast': {
    input: Type.Object({ id: deskId, entry: Type.Optional(RecordingEntry) }, closed),
    output: Type.Object({ taskId }, closed),
  },
  /** Another patient lies on the couch: nothing of before belongs to it. */
  'desk.forgetPast': { input: none, output: none },
  'desk.mark': { input: Type.Object({ id: deskId }, closed), output: none },
} as const satisfies Record<string, { input: TSchema; output: TSchema }>;

export const DESK_CALLS = { ...DESK_QUERIES, ...DESK_COMMANDS };

const recordingEvents = Type.Array(Type.Object({ sample: Type.Integer(), kind: text(32), value: Type.Number() }, closed), {
  maxItems: 10_000,
});
const warnings = Type.Array(WarningSchema, { maxItems: 100 });

/** What the recorder asks of the clinic; no page may. */
export const RECORDER_CALLS = {
  'recorder.begin': {
    input: Type.Object(
      {
        taskId: Type.Optional(taskId),
        entry: Type.Optional(RecordingEntry),
        /** The task of the same recording that came before: the patient is the same. */
        continues: Type.Optional(taskId),
        /** The page at which somebody asked for it; absent for the program itself. */
        session: Type.Optional(text(64)),
        sampleRateHz: Type.Number({ minimum: 1, maximum: 100_000 }),
        leadCodes: Type.Array(Type.Enum([...LEAD_CODES]), { minItems: 1, maxItems: LEAD_CODES.length, uniqueItems: true }),
        scale: StreamScale,
        device: RecordedDevice,
        startedMs: Type.Integer(),
      },
      closed,
    ),
    output: Type.Object({ taskId }, closed),
  },
  /** Answered when the frame is on the disk. */
  'recorder.append': {
    input: Type.Object(
      { taskId, timestampUs: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), bytes, events: recordingEvents },
      closed,
    ),
    output: none,
  },
  'recorder.finish': {
    input: Type.Object({ taskId, device: Type.Optional(RecordedDevice), events: recordingEvents, warnings }, closed),
    output: none,
  },
  'recorder.discard': { input: Type.Object({ taskId, isTaskOurs: Type.Boolean() }, closed), output: none },
  'recorder.open': { input: none, output: Type.Object({ recordings: Type.Array(InterruptedRecording) }, closed) },
  'recorder.space': { input: none, output: Type.Object({ freeBytes: Type.Number() }, closed) },
  'recorder.known': {
    input: Type.Object({ identity: deskId }, closed),
    output: Type.Object({ device: Type.Optional(KnownDevice) }, closed),
  },
  'recorder.remember': { input: KnownDevice, output: none },
} as const satisfies Record<string, { input: TSchema; output: TSchema }>;

export const EVENTS = {
  /** Something about the named task, or about any task where none is named, is new. */
  'task.changed': Type.Object({ taskId: Type.Optional(taskId) }, closed),
  /** The list of devices on the desk is new. */
  'desk.changed': Type.Object({}, closed),
  /** Some milliseconds of a device's leads: `shared/bridge/sample-message.ts`. */
  'desk.samples': Type.Object({ id: deskId, bytes }, closed),
  /** What the live analysis says, a few times a second. */
  'desk.live': LiveFindings,
} as const satisfies Record<string, TSchema>;

/** What a page may ask of the clinic. */
export const CLINIC_CALLS = { ...QUERIES, ...COMMANDS };
/** What a page may ask, wherever it is answered. */
export const PAGE_CALLS = { ...CLINIC_CALLS, ...DESK_CALLS };
export const CALLS = { ...PAGE_CALLS, ...RECORDER_CALLS };

export type CallName = keyof typeof CALLS;
export type CallInput<K extends CallName> = Static<(typeof CALLS)[K]['input']>;
export type CallOutput<K extends CallName> = Static<(typeof CALLS)[K]['output']>;
export type EventName = keyof typeof EVENTS;
export type EventPayload<K extends EventName> = Static<(typeof EVENTS)[K]>;

export const isCallName = (name: string): name is CallName => Object.hasOwn(CALLS, name);
export const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name);

/** What a screen holds in its hand, whatever the transport. */
export interface Bridge {
  /** @throws IsolineError with the reason that the workstation gives, or `bridge_closed`. */
  call<K extends CallName>(name: K, input: CallInput<K>, signal?: AbortSignal): Promise<CallOutput<K>>;
  /** @returns the function that ends the subscription. */
  on<K extends EventName>(name: K, listener: (payload: EventPayload<K>) => void): () => void;
}
