// `--channels "EKG1=II; EKG2=V1 turned; Pleth=no"`: which channels of a file are ECG, as somebody at a command line says it.

import { IsolineError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import {
  AS_NAMED,
  type ChannelChoice,
  type ChosenChannel,
  LEAST_ECG_RATE_HZ,
  MOST_CHOSEN_RATE_HZ,
  MOST_UV_PER_UNIT,
  NO_PLACE,
} from '../../../shared/signal/channel-choice.ts';
import { isAsNamed, matchLead } from '../../../shared/signal/lead.ts';
import type { Channel } from '../../../shared/signal/recording.ts';

export const CHANNELS_OPTION = {
  value: 'CHANNELS',
  meaning:
    'Which channels are ECG, as in "EKG1=II; EKG2=V1 turned; EKG3=ECG 0.5uV": the label, or # and the place in the file, then the lead, or ECG where its place is not known; "0.5uV" says that 1 in the file is half a microvolt, "250Hz" how many samples a second a table has that does not say it. A label alone keeps the lead that the program sees. Others are left out.',
} as const;

type Said = Omit<ChosenChannel, 'label'>;

const SCALE = /^(\d+(?:\.\d+)?)\s*[uµμ]v$/i;
const PLACE = /^#(\d+)$/;
const RATE = /^(\d+(?:\.\d+)?)\s*hz$/i;

const wrong = (sentence: string): never => {
  throw new IsolineError('usage', `--channels: ${sentence}`);
};

/** `V5 turned 0.5uV` */
function saidOf(label: string, text: string): Said {
  const [name = '', ...words] = text.split(/\s+/);
  if (/^no$/i.test(name)) return {};
  const lead = matchLead(name);
  const as =
    name.toUpperCase() === NO_PLACE ? NO_PLACE : isAsNamed(lead) && !lead.isInverted ? lead.code : undefined;
  if (as === undefined) return wrong(`"${name}" is no lead. Name ${label} I to aVF, V1 to V6, ECG, or no.`);
  let isTurned = false;
  let uvPerUnit: number | undefined;
  let rateHz: number | undefined;
  for (const word of words) {
    const uv = Number(SCALE.exec(word)?.[1]);
    const hz = Number(RATE.exec(word)?.[1]);
    if (/^turned$/i.test(word)) isTurned = true;
    else if (uv > 0 && uv <= MOST_UV_PER_UNIT) uvPerUnit = uv;
    else if (hz >= LEAST_ECG_RATE_HZ && hz <= MOST_CHOSEN_RATE_HZ) rateHz = hz;
    else
      return wrong(
        `"${word}" is not understood. Behind the lead stands "turned", what 1 in the file is, such as 0.5uV, or the samples a second, such as 250Hz.`,
      );
  }
  return { as, ...given({ isTurned: isTurned || undefined, uvPerUnit, rateHz }) };
}

/** Labels hold blanks and signs; the last = stands before the lead. */
function entriesOf(text: string): [key: string, said: Said][] {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return wrong('name at least one channel.');
  return parts.map((part) => {
    const sign = part.lastIndexOf('=');
    if (sign < 0) return [part, { as: AS_NAMED }];
    const key = part.slice(0, sign).trim();
    return [key, saidOf(key, part.slice(sign + 1).trim())];
  });
}

/** @throws IsolineError `usage` where a channel is not there, is there twice, or a lead is none */
export function channelChoice(text: string, channels: readonly Pick<Channel, 'label'>[]): ChannelChoice {
  const said = new Map<number, Said>();
  for (const [key, what] of entriesOf(text)) {
    const place = PLACE.exec(key)?.[1];
    const places =
      place === undefined
        ? [...channels.keys()].filter((i) => channels[i]?.label.trim() === key)
        : [Number(place) - 1].filter((i) => channels[i] !== undefined);
    const [first, ...others] = places;
    if (first === undefined)
      return wrong(
        `there is no channel "${key}", but ${channels.map(({ label }) => `"${label.trim()}"`).join(', ')}.`,
      );
    if (others.length > 0)
      return wrong(`"${key}" is there ${places.length} times. Name it by its place, as #${first + 1}.`);
    said.set(first, what);
  }
  return channels.map(({ label }, i) => ({ label, ...said.get(i) }));
}
