// The /v3 interface as data: the schemas that validate requests, type the handlers and the client, and make
// the OpenAPI document. Field rules: D10 to D13, D40, D50 to D52. What a JSON schema can't say (existing
// days, zones) is in task-fields.ts.

import { type Static, Type } from 'typebox';
import {
  DEVICE_COMMANDS,
  DEVICE_STATES,
  UNKNOWN_DEVICE_COMMAND,
  UNKNOWN_DEVICE_STATE,
} from '../device-state.ts';
import { SEVERITIES } from '../severity.ts';
import {
  LEAST_ECG_RATE_HZ,
  MOST_CHOSEN_RATE_HZ,
  MOST_UV_PER_UNIT,
  NO_PLACE,
} from '../signal/channel-choice.ts';
import { CHANNEL_KINDS } from '../signal/channel-kind.ts';
import { LEAD_CODES } from '../signal/lead.ts';
import { GENDERS, MOST_CHANNELS } from '../signal/recording.ts';

/**
 * Unknown fields are ignored and null means omitted (D13); both are settled before a schema sees the body.
 */
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const UploadRequest = Type.Object({
  total_size: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }),
  hash_sum: Type.String({ pattern: '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$' }),
});

export const TaskRequest = Type.Object({
  upload_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  auto_complete: Type.Optional(Type.Boolean()),
  investigation_id: text(256),
  device_id: text(256),
  indications: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 })),
  searching_tags: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 100 })),
  patient_id: text(256),
  patient_first_name: text(256),
  patient_last_name: text(256),
  patient_gender: Type.Optional(Type.Enum([...GENDERS])),
  patient_birth_date: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  patient_age: Type.Optional(Type.Integer({ minimum: 0, maximum: 150 })),
  patient_height: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
  patient_weight: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  recording_start_time: Type.Optional(Type.String({ maxLength: 64 })),
  recording_time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
});

export const UploadCreated = Type.Object({ upload_id: Type.String() });
export const TasksCreated = Type.Object({
  created_task_ids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, description: 'ascending' }),
});

export const TaskStatus = Type.Object({
  creation_time: Type.String({ description: 'RFC 3339, UTC' }),
  processed: Type.Boolean(),
  report_available: Type.Boolean(),
  severity: Type.Optional(Type.Enum([...SEVERITIES])),
});

export const FindRequest = Type.Object({
  device_id: Type.String({ minLength: 1, maxLength: 256, description: 'blanks at both ends do not count' }),
});

const finite = (description: string) =>
  Type.Optional(Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE, description }));

/** Either `task_id` or `device_id` must be there (D71). */
export const StartRequest = Type.Object({
  task_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  device_id: Type.Optional(Type.String({ maxLength: 256 })),
  processing_mode: Type.Enum(['PROCESS_ON_FINISH']),
  frame_format: Type.Enum(['COMPRESSED_DELTA']),
  sample_rate: Type.Number({ minimum: 1, maximum: 100_000, description: 'Hz' }),
  lead_codes: Type.Array(Type.Enum([...LEAD_CODES]), {
    minItems: 1,
    maxItems: LEAD_CODES.length,
    uniqueItems: true,
  }),
  digital_minimum: finite('raw value of physical_minimum'),
  digital_maximum: finite('raw value of physical_maximum'),
  physical_minimum: finite('mV'),
  physical_maximum: finite('mV'),
  device_state: Type.Optional(Type.Enum([...DEVICE_STATES])),
  total_frames: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: '0 = not known' }),
  ),
});

export const StreamId = Type.Object({ stream_id: Type.Integer({ minimum: 1 }) });

export const ParamsRequest = Type.Object({ device_state: Type.Enum([...DEVICE_STATES]) });

export const StreamParams = Type.Object({
  device_state: Type.Enum([...DEVICE_STATES, UNKNOWN_DEVICE_STATE]),
  device_command: Type.Enum([...DEVICE_COMMANDS, UNKNOWN_DEVICE_COMMAND]),
  custom_duration: Type.Optional(Type.Integer({ minimum: 0, description: 'ms' })),
});

/** Extensions beside the interface (D110). */
export const ProductFacts = Type.Object({
  product: Type.Literal('isoline'),
  version: Type.String(),
  installation_id: Type.String(),
});

export const MAX_SHOWN_RANGES = 1000;
export const UploadFacts = Type.Object({
  upload_id: Type.String(),
  total_size: Type.Integer(),
  state: Type.Enum(['receiving', 'complete', 'failed', 'expired']),
  received: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()]), {
    maxItems: MAX_SHOWN_RANGES,
    description: 'ranges of bytes, from the first to before the second number',
  }),
  received_bytes: Type.Integer(),
  expires_at: Type.String({ description: 'RFC 3339, UTC' }),
});

export const ChannelFacts = Type.Object({
  label: Type.String({ description: 'as in the file' }),
  unit: Type.String(),
  sample_rate: Type.Number({ description: 'Hz' }),
  kind: Type.Enum([...CHANNEL_KINDS], { description: 'what the program takes it for' }),
  used: Type.Boolean({ description: 'analysed as ECG' }),
  lead_code: Type.Optional(Type.Enum([...LEAD_CODES, NO_PLACE])),
  turned: Type.Optional(Type.Boolean()),
  microvolts_per_unit: Type.Optional(Type.Number()),
  samples_per_second: Type.Optional(Type.Number()),
});
export const ChannelsAnswer = Type.Object({
  chosen: Type.Boolean({ description: 'by somebody; otherwise as the program takes them' }),
  channels: Type.Array(ChannelFacts),
});
export const ChannelsRequest = Type.Object({
  channels: Type.Array(
    Type.Object({
      label: Type.String({ maxLength: 256, description: 'as in the file' }),
      used: Type.Boolean(),
      lead_code: Type.Optional(
        Type.Enum([...LEAD_CODES, NO_PLACE], {
          description: 'absent: as the program takes it; ECG: of no known place',
        }),
      ),
      turned: Type.Optional(Type.Boolean({ description: 'it is upside down in the file' })),
      microvolts_per_unit: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: MOST_UV_PER_UNIT })),
      samples_per_second: Type.Optional(
        Type.Number({ minimum: LEAST_ECG_RATE_HZ, maximum: MOST_CHOSEN_RATE_HZ }),
      ),
    }),
    { minItems: 1, maxItems: MOST_CHANNELS, description: 'each channel of the file, in its order' },
  ),
  for_same: Type.Optional(
    Type.Boolean({ description: 'also for other recordings with the same list of channels' }),
  ),
});

const DOWNLOAD_KINDS = ['original', 'recording', 'report'] as const;
export const DownloadRequest = Type.Object({
  task_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  kind: Type.Enum([...DOWNLOAD_KINDS]),
});
export const DownloadCreated = Type.Object({
  download_id: Type.String(),
  total_size: Type.Integer(),
  chunk_size: Type.Integer(),
  hash_sum: Type.String({ description: 'SHA-256, Base64' }),
});

export const ErrorAnswer = Type.Object({
  message: Type.String({ description: 'for people' }),
  reason: Type.Optional(Type.String({ description: 'stable, for programs; absent with 500' })),
});

export type UploadRequest = Static<typeof UploadRequest>;
export type TaskRequest = Static<typeof TaskRequest>;
export type TaskStatus = Static<typeof TaskStatus>;
export type FindRequest = Static<typeof FindRequest>;
export type StartRequest = Static<typeof StartRequest>;
export type ParamsRequest = Static<typeof ParamsRequest>;
export type StreamParams = Static<typeof StreamParams>;
