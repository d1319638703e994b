// What the renderer may ask of the workstation: name → schema of input and output, and the events. Every transport and the typed
// client derive from these maps; a message is validated where it arrives.

import { type Static, type TSchema, Type } from 'typebox';
import { PatientSchema, WarningSchema } from '../analysis-result.ts';
import { ANALYSIS_STAGES } from '../analysis-stage.ts';
import { RecordingEntry } from '../entry/recording-entry.ts';
import { DATE_ORDERS } from '../entry/typed-date.ts';
import { ORDER_TROUBLES, OrderFolderLook, OrderReading } from '../order.ts';
import { ROLES } from '../roles.ts';
import { LEAD_CODES } from '../signal/lead.ts';
import { LiveFindings } from '../signal/live/live-findings.ts';
import { RecordedDevice, StreamScale } from '../signal/stream-file.ts';
import { SYNC_LISTS, type SyncList } from '../sync-state.ts';
import { DEVICE_COMMANDS, SCOPES } from '../v3/v3.ts';
import { Choice, closed, taskId, text } from './fields.ts';
import { AskedView, CentreTest, CentreView, RaisedView, SyncItemView } from './sync-views.ts';
import {
  DeskDevice,
  ImportedRecord,
  InterruptedRecording,
  KnownDevice,
  KnownPatient,
  OrderView,
  ServiceTrouble,
  TaskDetail,
  TaskEventView,
  TaskQuery,
  TaskRow,
  TokenView,
  UnreadOrderView,
  UserView,
} from './views.ts';

const none = Type.Object({}, closed);
const fileName = Type.String({ minLength: 1, maxLength: 1024 });
const importId = Type.String({ minLength: 1, maxLength: 64 });
/** A PIN or a password. */
const secret = Type.String({ minLength: 1, maxLength: 256 });
const reason = text(1000);
const centreId = Type.Integer({ minimum: 1 });

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
      {
        version: Type.String(),
        isDemo: Type.Boolean(),
        /** Empty where it is off. */
        serviceUrl: Type.String(),
        serviceTrouble: Type.Optional(ServiceTrouble),
        fingerprint: Type.Optional(Type.String()),
      },
      closed,
    ),
  },
  'task.list': {
    input: TaskQuery,
    output: Type.Object({ rows: Type.Array(TaskRow), total: Type.Integer() }, closed),
  },
  'task.get': { input: Type.Object({ taskId }, closed), output: TaskDetail },
  /** What was done with a task, and what its analysis is at. */
  'task.history': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object({ events: Type.Array(TaskEventView), stage: Type.Optional(Type.Enum([...ANALYSIS_STAGES])) }, closed),
  },
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
  'order.list': {
    input: none,
    output: Type.Object(
      { orders: Type.Array(OrderView), unread: Type.Array(UnreadOrderView), trouble: Type.Optional(Type.Enum([...ORDER_TROUBLES])) },
      closed,
    ),
  },
  /** How a folder would be read, before it is watched. */
  'order.look': { input: OrderReading, output: OrderFolderLook },
  /** Everything that can be set, as text. */
  'setting.list': { input: none, output: Type.Object({ values: Type.Record(Type.String(), Type.String()) }, closed) },
  'token.list': { input: none, output: Type.Object({ tokens: Type.Array(TokenView), organizations: Type.Array(text(64)) }, closed) },
  'sync.overview': {
    input: none,
    output: Type.Object(
      { centres: Type.Array(CentreView), raised: Type.Array(RaisedView), asked: Type.Array(AskedView), isIdle: Type.Boolean() },
      closed,
    ),
  },
  /** What is on its way, or was. */
  'sync.items': {
    input: Type.Object(
      {
        centreId: Type.Integer(),
        list: Type.Enum([...Object.keys(SYNC_LISTS), 'differing'] as SyncList[]),
        limit: Type.Integer({ minimum: 1, maximum: 500 }),
      },
      closed,
    ),
    output: Type.Object({ items: Type.Array(SyncItemView) }, closed),
  },
  /** How much was recorded before the centre was known here. */
  'sync.earlier': { input: Type.Object({ centreId }, closed), output: Type.Object({ count: Type.Integer() }, closed) },
  /** The centre's own report of a task. */
  'sync.report': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object({ pdf: bytes, fetchedMs: Type.Number(), patient: PatientSchema }, closed),
  },
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
  /** Somebody did something at the page. */
  'session.touch': { input: none, output: none },
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
  'order.putAway': { input: Type.Object({ orderId: Type.Integer() }, closed), output: none },
  'order.putFileAway': { input: Type.Object({ fileId: Type.Integer() }, closed), output: none },
  'centre.add': {
    input: Type.Object(
      {
        label: text(256),
        url: text(1024),
        organization: text(64),
        organizationThere: text(64),
        certificates: Type.Optional(text(65_536)),
        token: text(4096),
      },
      closed,
    ),
    output: Type.Object({ centreId }, closed),
  },
  'centre.setToken': { input: Type.Object({ centreId, token: text(4096) }, closed), output: none },
  'centre.remove': { input: Type.Object({ centreId }, closed), output: none },
  'centre.test': { input: Type.Object({ centreId }, closed), output: CentreTest },
  'sync.pause': { input: Type.Object({ centreId }, closed), output: none },
  'sync.resume': { input: Type.Object({ centreId }, closed), output: none },
  'sync.now': { input: Type.Object({ centreId }, closed), output: none },
  /** A person's answer: it is there under this number, it is to be sent again (or at all), it is not to be sent. */
  'sync.answer': {
    input: Type.Object(
      { itemId: Type.Integer(), answer: Type.Enum(['there', 'again', 'stop']), centralId: Type.Optional(text(19)) },
      closed,
    ),
    output: none,
  },
  /** Of a patient who stands otherwise there than here. */
  'sync.settle': {
    input: Type.Object({ itemId: Type.Integer(), how: Type.Enum(['corrected', 'left', 'asNew']) }, closed),
    output: none,
  },
  'sync.seen': { input: Type.Object({ itemId: Type.Integer() }, closed), output: none },
  /** What was recorded before the centre was known here goes too. */
  'sync.sendEarlier': { input: Type.Object({ centreId }, closed), output: Type.Object({ count: Type.Integer() }, closed) },
  'sync.send': { input: Type.Object({ taskId }, closed), output: none },
  'sync.keepPatient': { input: Type.Object({ taskId, isKept: Type.Boolean() }, closed), output: none },
  /** A report was saved from a screen: that is noted. */
  'report.saved': { input: Type.Object({ taskId }, closed), output: none },
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
    /** The central service asks to stop, and is to be obeyed. */
    output: Type.Object({ isToStop: Type.Optional(Type.Boolean()) }, closed),
  },
  'recorder.finish': {
    input: Type.Object({ taskId, device: Type.Optional(RecordedDevice), events: recordingEvents, warnings }, closed),
    output: none,
  },
  'recorder.discard': { input: Type.Object({ taskId, isTaskOurs: Type.Boolean() }, closed), output: none },
  /** The screen of the computer was locked: everybody is signed out. */
  'recorder.lockAll': { input: none, output: none },
  /** Whether somebody is signed in at a page, where people have to. */
  'recorder.requireSignedIn': { input: Type.Object({ session: text(64) }, closed), output: none },
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
  /** The analysis of a task is a stage further. */
  'task.stage': Type.Object({ taskId }, closed),
  /** An order came, or what is known of the folder is new. */
  'order.changed': Type.Object({}, closed),
  /** Something on its way to a central service is further, or the way there is another. */
  'sync.changed': Type.Object({}, closed),
  /** Somebody was signed out: the computer was locked, or nobody was there for too long. */
  'session.changed': Type.Object({}, closed),
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
