// What a channel of a recording can hold.

/** An `ecg` may have no place; of `unknown` its label and unit do not tell. */
export const CHANNEL_KINDS = [
  'ecg',
  'eeg',
  'eog',
  'emg',
  'respiration',
  'oximetry',
  'pressure',
  'motion',
  'marker',
  'temperature',
  'battery',
  'fetal',
  'other',
  'unknown',
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
