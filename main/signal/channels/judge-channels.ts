// What each channel of a recording is, by its label, its unit, its rate and the channels beside it. Reader, analysis, report and lists
// ask here alone, so that none takes for an ECG what another leaves out.

import { LEAST_ECG_RATE_HZ } from '../../../shared/signal/channel-choice.ts';
import type { ChannelKind } from '../../../shared/signal/channel-kind.ts';
import { type LeadCode, type LeadMatch, matchLead } from '../../../shared/signal/lead.ts';
import { type Channel, rateHz } from '../../../shared/signal/recording.ts';
import { type LabelSays, readLabel } from './channel-kind.ts';

export interface ChannelVerdict {
  readonly kind: ChannelKind;
  /** The lead that it is; absent where its place is not known. */
  readonly lead?: LeadMatch;
  /** Its label names a place on the body, be it one of `lead` or one beside those. */
  readonly isPlaced: boolean;
  /** Whether it is analysed as ECG. */
  readonly isUsed: boolean;
}

export type JudgedChannel = Pick<Channel, 'label' | 'lead' | 'mvPerUnit' | 'rate' | 'isChosen'>;

const LIMBS = ['I', 'II', 'III', 'AVR', 'AVL', 'AVF'].map((name) => `MDC_ECG_LEAD_${name}` as LeadCode);
const AUGMENTED = LIMBS.slice(3);
const PLAIN_LIMBS = LIMBS.slice(0, 3);
const NEHB = ['MDC_ECG_LEAD_A', 'MDC_ECG_LEAD_D'] as const;
/** Letters that stand beside A and D where these count channels. */
const NEXT_LETTER = /^(?:lead|channel|ch|ecg|ekg)?[\s_\-:.]*[bc]$/i;
/** A lead of the chest that moves, or one beside the twelve. */
const BESIDE_TWELVE = /^(?:v|mcl|v[3-6]r|v[7-9]|c[3-6]r)$/i;
/** Names of the three limb leads by number, which are names only beside the other leads of the limbs. */
const NUMBERED = /^(?:(?:ecg|ekg|lead|ch|channel)[\s_\-:.]*)?([123])$/i;
/** Leads of Frank, of the right chest and of the back have names, and no code here. */
const OTHER_PLACE = /^(?:v?[xyz]|v[3-6]r|v[7-9]|c[3-6]r|c[7-9])$/i;
const CHEST_FROM_ONE = 3;

const hasFastVolts = ({ mvPerUnit, rate }: JudgedChannel): boolean =>
  mvPerUnit !== undefined && rateHz(rate) >= LEAST_ECG_RATE_HZ;

/** What is known of a list of channels as a whole; channels that are slow or not in volts say nothing of it. */
interface Company {
  readonly hasLimbs: boolean;
  /** The numbers 1, 2 and 3 are the leads I, II and III. */
  readonly hasNumberedLimbs: boolean;
  readonly hasBrain: boolean;
  readonly hasSleep: boolean;
  readonly hasNehb: boolean;
  readonly hasAxes: boolean;
  /** C1 to C6 are leads of the chest. */
  readonly hasIecChest: boolean;
}

/** The chest leads of IEC have the names of places on the scalp: company tells, and without any it is the scalp, where no ECG is. */
function companyOf(all: readonly JudgedChannel[], allSay: readonly LabelSays[]): Company {
  const channels = all.filter(hasFastVolts);
  const says = allSay.filter((_, i) => hasFastVolts(all[i] as JudgedChannel));
  const labels = new Set(channels.map(({ label }) => label.trim().toLowerCase()));
  const leads = new Set(channels.flatMap(({ lead }) => lead?.code ?? []));
  const isThere = (...kinds: readonly LabelSays[]): boolean => says.some((one) => kinds.includes(one));
  const hasLimbs = LIMBS.some((code) => leads.has(code));
  const hasChestRow = Array.from({ length: CHEST_FROM_ONE }, (_, i) => `c${i + 1}`).every((name) =>
    labels.has(name),
  );
  const isScalp = isThere('site', 'eeg');
  const hasSleep = isThere('eog', 'emg');
  const hasIecChest = !isScalp && (hasLimbs && hasChestRow ? true : (hasLimbs || hasChestRow) && !hasSleep);
  const numbers = new Set(channels.map(({ label }) => NUMBERED.exec(label.trim())?.[1]));
  return {
    hasLimbs,
    hasNumberedLimbs:
      ['1', '2', '3'].every((number) => numbers.has(number)) &&
      AUGMENTED.every((code) => leads.has(code)) &&
      !PLAIN_LIMBS.some((code) => leads.has(code)),
    hasBrain: isScalp || (isThere('sharedSite', 'vagueSite') && !hasIecChest && !hasLimbs),
    hasSleep,
    hasNehb:
      NEHB.every((code) => leads.has(code)) && !channels.some(({ label }) => NEXT_LETTER.test(label.trim())),
    // With a sensor of motion beside an ECG, the axes are those of the sensor.
    hasAxes: ['x', 'y', 'z'].every((axis) => labels.has(axis)) && !isThere('ecg') && leads.size === 0,
    hasIecChest,
  };
}

function kindIn(
  company: Company,
  says: LabelSays,
  { label, lead }: Pick<JudgedChannel, 'label' | 'lead'>,
): ChannelKind {
  if (says === 'site') return 'eeg';
  if (says === 'vagueSite') return company.hasBrain ? 'eeg' : 'unknown';
  if (says === 'sharedSite') return company.hasIecChest ? 'ecg' : 'eeg';
  if (says === 'earOrMastoid') return company.hasBrain || company.hasSleep ? 'eeg' : 'unknown';
  if (says === 'axis') return company.hasAxes ? 'ecg' : 'unknown';
  if (lead !== undefined || (company.hasLimbs && BESIDE_TWELVE.test(label.trim()))) return 'ecg';
  return says;
}

/** A number names a limb lead where others of the limbs are named; two letters name leads of Nehb only together. */
function leadIn(company: Company, { label, lead }: JudgedChannel): LeadMatch | undefined {
  const number = NUMBERED.exec(label.trim())?.[1];
  if (number !== undefined && company.hasNumberedLimbs) return matchLead('I'.repeat(Number(number)));
  if (lead === undefined) return undefined;
  const isNehb = (NEHB as readonly LeadCode[]).includes(lead.code);
  return isNehb && (!company.hasNehb || /ecg|ekg/i.test(label)) ? undefined : lead;
}

/** What a person has said, whatever the label says. */
const asChosen = ({ lead, isChosen = false }: JudgedChannel): ChannelVerdict => ({
  kind: isChosen ? 'ecg' : 'unknown',
  isPlaced: isChosen && lead !== undefined,
  isUsed: isChosen,
  ...(isChosen && lead !== undefined && { lead }),
});

/**
 * Where some channels are leads or are called ECG, those count alone; where none is, all that may be one do.
 * @returns a verdict for each channel
 */
export function judgeChannels(channels: readonly JudgedChannel[]): ChannelVerdict[] {
  if (channels.some(({ isChosen }) => isChosen)) return channels.map(asChosen);
  const says = channels.map(({ label }) => readLabel(label));
  const company = companyOf(channels, says);
  const known = channels.map((channel, i) => {
    const lead = leadIn(company, channel);
    const kind = kindIn(company, says[i] as LabelSays, {
      label: channel.label,
      ...(lead !== undefined && { lead }),
    });
    const isPlaced = kind === 'ecg' && (lead !== undefined || OTHER_PLACE.test(channel.label.trim()));
    return {
      kind,
      isPlaced,
      isFast: hasFastVolts(channel),
      ...(kind === 'ecg' && lead !== undefined && { lead }),
    };
  });
  const isAnySure = known.some(({ kind, isFast }) => kind === 'ecg' && isFast);
  // What stands unnamed beside the brain, the eyes and the muscles is as often one more of these.
  const mayBeEcg = !isAnySure && !company.hasBrain && !company.hasSleep;
  return known.map(({ isFast, ...verdict }) => ({
    ...verdict,
    isUsed: isFast && (verdict.kind === 'ecg' || (verdict.kind === 'unknown' && mayBeEcg)),
  }));
}

/** Whether something says of one that is analysed that it is an ECG: its label, or a person. */
export const isAnyCalledEcg = (channels: readonly JudgedChannel[]): boolean =>
  judgeChannels(channels).some(({ kind, isUsed }) => isUsed && kind === 'ecg');

/** The channels that are analysed. */
export function ecgChannels<T extends JudgedChannel>(channels: readonly T[]): T[] {
  const verdicts = judgeChannels(channels);
  return channels.filter((_, i) => verdicts[i]?.isUsed === true);
}
