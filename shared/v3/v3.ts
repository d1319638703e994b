// The /v3 interface as data: the schemas that validate requests, type the handlers and the client, and make the OpenAPI document.
// Field rules: D10 to D13, D40, D50 to D52. What a JSON schema can't say (existing days, zones) is in task-fields.ts.

import { type Static, Type } from 'typebox';
import { SEVERITIES } from '../severity.ts';

/** Unknown fields are ignored and null means omitted (D13); both are settled before a schema sees the body. */
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

export const UploadRequest = Type.Object({
  total_size: Type.Integer({ minimum: 1, maximum: 4_294_967_295 }),
  hash_sum: Type.String({ pattern: '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$' }),
});

export const GENDERS = ['FEMALE', 'MALE', 'UNDIFFERENTIATED'] as const;

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

export const TaskStatus = Type.Object({
  creation_time: Type.String({ description: 'RFC 3339, UTC' }),
  processed: Type.Boolean(),
  report_available: Type.Boolean(),
  severity: Type.Optional(Type.Enum([...SEVERITIES])),
});

export type UploadRequest = Static<typeof UploadRequest>;
export type TaskRequest = Static<typeof TaskRequest>;
export type TaskStatus = Static<typeof TaskStatus>;

/** Scopes of a token (D31). */
export const SCOPES = ['tasks:create', 'tasks:read', 'reports:read', 'streams:read', 'streams:write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Organization paths: D33. */
export const ORGANIZATION_PATH = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
