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
import { TASK_STATES } from '../task-state.ts';
import { DEVICE_COMMANDS, DEVICE_STATES, UNKNOWN_DEVICE_STATE } from '../v3/v3.ts';

const closed = { additionalProperties: false } as const;
const none = Type.Object({}, closed);
const taskId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const fileName = Type.String({ minLength: 1, maxLength: 1024 });
const importId = Type.String({ minLength: 1, maxLength: 64 });

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

export const MAX_BRIDGE_BUFFER_BYTES = 16 * 1024 * 1024;

/** Bytes travel as they are, never as text. Checked by the dispatcher, because JSON schema knows no byte arrays. */
const bytes = Type.Unsafe<Uint8Array>({ description: 'bytes' });

export const QUERIES = {
  'workstation.about': {
    input: none,
    output: Type.Object(
      { version: Type.String(), isDemo: Type.Boolean(), serviceUrl: Type.String(), fingerprint: Type.Optional(Type.String()) },
      closed,
    ),
  },
  'task.list': {
    input: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 1000 }) }, closed),
    output: Type.Object({ rows: Type.Array(TaskRow), total: Type.Integer() }, closed),
  },
  'task.get': { input: Type.Object({ taskId }, closed), output: TaskDetail },
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
  'task.retry': { input: Type.Object({ taskId }, closed), output: none },
} as const satisfies Record<string, { input: TSchema; output: TSchema }>;

export const EVENTS = {
  /** Something about the named task, or about any task where none is named, is new. */
  'task.changed': Type.Object({ taskId: Type.Optional(taskId) }, closed),
} as const satisfies Record<string, TSchema>;

export const CALLS = { ...QUERIES, ...COMMANDS };

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
