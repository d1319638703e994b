// Gains of a file that cannot be those of the recording: the limb leads say so.

import { LIMB_LEADS } from '../../shared/signal/lead.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  millivoltScale,
  type Recording,
  rateHz,
} from '../../shared/signal/recording.ts';
import { warning } from '../../shared/warnings/warning.ts';
import { ecgChannels } from '../signal/channels/judge-channels.ts';
import { AGREEMENT, CONTRADICTION, limbLeadMisfit, limbWindows } from '../signal/limb-lead-laws.ts';

/** One microvolt: usual for steps of one size in files that give each lead a gain of its own (LUDB). */
const STEP_MV = 0.001;
/** What the limb leads of a heart reach within ten seconds. */
const LEAST_RANGE_MV = 0.2;
const MOST_RANGE_MV = 20;

const inSteps = (channel: Channel): number => (channel.lead?.isInverted === true ? -1 : 1);

/** The range of a channel within the windows in which the leads are held against each other. */
function rangeInSteps(channel: Channel): number {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { start, count } of limbWindows(channel.sampleCount, rateHz(channel.rate))) {
    const samples = new Int32Array(count);
    channel.read(start, samples);
    for (const sample of samples) {
      if (sample === INVALID_SAMPLE) continue;
      lowest = Math.min(lowest, sample);
      highest = Math.max(highest, sample);
    }
  }
  return Math.max(0, highest - lowest);
}

const isLimbLead = ({ lead }: Channel): boolean => lead !== undefined && LIMB_LEADS.includes(lead.code);

/**
 * Where the limb leads contradict each other in millivolts and fit together in stored steps, each lead was scaled
 * to a range of its own when the file was written, and all have one step: a microvolt, or one that is not known.
 * Files with one gain for all leads are not read for this.
 */
export function settleGains(recording: Recording): Recording {
  const leads = ecgChannels(recording.channels).filter(({ isCalibrated }) => isCalibrated);
  const gains = new Set(leads.map((channel) => Math.abs(millivoltScale(channel).scale)));
  if (gains.size < 2 || (limbLeadMisfit(leads) ?? 0) <= CONTRADICTION) return recording;
  if ((limbLeadMisfit(leads, inSteps) ?? 1) > AGREEMENT) return recording;
  const rangeMv = STEP_MV * Math.max(...leads.filter(isLimbLead).map(rangeInSteps));
  const isMicrovolt = rangeMv >= LEAST_RANGE_MV && rangeMv <= MOST_RANGE_MV;
  const settled = (channel: Channel): Channel =>
    isMicrovolt
      ? { ...channel, unit: 'mV', mvPerUnit: 1, scale: STEP_MV, offset: 0 }
      : { ...channel, isCalibrated: false };
  return {
    ...recording,
    channels: recording.channels.map((channel) => (leads.includes(channel) ? settled(channel) : channel)),
    warnings: [
      ...recording.warnings,
      warning(isMicrovolt ? 'gains_contradict' : 'gains_contradict.unknown_step'),
    ],
  };
}
