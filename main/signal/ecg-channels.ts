// Which channels of a recording are taken for ECG leads, by everybody alike: reader, analysis, report, lists.

import { type Channel, rateHz } from '../../shared/signal/recording.ts';

const MIN_RATE_HZ = 25;

/**
 * Signal types that EDF+ writes before a label for what is no ECG (Kemp & Olivan 2003, standard texts), and
 * what else is met.
 */
const OTHER_TYPE =
  /^(eeg|eog|erg|emg|meg|mcg|ep|resp|temp|sao2|spo2|ppg|pleth|light|sound|event|status|trigger|abp|art|cvp|pap|icp|gsr|eda)\b/i;

/**
 * Channels in volts, fast enough, that don't say they are something else. Where labels name leads only those
 * count; where none does, all of them may be leads.
 */
export function ecgChannels(channels: readonly Channel[]): Channel[] {
  const candidates = channels.filter(
    (channel) =>
      channel.mvPerUnit !== undefined &&
      rateHz(channel.rate) >= MIN_RATE_HZ &&
      !OTHER_TYPE.test(channel.label),
  );
  const named = candidates.filter((channel) => channel.lead !== undefined);
  return named.length > 0 ? named : candidates;
}
