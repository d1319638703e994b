// What the samples of a device are: columns with their scale, which leads they make, and what class of device
// that is.

import type { LeadCode } from '../../shared/signal/lead.ts';

/** Diagnostic: fit for ST and morphology (reference, 1.2). */
export type DeviceClass = 'diagnostic' | 'monitoring';

/** One column that a device sends. physical µV = (code − zero) · lsbUv. */
export interface DeviceChannel {
  readonly name: string;
  readonly kind: 'ecg' | 'respiration' | 'other';
  readonly lsbUv: number;
  readonly zero: number;
  /** Codes at or beyond these are saturated. */
  readonly minimum: number;
  readonly maximum: number;
}

/** A lead as whole multiples of channels: µV = Σ weight · (code − zero) · lsbUv / divisor. */
export interface LeadSource {
  readonly lead: LeadCode;
  readonly terms: readonly { readonly channel: number; readonly weight: number }[];
}

/** Which leads the channels of a device make, as it is wired. */
export interface LeadSet {
  readonly id: string;
  /** Under which an earlier version remembered it. */
  readonly formerId?: string;
  readonly name: string;
  readonly divisor: number;
  readonly leads: readonly LeadSource[];
}

/** What the samples of a device are. */
export interface DeviceFormat {
  readonly rateHz: number;
  /** The rate is only known from arrivals: what stands here is a guess, 0 where there is none. */
  readonly isRateMeasured?: boolean;
  /**
   * Sampled far faster than an ECG needs: so many samples become one before anything else is done
   * (`Decimator`).
   */
  readonly decimation?: number;
  readonly channels: readonly DeviceChannel[];
  /** The first one is used unless another is chosen. */
  readonly leadSets: readonly LeadSet[];
  readonly highPassHz: number;
  readonly lowPassHz: number;
  readonly notchHz?: number;
  readonly class: DeviceClass;
  /** False where gain or reference are assumed: amplitudes then say so. */
  readonly isCalibrated: boolean;
  /** How lines of text are divided, and which column is the time. */
  readonly text?: { readonly separator: string; readonly columns: number; readonly timeColumn?: number };
  readonly deviceName?: string;
  readonly serialNumber?: string;
  /** The device says itself that it is a simulator. */
  readonly isSimulated?: boolean;
}

const DIAGNOSTIC = {
  lowestRateHz: 500,
  highestLsbUv: 5,
  highestHighPassHz: 0.05,
  lowestLowPassHz: 150,
  rangeUv: 305_000,
};

/**
 * The rule of the reference, 1.2: pass band, rate, resolution, range, and no filter of the device's own
 * beside them.
 */
export function classOf(
  format: Pick<DeviceFormat, 'rateHz' | 'channels' | 'highPassHz' | 'lowPassHz' | 'notchHz'>,
): DeviceClass {
  const ecg = format.channels.filter(({ kind }) => kind === 'ecg');
  const isFine = ecg.every(
    ({ lsbUv, minimum, maximum, zero }) =>
      lsbUv <= DIAGNOSTIC.highestLsbUv &&
      (maximum - zero) * lsbUv >= DIAGNOSTIC.rangeUv &&
      (zero - minimum) * lsbUv >= DIAGNOSTIC.rangeUv,
  );
  const isWide =
    format.highPassHz <= DIAGNOSTIC.highestHighPassHz &&
    (format.lowPassHz === 0 || format.lowPassHz >= DIAGNOSTIC.lowestLowPassHz) &&
    format.notchHz === undefined;
  return ecg.length > 0 && isFine && isWide && format.rateHz >= DIAGNOSTIC.lowestRateHz
    ? 'diagnostic'
    : 'monitoring';
}

/** Each channel as one lead, in the order given; undefined for channels that are none. */
export function oneToOne(leads: readonly (LeadCode | undefined)[]): LeadSet {
  return {
    id: 'channels',
    name: 'Each channel is a lead',
    divisor: 1,
    leads: leads.flatMap((lead, channel) =>
      lead === undefined ? [] : [{ lead, terms: [{ channel, weight: 1 }] }],
    ),
  };
}

/**
 * A single bipolar lead: which one is a matter of where its electrodes are, so every limb lead can be chosen.
 */
export function singleLead(channel: number, first: LeadCode = 'MDC_ECG_LEAD_II'): readonly LeadSet[] {
  const choices: readonly LeadCode[] = [
    'MDC_ECG_LEAD_I',
    'MDC_ECG_LEAD_II',
    'MDC_ECG_LEAD_III',
    'MDC_ECG_LEAD_V1',
    'MDC_ECG_LEAD_V5',
  ];
  return [first, ...choices.filter((lead) => lead !== first)].map((lead) => ({
    id: lead,
    name: lead.slice('MDC_ECG_LEAD_'.length),
    divisor: 1,
    leads: [{ lead, terms: [{ channel, weight: 1 }] }],
  }));
}

/** A converter of `bits` bits behind an amplifier, zero in the middle (reference, 1.6). */
export function adcChannel(
  name: string,
  bits: number,
  referenceV: number,
  gain: number,
  kind: DeviceChannel['kind'] = 'ecg',
): DeviceChannel {
  return {
    name,
    kind,
    lsbUv: (referenceV * 1e6) / (2 ** bits * gain),
    zero: 2 ** (bits - 1),
    minimum: 0,
    maximum: 2 ** bits - 1,
  };
}
