// Which channels of a file are ECG, and which leads they are, as a person says it. The file itself is never changed.

import { type Static, Type } from 'typebox';
import { LEAD_CODES, type LeadCode, leadName } from './lead.ts';
import { MOST_CHANNELS } from './recording.ts';

/** An ECG whose place on the body is not known. */
export const NO_PLACE = 'ECG';
/** The lead that the program takes the channel for, by its label. */
export const AS_NAMED = 'AS_NAMED';
/** A volt and more: numbers in the file may be volts. */
export const MOST_UV_PER_UNIT = 1e7;

/** Slower channels show no ECG. */
export const LEAST_ECG_RATE_HZ = 25;
export const MOST_CHOSEN_RATE_HZ = 20_000;

const ChosenChannelSchema = Type.Object(
  {
    /** As the file has it: a choice is only ever used on the list of channels that it was made for. */
    label: Type.String({ maxLength: 256 }),
    /** Absent: left out. */
    as: Type.Optional(Type.Enum([...LEAD_CODES, NO_PLACE, AS_NAMED])),
    /** It is upside down in the file. */
    isTurned: Type.Optional(Type.Boolean()),
    /** Microvolts of 1, as the file writes its numbers. */
    uvPerUnit: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: MOST_UV_PER_UNIT })),
    /** Samples a second, where the file does not say it. */
    rateHz: Type.Optional(Type.Number({ minimum: LEAST_ECG_RATE_HZ, maximum: MOST_CHOSEN_RATE_HZ })),
  },
  { additionalProperties: false },
);
export type ChosenChannel = Static<typeof ChosenChannelSchema>;

/** One for each channel of the file, in its order. */
export const ChannelChoiceSchema = Type.Array(ChosenChannelSchema, { minItems: 1, maxItems: MOST_CHANNELS });
export type ChannelChoice = readonly ChosenChannel[];

/** What is known of a channel that is chosen. */
export interface OfferedChannel {
  readonly label: string;
  readonly rateHz: number;
  /** The file does not say its rate. */
  readonly isRateUnknown?: boolean | undefined;
  /** What the program takes it for. */
  readonly lead?: LeadCode | undefined;
}

/** Why a choice cannot be used; `name` is that of the channel, or of the lead, that it is about. */
export type ChoiceFault =
  | { readonly kind: 'differs' | 'none' | 'rate' }
  | { readonly kind: 'slow' | 'twice'; readonly name: string };

/** The lead that a channel becomes; undefined where it has no place, or is left out. */
export function chosenLead({ as }: ChosenChannel, offered: OfferedChannel): LeadCode | undefined {
  if (as === AS_NAMED) return offered.lead;
  return as === NO_PLACE ? undefined : as;
}

/** @returns undefined where the choice can be used for these channels */
export function faultOfChoice(
  offered: readonly OfferedChannel[],
  choice: ChannelChoice,
): ChoiceFault | undefined {
  if (offered.length !== choice.length || offered.some(({ label }, i) => label !== choice[i]?.label))
    return { kind: 'differs' };
  const used = offered.flatMap((channel, i) => {
    const chosen = choice[i];
    return chosen?.as === undefined ? [] : [{ ...channel, becomes: chosenLead(chosen, channel) }];
  });
  if (used.length === 0) return { kind: 'none' };
  const said = new Set(choice.flatMap(({ as, rateHz }) => (as === undefined ? [] : [rateHz])));
  if (used.some(({ isRateUnknown }) => isRateUnknown) && (said.size > 1 || said.has(undefined)))
    return { kind: 'rate' };
  const slow = used.find(({ rateHz, isRateUnknown = false }) => !isRateUnknown && rateHz < LEAST_ECG_RATE_HZ);
  if (slow !== undefined) return { kind: 'slow', name: slow.label };
  const twice = used.find(
    ({ becomes }, i) => becomes !== undefined && used.findIndex((other) => other.becomes === becomes) < i,
  )?.becomes;
  return twice === undefined ? undefined : { kind: 'twice', name: leadName(twice) };
}

export const countUsed = (choice: ChannelChoice): number =>
  choice.filter(({ as }) => as !== undefined).length;

/** `EKG1 = II`; without a place and as named, the label alone. */
export const chosenText = ({ label, as }: ChosenChannel): string =>
  as === undefined || as === AS_NAMED || as === NO_PLACE ? label : `${label} = ${leadName(as)}`;
