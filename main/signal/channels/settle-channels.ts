// Gives the channels of a file that was read the leads that they are, and says which are left out, and why.

import type { ChannelKind } from '../../../shared/signal/channel-kind.ts';
import type { Channel, Recording, Warning } from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { readLabel } from './channel-kind.ts';
import { type ChannelVerdict, judgeChannels } from './judge-channels.ts';

/** A sleep study has dozens of channels; a sentence names so many. */
const MOST_LISTED = 20;

const listed = (channels: readonly Channel[]): string =>
  [
    ...channels.slice(0, MOST_LISTED).map(({ label }) => `"${label}"`),
    ...(channels.length > MOST_LISTED ? [`+ ${channels.length - MOST_LISTED}`] : []),
  ].join(', ');

/** Channels that are in volts and fast, and not used, by what they are. */
function leftOut(channels: readonly Channel[], verdicts: readonly ChannelVerdict[]): Warning[] {
  const out = channels.flatMap((channel, i) => {
    const { kind = 'unknown', isUsed = false } = verdicts[i] ?? {};
    return isUsed || channel.mvPerUnit === undefined ? [] : [{ kind, channel }];
  });
  return [...Map.groupBy(out, ({ kind }) => kind)].map(([kind, all]) =>
    warning(`channels_left_out.${kind}`, { labels: listed(all.map(({ channel }) => channel)) }),
  );
}

/** One channel without a name is what a simple device has; of several, nobody knows which is which. */
const FEW = 2;

function unnamed(channels: readonly Channel[], verdicts: readonly ChannelVerdict[]): Warning[] {
  const used = channels.filter((_, i) => verdicts[i]?.isUsed === true && verdicts[i]?.isPlaced === false);
  return used.length >= FEW ? [warning('channels_unnamed', { labels: listed(used) })] : [];
}

/** What says that it is an ECG, and has no unit, is one; its amplitudes are not measured (`unit_missing`). */
const withVolts = (channel: Channel): Channel =>
  channel.unit.trim() === '' &&
  channel.mvPerUnit === undefined &&
  (channel.lead !== undefined || readLabel(channel.label) === 'ecg')
    ? { ...channel, unit: '', mvPerUnit: 1 }
    : channel;

/** @returns the recording with the leads that its channels are, and warnings about those that are none */
export function settleChannels(recording: Recording): Recording {
  const channels = recording.channels.map(withVolts);
  const verdicts = judgeChannels(channels);
  const settled = channels.map((channel, i): Channel => {
    const { lead: _named, ...rest } = channel;
    const { lead, isUsed } = verdicts[i] as ChannelVerdict;
    if (lead === channel.lead) return channel;
    return { ...rest, ...(lead !== undefined && isUsed && { lead }) };
  });
  const warnings = verdicts.some(({ isUsed }) => isUsed)
    ? [...unnamed(channels, verdicts), ...leftOut(channels, verdicts)]
    : [];
  return { ...recording, channels: settled, warnings: [...recording.warnings, ...warnings] };
}

/** What a file without an ECG holds, in words. */
const KIND_WORDS: Readonly<Record<ChannelKind, string>> = {
  ecg: 'channels called ECG that are slow or not in volts',
  eeg: 'EEG',
  eog: 'eye movements',
  emg: 'muscles (EMG)',
  respiration: 'breathing',
  oximetry: 'oximetry or pulse',
  pressure: 'pressures',
  motion: 'position or motion',
  marker: 'markers',
  temperature: 'temperature',
  battery: 'battery',
  fetal: 'fetal signals',
  other: 'other signals',
  unknown: 'signals of unknown kind',
};
const MOST_LABELS = 4;

/** A unit that is no voltage is named, because it may be misspelt. */
const nameOf = ({ label, unit, mvPerUnit }: Channel): string =>
  mvPerUnit === undefined ? `${label} in ${unit === '' ? 'no unit' : `"${unit}"`}` : label;

/** `EEG (C3, C4, O1), breathing (Thor)`. */
export function contentsOf(channels: readonly Channel[]): string {
  const verdicts = judgeChannels(channels);
  const byKind = Map.groupBy(channels.keys(), (i) => (verdicts[i] as ChannelVerdict).kind);
  return [...byKind]
    .map(([kind, places]) => {
      const labels = places.slice(0, MOST_LABELS).map((i) => nameOf(channels[i] as Channel));
      return `${KIND_WORDS[kind]} (${labels.join(', ')}${places.length > MOST_LABELS ? ' …' : ''})`;
    })
    .join(', ');
}
