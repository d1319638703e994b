// For whom a recording is: what its task will say of the patient, and how it was made sure that this is who
// lies on the couch. Nothing is recorded under a name without it (screens, 1.8 and S1; E1).

import { type Static, Type } from 'typebox';
import { TaskRequest } from '../v3/v3.ts';

/** How a patient is known: it said so itself, or, where it can't, by what else. */
export const PROOFS = ['said', 'wristband', 'relative', 'document'] as const;
export type Proof = (typeof PROOFS)[number];

export const Identity = Type.Object(
  {
    name: Type.Enum([...PROOFS]),
    /** Date of birth, or the number of those who can't give one. */ birth: Type.Enum([...PROOFS]),
  },
  { additionalProperties: false },
);
export type Identity = Static<typeof Identity>;

/** What a person at the screen says of a recording; the device, its start and its bytes are known without. */
const EntryFields = Type.Omit(TaskRequest, ['upload_id', 'device_id', 'recording_start_time'], {
  additionalProperties: false,
});
export type EntryFields = Static<typeof EntryFields>;

export const RecordingEntry = Type.Object(
  {
    fields: EntryFields,
    identity: Identity,
    /** The order that it is for. */ orderId: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
);
export type RecordingEntry = Static<typeof RecordingEntry>;
