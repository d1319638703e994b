// What the samples of a stream of Lab Streaming Layer are: which of its channels are an ECG, and what a step of
// their numbers is.

import { identifyChannel } from '../../../../shared/signal/channel-identity.ts';
import { readLabel } from '../../../signal/channels/channel-kind.ts';
import { judgeChannels } from '../../../signal/channels/judge-channels.ts';
import { type DeviceFormat, oneToOne } from '../../device-format.ts';
import { channelLeads } from '../channel-leads.ts';
import type { LslInfo, ValueFormat } from './stream-info.ts';

/** What a lead is made of is told by bits (`LeadMaker`). */
const MOST_CHANNELS = 32;
const RATE_HZ = { least: 50, most: 4000 };
/** Numbers with a fraction are kept to this. */
const LSB_UV = 0.01;
const CODE_LIMIT = 2 ** 31 - 1;
/** Where a stream does not tell its unit. */
const ASSUMED_UNIT = 'µV';

export interface LslLayout {
  readonly valueFormat: ValueFormat;
  readonly channelCount: number;
  /** Codes of one unit that is sent, by channel. */
  readonly codesPerUnit: readonly number[];
  readonly format: DeviceFormat;
}

const isWhole = (format: ValueFormat): boolean => format.startsWith('int');
/** Its type says what a label leaves open: C3 of an EEG is no lead of the chest. */
const withType = (label: string, type: string): string =>
  readLabel(type) === 'unknown' || readLabel(label) === readLabel(type) ? label : `${type} ${label}`;

/** One sentence with the remedy where it can't be recorded. */
function faultOf({ name, channelCount, valueFormat, rateHz }: LslInfo): string | undefined {
  if (valueFormat === undefined)
    return `The stream "${name}" sends text, not a signal. Choose another stream.`;
  if (rateHz === 0)
    return `The stream "${name}" has no fixed sampling rate, which an ECG needs. Choose another stream.`;
  if (rateHz < RATE_HZ.least || rateHz > RATE_HZ.most)
    return `The stream "${name}" sends ${rateHz} samples a second. An ECG needs between ${RATE_HZ.least} and ${RATE_HZ.most}.`;
  if (channelCount < 1 || channelCount > MOST_CHANNELS)
    return `The stream "${name}" has ${channelCount} channels. Choose one with 1 to ${MOST_CHANNELS}.`;
  return undefined;
}

/** @returns a sentence where the stream can't be recorded */
export function layOutStream(info: LslInfo): LslLayout | string {
  const fault = faultOf(info);
  if (fault !== undefined) return fault;
  const { name, type, channelCount, rateHz } = info;
  const valueFormat = info.valueFormat as ValueFormat;
  const told = Array.from({ length: channelCount }, (_, i) => info.channels[i]);
  const names = told.map((channel, i) => channel?.label || `Channel ${i + 1}`);
  const channels = told.map((channel, i) => ({
    ...identifyChannel(withType(names[i] as string, channel?.type || type), channel?.unit || ASSUMED_UNIT),
    rate: { samples: rateHz, seconds: 1 },
  }));
  const verdicts = judgeChannels(channels);
  const isEcg = verdicts.map(({ isUsed }) => isUsed);
  const used = [...channels.keys()].filter((i) => isEcg[i]);
  if (used.length === 0)
    return `The stream "${name}" has no ECG: ${names.join(', ').slice(0, 80)}. Choose another stream, or set its type to ECG in its program.`;
  const isCalibrated = used.every(
    (i) => (told[i]?.unit ?? '') !== '' && channels[i]?.mvPerUnit !== undefined,
  );
  const uvPerUnit = channels.map(({ mvPerUnit }) => 1000 * (mvPerUnit ?? 1e-3));
  // Whole numbers of one unit stay as they are; leads are made of channels with one step.
  const [firstUv = 1] = used.map((i) => uvPerUnit[i]);
  const isExact = isWhole(valueFormat) && used.every((i) => uvPerUnit[i] === firstUv);
  const lsbUv = isExact ? firstUv : LSB_UV;
  const leads = verdicts.map(({ lead }, i) => (isEcg[i] ? lead?.code : undefined));
  const unique = leads.map((lead, i) => (leads.indexOf(lead) === i ? lead : undefined));
  return {
    valueFormat,
    channelCount,
    codesPerUnit: uvPerUnit.map((uv) => uv / lsbUv),
    format: {
      rateHz,
      channels: names.map((label, i) => ({
        name: label,
        kind: isEcg[i] ? 'ecg' : 'other',
        lsbUv,
        zero: 0,
        minimum: -CODE_LIMIT,
        maximum: CODE_LIMIT,
      })),
      leadSets: [
        ...(unique.some((lead) => lead !== undefined) ? [oneToOne(unique)] : []),
        // Only channels that may be an ECG can be chosen.
        ...channelLeads(used.map((place) => ({ name: names[place] ?? '', number: place + 1, place }))),
      ],
      // Nobody tells what its amplifier lets through.
      highPassHz: 0.5,
      lowPassHz: 40,
      class: 'monitoring',
      isCalibrated,
      deviceName: name === '' ? 'Network stream' : name,
    },
  };
}
