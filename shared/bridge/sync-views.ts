// What screens are shown of the way to central services.

import { type Static, Type } from 'typebox';
import { PatientSchema, SeveritySchema } from '../analysis-result.ts';
import { CONNECTION_KINDS } from '../connections/connections.ts';
import { DEVICE_COMMANDS } from '../device-state.ts';
import { CONNECTION_STOPS, CONNECTION_TROUBLES, ITEM_CAUSES, ITEM_STATES, SYNC_WAYS } from '../sync-state.ts';
import { closed, taskId, text } from './fields.ts';

/** A central service, how the way there is, and how much waits. */
export const ConnectionView = Type.Object(
  {
    connectionId: Type.Integer(),
    label: text(256),
    host: text(256),
    /** Whose recordings go there. */
    organization: text(64),
    kind: Type.Enum([...CONNECTION_KINDS]),
    /** What was set up, as it is shown. Words: `connection.KIND.field`. */
    facts: Type.Record(text(64), text(1024)),
    hasCredential: Type.Boolean(),
    /**
     * The secret is locked by the key store of the system; else it lies in a file that its owner alone can
     * read.
     */
    isSealed: Type.Boolean(),
    takesOrders: Type.Boolean(),
    /** It gets results of ECGs that are read; a central service gets recordings. */
    takesResults: Type.Boolean(),
    /** A hospital also gets what no physician has read. */
    takesUnread: Type.Boolean(),
    /** The archive confirms what it has stored; absent where it was not asked, or cannot say. */
    isConfirming: Type.Optional(Type.Boolean()),
    stop: Type.Optional(Type.Enum([...CONNECTION_STOPS])),
    trouble: Type.Optional(Type.Enum([...CONNECTION_TROUBLES])),
    lastContactMs: Type.Optional(Type.Number()),
    /** When the last one was done. */
    lastDoneMs: Type.Optional(Type.Number()),
    /** Done in each half hour of the last day, the latest last. */
    doneByHalfHour: Type.Array(Type.Integer()),
    nextTryMs: Type.Optional(Type.Number()),
    /** How far its clock is ahead. */
    clockOffsetMs: Type.Optional(Type.Number()),
    held: Type.Integer(),
    /** Still to be sent, those under way among them. */
    waiting: Type.Integer(),
    sending: Type.Integer(),
    atCentre: Type.Integer(),
    toDecide: Type.Integer(),
    stopped: Type.Integer(),
    /** How many have a patient who reads otherwise there than here. */
    differing: Type.Integer(),
    doneToday: Type.Integer(),
    done: Type.Integer(),
    /** When the oldest of what still waits was made. */
    oldestMs: Type.Optional(Type.Number()),
    waitingBytes: Type.Number(),
    bytesPerSecond: Type.Optional(Type.Number()),
  },
  closed,
);
export type ConnectionView = Static<typeof ConnectionView>;

/** One recording on its way, or there. */
export const SyncItemView = Type.Object(
  {
    itemId: Type.Integer(),
    taskId,
    patient: PatientSchema,
    state: Type.Enum([...ITEM_STATES]),
    way: Type.Enum([...SYNC_WAYS]),
    /** The kind of what it goes to. */
    kind: Type.Enum([...CONNECTION_KINDS]),
    isCritical: Type.Boolean(),
    isLive: Type.Boolean(),
    createdMs: Type.Number(),
    changedMs: Type.Number(),
    nextTryMs: Type.Optional(Type.Number()),
    /** Calls in a row that came to nothing. */
    failures: Type.Integer(),
    cause: Type.Optional(Type.Enum([...ITEM_CAUSES])),
    /** Before this nobody can know that it is not there: the centre may still be creating it. */
    knowableFromMs: Type.Optional(Type.Number()),
    /** What the centre said. */
    message: Type.Optional(Type.String()),
    centralId: Type.Optional(Type.String()),
    /** By which it is found there. */
    marker: text(64),
    /** The share that is sent, from 0 to 1. */
    progress: Type.Optional(Type.Number()),
    /** As the centre judges it. */
    severity: Type.Optional(Type.String()),
    hasReport: Type.Boolean(),
    /** The patient as the centre was told, where it stands otherwise here by now. */
    sentPatient: Type.Optional(PatientSchema),
    /** The centre has processed it, and has no report. */
    isWithoutReport: Type.Boolean(),
    /** Nothing of this patient may be sent. */
    isPatientKept: Type.Boolean(),
  },
  closed,
);
export type SyncItemView = Static<typeof SyncItemView>;

/** The centre judges a recording graver than we do. */
export const RaisedView = Type.Object(
  { itemId: Type.Integer(), taskId, severity: SeveritySchema, patient: PatientSchema },
  closed,
);
export type RaisedView = Static<typeof RaisedView>;

/** What the central service asks of the device of a recording that goes there while it runs. */
export const AskedView = Type.Object(
  { taskId, command: Type.Enum([...DEVICE_COMMANDS]), isObeyed: Type.Boolean() },
  closed,
);
export type AskedView = Static<typeof AskedView>;

/** What a test of a connection has shown. */
export const TestOutcome = Type.Object(
  {
    isReached: Type.Boolean(),
    trouble: Type.Optional(Type.Enum([...CONNECTION_TROUBLES])),
    /** What it lets us do, or takes; absent where nobody answered. Words: `connection.KIND.offer`. */
    offers: Type.Optional(Type.Record(text(32), Type.Boolean())),
    /** What else is to be known. Words: `connection.KIND.note`. */
    notes: Type.Optional(Type.Array(text(32))),
    proven: Type.Optional(
      Type.Object(
        {
          isIdempotent: Type.Optional(Type.Boolean()),
          isStreamProven: Type.Optional(Type.Boolean()),
          isConfirming: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    /** It is a workstation like this one. */
    isOurs: Type.Optional(Type.Boolean()),
    clockOffsetMs: Type.Optional(Type.Number()),
    tookMs: Type.Number(),
  },
  closed,
);
export type TestOutcome = Static<typeof TestOutcome>;
