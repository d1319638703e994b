// Olimex SHIELD-EKG-EMG and ModularEEG boards that speak P2 (device protocols reference, 4).

import { adcChannel, type DeviceFormat, singleLead } from '../../device-format.ts';
import type { Driver } from '../../driver.ts';
import { P2Parser } from './parser.ts';

/** Amplifier with its trimmer in the middle; to be calibrated. */
const OLIMEX_GAIN = 2848;
const MODULAR_EEG_GAIN = 7812;
const CHANNELS = 6;
const PACKETS = { packetBytes: 17, samplesPerPacket: 1, counterModulo: 256 };

export function openEegFormat(
  rateHz: number,
  channels: number,
  gain: number,
  deviceName: string,
): DeviceFormat {
  return {
    rateHz,
    channels: Array.from({ length: channels }, (_, i) => adcChannel(`ADC${i}`, 10, 5, gain)),
    leadSets: singleLead(0),
    highPassHz: 0.16,
    lowPassHz: 40,
    class: 'monitoring',
    isCalibrated: false,
    deviceName,
  };
}

export const OLIMEX_P2: Driver = {
  id: 'olimex-p2',
  name: 'Olimex SHIELD-EKG-EMG, OpenEEG (P2)',
  adapters: [
    { vendorId: '0403', productId: '6001', weight: 2 },
    { vendorId: '2341', productId: '0043', weight: 2 },
    { vendorId: '2341', productId: '0001', weight: 2 },
    { vendorId: '2341', productId: '0243', weight: 2 },
    { vendorId: '2a03', productId: '0043', weight: 2 },
    { vendorId: '2341', productId: '8036', weight: 1 },
    { vendorId: '1a86', productId: '7523', weight: 1 },
    { vendorId: '067b', weight: 1 },
  ],
  bauds: [57_600],
  variants: [
    {
      id: 'olimex',
      name: 'Olimex, 250 Hz',
      packets: PACKETS,
      format: openEegFormat(250, CHANNELS, OLIMEX_GAIN, 'Olimex EKG shield'),
    },
    {
      id: 'modular-eeg',
      name: 'ModularEEG, 256 Hz',
      packets: PACKETS,
      format: openEegFormat(256, CHANNELS, MODULAR_EEG_GAIN, 'ModularEEG'),
      isAmbiguous: true,
    },
  ],
  confirmPackets: 8,
  port: { dtr: true, rts: true, settleMs: 2200 },
  start: () => [],
  stop: [],
  maxSilenceMs: 1000,
  createParser: () => new P2Parser(),
};
