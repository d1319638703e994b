// All channels of a recording as its file has them, each with what the program takes it for and a few seconds of it: what a person sees
// who decides which are ECG.

import { LEAST_ECG_RATE_HZ } from '../../shared/signal/channel-choice.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  type Recording,
  rateHz,
  samplesWithin,
} from '../../shared/signal/recording.ts';
import type { ChannelsView } from '../clinic/ports.ts';
import { lookAtChannel } from '../signal/channels/channel-signal.ts';
import { columnPairs } from '../signal/channels/column-pairs.ts';
import { type ChannelVerdict, judgeChannels } from '../signal/channels/judge-channels.ts';

const UV_PER_MV = 1000;
const SHOWN_SECONDS = 6;
const LOOKED_AT_SECONDS = 20;

/** Values in the unit of the channel, NaN where a sample is missing. */
function valuesOf(channel: Channel, startSample: number, count: number): Float32Array {
  const raw = new Int32Array(count);
  channel.read(startSample, raw);
  return Float32Array.from(raw, (sample) =>
    sample === INVALID_SAMPLE ? Number.NaN : sample * channel.scale + channel.offset,
  );
}

function viewOf(
  channel: Channel,
  { kind, lead, isUsed }: ChannelVerdict,
  startSeconds: number,
): ChannelsView['channels'][number] {
  const { label, unit, rate, isRateUnknown, mvPerUnit, isCalibrated } = channel;
  const start = samplesWithin(rate, startSeconds);
  const looked = valuesOf(channel, start, Math.max(1, samplesWithin(rate, LOOKED_AT_SECONDS)));
  const isFast = rateHz(rate) >= LEAST_ECG_RATE_HZ;
  const { isFlat, ...seen } = isFast
    ? lookAtChannel(looked, rateHz(rate))
    : { isFlat: looked.every((value) => Number.isNaN(value) || value === looked[0]) };
  return {
    label,
    unit,
    rateHz: rateHz(rate),
    kind,
    isUsed,
    isFast,
    ...(isRateUnknown === true && { isRateUnknown }),
    ...(lead !== undefined && { lead: lead.code, isModified: lead.isModified }),
    ...(mvPerUnit !== undefined && isCalibrated && unit !== '' && { uvPerUnit: mvPerUnit * UV_PER_MV }),
    isFlat,
    ...seen,
    columns: columnPairs(looked.subarray(0, Math.max(1, samplesWithin(rate, SHOWN_SECONDS)))),
  };
}

/** Where the file says no rate, pictures and beats are those of this one; a page knows how much faster the chosen one is. */
const ASSUMED_RATE = { samples: 250, seconds: 1 };

function withAssumedRate(recording: Recording): Recording {
  const { channels } = recording;
  if (!channels.some(({ isRateUnknown }) => isRateUnknown === true)) return recording;
  const most = Math.max(...channels.map(({ sampleCount }) => sampleCount));
  return {
    ...recording,
    durationSeconds: most / ASSUMED_RATE.samples,
    channels: channels.map((channel) => ({ ...channel, rate: ASSUMED_RATE })),
  };
}

/** @param recording with its channels as the file has them */
export function readChannels(recording: Recording): ChannelsView {
  const { channels, durationSeconds, startTime } = withAssumedRate(recording);
  const verdicts = judgeChannels(channels);
  const startSeconds = durationSeconds > 2 * LOOKED_AT_SECONDS ? Math.floor(durationSeconds / 2) : 0;
  return {
    durationSeconds,
    ...(startTime !== undefined && { startMs: startTime.utcMs }),
    startSeconds,
    seconds: Math.min(SHOWN_SECONDS, durationSeconds),
    channels: channels.map((channel, i) => viewOf(channel, verdicts[i] as ChannelVerdict, startSeconds)),
  };
}
