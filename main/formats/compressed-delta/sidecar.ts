// The JSON that stands beside a Compressed Delta file and holds what the format has no room for: leads,
// scales, start, patient, missing samples. `NAME.cmdt` has `NAME.cmdt.json`.

import { type Static, Type } from 'typebox';
import { GENDERS } from '../../../shared/signal/recording.ts';
import { checkerOf } from '../../../shared/validator.ts';

const Finite = Type.Number({ minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE });
const Index = Type.Integer({ minimum: 0, maximum: 2 ** 32 });
const Text = Type.String({ maxLength: 256 });

const SidecarSchema = Type.Object({
  format: Type.Literal('isoline.compressed-delta.sidecar'),
  version: Type.Literal(1),
  channels: Type.Array(
    Type.Object({
      label: Text,
      unit: Type.String({ maxLength: 32 }),
      scale: Finite,
      offset: Finite,
      isCalibrated: Type.Boolean(),
      /** Runs of missing samples, as [start, end) in samples. */
      missing: Type.Array(Type.Tuple([Index, Index]), { maxItems: 1_000_000 }),
    }),
    { maxItems: 255 },
  ),
  startTime: Type.Optional(
    Type.String({ maxLength: 40, description: 'RFC 3339; without zone where the source states none' }),
  ),
  gaps: Type.Optional(Type.Array(Type.Tuple([Finite, Finite]), { maxItems: 1_000_000 })),
  deviceId: Type.Optional(Text),
  patient: Type.Object({
    id: Type.Optional(Text),
    firstName: Type.Optional(Text),
    lastName: Type.Optional(Text),
    gender: Type.Optional(Type.Enum([...GENDERS])),
    birthDate: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
    ageYears: Type.Optional(Type.Number({ minimum: 0, maximum: 150 })),
    heightCm: Type.Optional(Type.Number({ minimum: 0, maximum: 300 })),
    weightG: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000 })),
  }),
  annotations: Type.Array(
    Type.Object({
      onsetSeconds: Finite,
      durationSeconds: Type.Optional(Finite),
      text: Type.String({ maxLength: 10_000 }),
    }),
    { maxItems: 10_000_000 },
  ),
});

export type Sidecar = Static<typeof SidecarSchema>;

const isSidecar = checkerOf(SidecarSchema);

/** Undefined where the text is no sidecar. */
export function parseSidecar(text: string): Sidecar | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: another file that happens to have the name.
    return undefined;
  }
  return isSidecar(value) ? value : undefined;
}

export const sidecarName = (name: string): string => `${name}.json`;
