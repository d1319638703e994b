// What MobilECG's channels are (device protocols reference, 7).

import type { LeadCode } from '../../../../shared/signal/lead.ts';
import { classOf, type DeviceFormat, oneToOne, singleLead } from '../../device-format.ts';

/** Eight channels in the order in which the device sends them. */
const LEADS: readonly LeadCode[] = (['V6', 'I', 'II', 'V2', 'V3', 'V4', 'V5', 'V1'] as const).map(
  (name): LeadCode => `MDC_ECG_LEAD_${name}`,
);

/**
 * The firmware's constant is half of what its converter's formula gives: a header with this value is taken
 * twice.
 */
const HALF_LSB_UV = 2.2888;
const HALF_TOLERANCE = 0.01;
/** ADS1298 at gain 2, cut to nineteen bits. */
const CODE_MAXIMUM = 2 ** 18 - 1;

/** @param headerLsbUv as the packet states it. */
export function mobilecgFormat(channels: number, headerLsbUv: number, rateHz: number): DeviceFormat {
  const isHalf = Math.abs(headerLsbUv / HALF_LSB_UV - 1) <= HALF_TOLERANCE;
  const lsbUv = isHalf ? 2 * headerLsbUv : headerLsbUv;
  const isWhole = channels === LEADS.length;
  const facts = {
    rateHz,
    channels: Array.from({ length: channels }, (_, i) => ({
      name: isWhole ? (LEADS[i] as LeadCode).slice('MDC_ECG_LEAD_'.length) : `ch${i + 1}`,
      kind: 'ecg' as const,
      lsbUv,
      zero: 0,
      minimum: -CODE_MAXIMUM - 1,
      maximum: CODE_MAXIMUM,
    })),
    highPassHz: 0,
    lowPassHz: 0.262 * rateHz,
  };
  return {
    ...facts,
    leadSets: isWhole ? [oneToOne(LEADS)] : singleLead(0),
    class: classOf(facts),
    isCalibrated: !isHalf,
    deviceName: 'MobilECG',
  };
}
