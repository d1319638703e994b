// The channels of a recording, and which of them are ECG.

import { Type } from 'typebox';
import { ChannelChoiceSchema } from '../../signal/channel-choice.ts';
import { CHANNEL_KINDS } from '../../signal/channel-kind.ts';
import { LEAD_CODES } from '../../signal/lead.ts';
import { bytes, closed, none, taskId } from '../fields.ts';
import { ImportedRecord, TaskSubject } from '../views.ts';
import type { Operation } from './operation.ts';

const importId = Type.String({ minLength: 1, maxLength: 64 });
const recordName = Type.String({ minLength: 1, maxLength: 1024 });

const ChannelView = Type.Object(
  {
    label: Type.String(),
    unit: Type.String(),
    rateHz: Type.Number(),
    /** By its label, and by the labels beside it. */
    kind: Type.Enum([...CHANNEL_KINDS]),
    /** The program analyses it as ECG. */
    isUsed: Type.Boolean(),
    /** It has samples enough for an ECG. */
    isFast: Type.Boolean(),
    /** The file does not say its rate: `rateHz` is one to look at it with. */
    isRateUnknown: Type.Optional(Type.Boolean()),
    lead: Type.Optional(Type.Enum([...LEAD_CODES])),
    /** Its electrodes are elsewhere than those of the lead. */
    isModified: Type.Optional(Type.Boolean()),
    /** Microvolts of 1, as the file writes its numbers; absent where it does not settle them. */
    uvPerUnit: Type.Optional(Type.Number()),
    isFlat: Type.Boolean(),
    /** Absent where no heartbeats are seen. */
    beatsPerMinute: Type.Optional(Type.Number()),
    /** The largest wave of the beats points down. */
    isDownward: Type.Optional(Type.Boolean()),
    /** Float32, little endian: the least and the greatest value of each column of a picture, NaN where nothing is. */
    columns: bytes,
  },
  closed,
);

const view = {
  durationSeconds: Type.Number(),
  startMs: Type.Optional(Type.Number()),
  /** Where what is shown begins, and how long it is. */
  startSeconds: Type.Number(),
  seconds: Type.Number(),
  channels: Type.Array(ChannelView),
};

export const CHANNEL_QUERIES = {
  /** @throws `task_state_conflict` before there is a recording */
  'channels.of': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object(
      {
        ...view,
        /** What a person said. */
        choice: Type.Optional(ChannelChoiceSchema),
        /** So many other recordings have the same list of channels, and nobody has chosen theirs by themselves. */
        sameCount: Type.Integer({ minimum: 0 }),
        /** Somebody has corrected its findings; the corrections go where channels are chosen. */
        isCorrected: Type.Boolean(),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** The channels of a file that are all taken for something else. */
  'channels.ofImport': {
    input: Type.Object({ importId, name: recordName }, closed),
    output: Type.Object(view, closed),
    right: 'import',
  },
} as const satisfies Record<string, Operation>;

const isForSame = Type.Boolean();

export const CHANNEL_COMMANDS = {
  /** The recording is analysed again. @throws `invalid_channels`, `task_state_conflict`, `patient_changed` */
  'channels.choose': {
    input: Type.Object(
      { taskId, choice: ChannelChoiceSchema, isForSame, of: Type.Optional(TaskSubject) },
      closed,
    ),
    output: none,
    right: 'import',
  },
  /** Imports the file after all. @throws `invalid_channels` */
  'channels.import': {
    input: Type.Object(
      { importId, name: recordName, choice: ChannelChoiceSchema, isForSame, autoComplete: Type.Boolean() },
      closed,
    ),
    output: ImportedRecord,
    right: 'import',
  },
} as const satisfies Record<string, Operation>;
