// What the live analysis says of a running device, as the screens get it.

import { type Static, Type } from 'typebox';
import { ARRESTS } from './arrest-watch.ts';
import { MAINS_HZ } from './mains-hum.ts';
import { RATE_ALARMS } from './rate-watch.ts';

/** `pending`: too little has come to say. */
const QUALITY_WORDS = ['pending', 'good', 'noisy', 'veryNoisy', 'noSignal'] as const;
export type QualityWord = (typeof QUALITY_WORDS)[number];

/** Why there is no heart rate. */
const NO_RATE_REASONS = [
  'starting',
  'tooFewBeats',
  'noisy',
  'noSignal',
  'leadOff',
  'lost',
  ...ARRESTS,
] as const;
export type NoRateReason = (typeof NO_RATE_REASONS)[number];

const LIMB_ORDERS = ['plausible', 'doubtful'] as const;
export type LimbOrder = (typeof LIMB_ORDERS)[number];

export const LiveFindings = Type.Object(
  {
    id: Type.String({ maxLength: 512 }),
    /** What can be saved of the past, at most ten seconds. */
    pastMs: Type.Number(),
    /** Absent where it is not valid; never an old value. */
    heartRateBpm: Type.Optional(Type.Number()),
    noRateReason: Type.Optional(Type.Enum([...NO_RATE_REASONS])),
    /** The signal looks as if the heart had stopped pumping. */
    arrest: Type.Optional(Type.Enum([...ARRESTS])),
    /** The rate is one that asks for help. */
    rateAlarm: Type.Optional(Type.Enum([...RATE_ALARMS])),
    /** A lead, in the order of the device's leads. */
    quality: Type.Array(Type.Enum([...QUALITY_WORDS])),
    /** Whether right and left arm seem to be exchanged; absent as long as too few beats tell. */
    limbOrder: Type.Optional(Type.Enum([...LIMB_ORDERS])),
    /** The disturbance by the mains: its peak in the lead that has the most. */
    hum: Type.Optional(
      Type.Object({ hz: Type.Enum([...MAINS_HZ]), uv: Type.Number() }, { additionalProperties: false }),
    ),
    /** Numbers of the samples of the last beats and pacing marks, newest last. */
    beatSamples: Type.Array(Type.Number(), { maxItems: 64 }),
    paceSamples: Type.Array(Type.Number(), { maxItems: 64 }),
  },
  { additionalProperties: false },
);
export type LiveFindings = Static<typeof LiveFindings>;
