// What a person makes of the channels of a file, step by step, and what the program proposes to begin with.

import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { given } from '../../../shared/given.ts';
import {
  AS_NAMED,
  type ChannelChoice,
  type ChosenChannel,
  chosenLead,
  NO_PLACE,
} from '../../../shared/signal/channel-choice.ts';
import type { LeadCode } from '../../../shared/signal/lead.ts';

export type FileChannels = CallOutput<'channels.ofImport'>;
export type FileChannel = FileChannels['channels'][number];

/** In the other leads, a healthy heart may point down. */
const UPRIGHT: ReadonlySet<LeadCode> = new Set([
  'MDC_ECG_LEAD_I',
  'MDC_ECG_LEAD_II',
  'MDC_ECG_LEAD_V4',
  'MDC_ECG_LEAD_V5',
  'MDC_ECG_LEAD_V6',
]);

/** As the program takes them. */
export const proposed = ({ channels }: FileChannels): ChannelChoice =>
  channels.map(({ label, isUsed }) => ({ label, ...(isUsed && { as: AS_NAMED }) }));

/** What it becomes where it is switched on, and nobody has named it yet. */
export const usualName = ({ isUsed }: FileChannel): NonNullable<ChosenChannel['as']> =>
  isUsed ? AS_NAMED : NO_PLACE;

export const withChannel = (
  choice: ChannelChoice,
  place: number,
  change: { readonly [K in keyof ChosenChannel]?: ChosenChannel[K] | undefined },
): ChannelChoice =>
  choice.map((each, i) => {
    if (i !== place) return each;
    const { label, as, isTurned, uvPerUnit } = { ...each, ...change };
    return { label: label ?? each.label, ...given({ as, isTurned: isTurned || undefined, uvPerUnit }) };
  });

export const offeredOf = ({ channels }: FileChannels) =>
  channels.map(({ label, rateHz, isRateUnknown, lead }) => ({ label, rateHz, isRateUnknown, lead }));

/** The file does not say how many samples a second it has. */
export const isUntimed = ({ channels }: FileChannels): boolean =>
  channels.some(({ isRateUnknown }) => isRateUnknown === true);

export const atRate = (choice: ChannelChoice, rateHz: number | undefined): ChannelChoice =>
  choice.map(({ rateHz: _before, ...each }) => ({
    ...each,
    ...(each.as !== undefined && given({ rateHz })),
  }));

/** Its beats point down where those of a healthy heart point up. */
export function looksTurned(channel: FileChannel, chosen: ChosenChannel): boolean {
  if (channel.isDownward !== true || chosen.as === undefined || chosen.isTurned === true) return false;
  const lead = chosenLead(chosen, channel);
  return lead === undefined || UPRIGHT.has(lead);
}

/** There is something to look at before it is used, or left out. */
export function isDoubtful(channel: FileChannel, chosen: ChosenChannel): boolean {
  const { isFlat, beatsPerMinute, kind } = channel;
  const isLikelyEcg = kind === 'ecg' || kind === 'unknown';
  return chosen.as === undefined
    ? beatsPerMinute !== undefined && isLikelyEcg
    : isFlat || beatsPerMinute === undefined || looksTurned(channel, chosen);
}
