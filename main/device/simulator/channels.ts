// Which potentials the channels of a simulated device measure.

import type { DeviceChannel, DeviceFormat } from '../device-format.ts';
import { LEAD_WIRING, type Wiring } from './electrodes.ts';
import type { SimulatedChannel } from './simulated-device.ts';

export const leadWiring = (lead: string): Wiring => LEAD_WIRING[lead.replace('MDC_ECG_LEAD_', '')] ?? [];

/** Channels that measure one lead each; one without a lead measures nothing. */
export function measuring(
  channels: readonly DeviceChannel[],
  leads: readonly (string | undefined)[],
): SimulatedChannel[] {
  return channels.map(({ lsbUv, zero, minimum, maximum }, i) => {
    const lead = leads[i];
    return { wiring: lead === undefined ? [] : leadWiring(lead), lsbUv, zero, minimum, maximum };
  });
}

/** Limits and filters of a format, as a simulated device has them. */
export const filtersOf = ({
  highPassHz,
  lowPassHz,
}: DeviceFormat): { highPassHz: number; lowPassHz: number } => ({
  highPassHz,
  lowPassHz,
});

/** The variant's format of a driver that has one. */
export function formatOf(
  variants: readonly { readonly id: string; readonly format?: DeviceFormat }[],
  id: string,
): DeviceFormat {
  const format = variants.find((variant) => variant.id === id)?.format;
  if (format === undefined) throw new RangeError(`there is no variant ${id}`);
  return format;
}
