// The four limb leads that follow from I and II: III = II − I, aVR = −(I + II)/2, aVL = I − II/2, aVF = II −
// I/2. Computed where they are shown, in whole steps of half the scale, so that they fit the others exactly;
// never stored.

import { identifyChannel } from './channel-identity.ts';
import { type LeadCode, leadName } from './lead.ts';
import { type Channel, INVALID_SAMPLE, type Recording } from './recording.ts';

interface Derivation {
  readonly lead: LeadCode;
  /** The weights of I and II, in steps of `1 / divisor`. */
  readonly weights: readonly [number, number];
  readonly divisor: 1 | 2;
}

export const LIMB_DERIVATIONS: readonly Derivation[] = [
  { lead: 'MDC_ECG_LEAD_III', weights: [-1, 1], divisor: 1 },
  { lead: 'MDC_ECG_LEAD_AVR', weights: [-1, -1], divisor: 2 },
  { lead: 'MDC_ECG_LEAD_AVL', weights: [2, -1], divisor: 2 },
  { lead: 'MDC_ECG_LEAD_AVF', weights: [-1, 2], divisor: 2 },
];

const isPlain = (channel: Channel): boolean =>
  channel.lead !== undefined &&
  !channel.lead.isModified &&
  !channel.lead.isInverted &&
  !channel.lead.isPolarityUnclear;

function derive(one: Channel, two: Channel, { lead, weights: [a, b], divisor }: Derivation): Channel {
  return {
    ...identifyChannel(leadName(lead), one.unit),
    scale: one.scale / divisor,
    offset: ((a + b) * one.offset) / divisor,
    isCalibrated: one.isCalibrated && two.isCalibrated,
    ...(one.isChosen && { isChosen: true }),
    rate: one.rate,
    sampleCount: Math.min(one.sampleCount, two.sampleCount),
    read(startSample, target) {
      const second = new Int32Array(target.length);
      one.read(startSample, target);
      two.read(startSample, second);
      for (let i = 0; i < target.length; i++) {
        const [x, y] = [target[i] as number, second[i] as number];
        target[i] = x === INVALID_SAMPLE || y === INVALID_SAMPLE ? INVALID_SAMPLE : a * x + b * y;
      }
    },
  };
}

/**
 * The recording with the limb leads that are missing and can be computed: I and II are there as they are, in
 * the same steps.
 */
export function withDerivedLeads(recording: Recording): Recording {
  const find = (code: LeadCode): Channel | undefined =>
    recording.channels.find((channel) => channel.lead?.code === code && isPlain(channel));
  const [one, two] = [find('MDC_ECG_LEAD_I'), find('MDC_ECG_LEAD_II')];
  const areAlike =
    one !== undefined &&
    two !== undefined &&
    one.scale === two.scale &&
    one.offset === two.offset &&
    one.unit === two.unit &&
    one.rate.samples * two.rate.seconds === two.rate.samples * one.rate.seconds;
  if (!areAlike) return recording;
  const missing = LIMB_DERIVATIONS.filter(
    ({ lead }) => !recording.channels.some((channel) => channel.lead?.code === lead),
  );
  return {
    ...recording,
    channels: [...recording.channels, ...missing.map((derivation) => derive(one, two, derivation))],
  };
}
