// Channels as a person has chosen them: named, turned over, scaled, or left out.

import {
  AS_NAMED,
  type ChannelChoice,
  type ChosenChannel,
  chosenText,
  faultOfChoice,
  NO_PLACE,
} from '../../../shared/signal/channel-choice.ts';
import { leadName, matchLead } from '../../../shared/signal/lead.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  type Recording,
  rateHz,
  type Warning,
} from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { readLabel } from './channel-kind.ts';
import { judgeChannels } from './judge-channels.ts';

const MV_PER_UV = 0.001;

/** The rate that was said, where the file says none. */
function atRate({ isRateUnknown, ...channel }: Channel, hz: number | undefined): Channel {
  return isRateUnknown === true && hz !== undefined
    ? { ...channel, rate: { samples: hz, seconds: 1 } }
    : channel;
}

/** What such a file says of times, it says in samples. */
function timedBy(
  { channels, durationSeconds, gaps, annotations }: Recording,
  choice: ChannelChoice,
): Partial<Recording> {
  const hz = choice.find(({ rateHz: said }) => said !== undefined)?.rateHz;
  if (hz === undefined || !channels.some(({ isRateUnknown }) => isRateUnknown === true)) return {};
  return {
    durationSeconds: durationSeconds / hz,
    ...(gaps !== undefined && {
      gaps: gaps.map((gap) => ({
        ...gap,
        startSeconds: gap.startSeconds / hz,
        endSeconds: gap.endSeconds / hz,
      })),
    }),
    annotations: annotations.map((each) => ({
      ...each,
      onsetSeconds: each.onsetSeconds / hz,
      ...(each.durationSeconds !== undefined && { durationSeconds: each.durationSeconds / hz }),
    })),
  };
}

/** The same signal upside down. */
function turned(channel: Channel): Channel {
  const { digitalMinimum, digitalMaximum, ...rest } = channel;
  return {
    ...rest,
    offset: -channel.offset,
    ...(digitalMaximum !== undefined && { digitalMinimum: -digitalMaximum }),
    ...(digitalMinimum !== undefined && { digitalMaximum: -digitalMinimum }),
    read(startSample, target) {
      channel.read(startSample, target);
      for (let i = 0; i < target.length; i++) {
        const sample = target[i] as number;
        if (sample !== INVALID_SAMPLE) target[i] = -sample;
      }
    },
  };
}

/** With the scale that was said; without any, its amplitudes are not measured. */
function scaled(channel: Channel, uvPerUnit: number | undefined): Channel {
  if (uvPerUnit !== undefined)
    return {
      ...channel,
      unit: 'uV',
      mvPerUnit: MV_PER_UV,
      scale: channel.scale * uvPerUnit,
      offset: channel.offset * uvPerUnit,
      isCalibrated: true,
    };
  return channel.mvPerUnit === undefined
    ? { ...channel, unit: 'uV', mvPerUnit: MV_PER_UV, isCalibrated: false }
    : channel;
}

/** A label that is a word for something else would be read as that by the next program. */
const withoutPlace = ({ lead: _lead, ...channel }: Channel, number: number): Channel => ({
  ...channel,
  label:
    readLabel(channel.label) === 'ecg' && matchLead(channel.label) === undefined
      ? channel.label
      : `ECG ${number}`,
});

function named(
  channel: Channel,
  as: NonNullable<ChosenChannel['as']>,
  { number, isPlaced }: { readonly number: number; readonly isPlaced: boolean },
): Channel {
  if (as === AS_NAMED) return isPlaced ? channel : withoutPlace(channel, number);
  if (as === NO_PLACE) return withoutPlace(channel, number);
  const label = leadName(as);
  const lead = matchLead(label);
  return { ...channel, label, ...(lead !== undefined && { lead }) };
}

const listed = (choice: ChannelChoice): string => choice.map(chosenText).join(', ');

function warningsOf(choice: ChannelChoice): Warning[] {
  const used = choice.filter(({ as }) => as !== undefined);
  const left = choice.filter(({ as }) => as === undefined);
  const upsideDown = used.filter(({ isTurned }) => isTurned);
  const hz = used.find(({ rateHz: said }) => said !== undefined)?.rateHz;
  const withScale = used.filter(({ uvPerUnit }) => uvPerUnit !== undefined);
  return [
    warning('channels_chosen', { labels: listed(used) }),
    ...(upsideDown.length > 0 ? [warning('channels_turned', { labels: listed(upsideDown) })] : []),
    ...(hz === undefined ? [] : [warning('channel_rate_chosen', { hz })]),
    ...withScale.map(({ label, uvPerUnit = 0 }) => warning('channel_scale_chosen', { label, uv: uvPerUnit })),
    ...(left.length > 0 ? [warning('channels_left_out.chosen', { labels: listed(left) })] : []),
  ];
}

/**
 * The recording with the channels that were chosen alone, and warnings that say so. A choice for other channels changes nothing, and a
 * warning says that too.
 */
export function withChosenChannels(recording: Recording, choice: ChannelChoice): Recording {
  const { channels: stored } = recording;
  const verdicts = judgeChannels(stored);
  const offered = stored.map(({ label, rate, isRateUnknown }, i) => ({
    label,
    rateHz: rateHz(rate),
    isRateUnknown,
    lead: verdicts[i]?.lead?.code,
  }));
  if (faultOfChoice(offered, choice) !== undefined)
    return { ...recording, warnings: [...recording.warnings, warning('channel_choice_unfit')] };
  const channels = stored.flatMap((channel, i): Channel[] => {
    const { as, isTurned = false, uvPerUnit } = choice[i] as ChosenChannel;
    if (as === undefined) return [];
    const { lead: _byLabel, ...rest } = channel;
    const { lead, isPlaced = false } = verdicts[i] ?? {};
    const asJudged: Channel = { ...rest, ...(lead !== undefined && { lead }) };
    const settled = scaled(
      named(atRate(asJudged, choice[i]?.rateHz), as, { number: i + 1, isPlaced }),
      uvPerUnit,
    );
    return [{ ...(isTurned ? turned(settled) : settled), isChosen: true }];
  });
  return {
    ...recording,
    ...timedBy(recording, choice),
    channels,
    warnings: [...recording.warnings, ...warningsOf(choice)],
  };
}
