// What devices of the network say of themselves, and what they are told (D77, D78).

/** What a device reports of itself; the last one only ever stands in answers (D77). */
export const DEVICE_STATES = [
  'WAITING_FOR_START',
  'RECORDING',
  'RECORDING_COMPLETED',
  'UPLOADING',
  'UPLOADING_FAILED',
] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];
export const UNKNOWN_DEVICE_STATE = 'UNKNOWN_DEVICE_STATE';
export const DEVICE_COMMANDS = ['START_DEVICE', 'STOP_DEVICE', 'RETRY_UPLOADING'] as const;
export type DeviceCommand = (typeof DEVICE_COMMANDS)[number];
export const UNKNOWN_DEVICE_COMMAND = 'UNKNOWN_DEVICE_COMMAND';
