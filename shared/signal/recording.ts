// What every format reader gives and everything else works on. Samples stay the integers of the file;
// physical values are computed from them where they are needed, so nothing is lost or rounded on the way in.

import type { LeadMatch } from './lead.ts';

/** Stored in place of a sample that the source marks as invalid, whatever code the source uses. */
export const INVALID_SAMPLE = -2147483648;

/** A sample rate as the file states it: so many samples in so many seconds. Never a rounded number. */
export interface SampleRate {
  readonly samples: number;
  readonly seconds: number;
}

/** So many signals of a file are read (D54). */
export const MOST_CHANNELS = 128;

export const rateHz = (rate: SampleRate): number => rate.samples / rate.seconds;

/**
 * One column of a file or device, mapped to a lead where its label names one. physical = sample · scale +
 * offset, in `unit`.
 */
export interface Channel {
  readonly label: string;
  readonly lead?: LeadMatch;
  /** As stored. */
  readonly unit: string;
  /** Millivolts per unit; absent where the unit is no voltage. */
  readonly mvPerUnit?: number;
  readonly scale: number;
  readonly offset: number;
  /** False where the file does not settle the scale: amplitudes must then not be measured. */
  readonly isCalibrated: boolean;
  /** A person has said that it is an ECG: nobody asks its label then. */
  readonly isChosen?: boolean;
  /** The limits of the converter, where the file names them: runs of samples at a limit are saturation. */
  readonly digitalMinimum?: number;
  readonly digitalMaximum?: number;
  readonly rate: SampleRate;
  /** The file does not say its rate; what stands in `rate` is none. */
  readonly isRateUnknown?: boolean;
  readonly sampleCount: number;
  /**
   * Fills `target` with samples from `startSample` on; positions outside the channel become INVALID_SAMPLE.
   * @throws IsolineError `record_unreadable` when the file can't be read any more.
   */
  read(startSample: number, target: Int32Array): void;
}

/**
 * Wall-clock start. Without a zone it is the civil time that the file states and `utcMs` reads it as if it
 * were UTC.
 */
export interface StartTime {
  readonly utcMs: number;
  readonly isZoneKnown: boolean;
}

export const GENDERS = ['FEMALE', 'MALE', 'UNDIFFERENTIATED'] as const;

export interface PatientFacts {
  readonly id?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly gender?: (typeof GENDERS)[number];
  /** YYYY-MM-DD. */
  readonly birthDate?: string;
  readonly ageYears?: number;
  readonly heightCm?: number;
  readonly weightG?: number;
}

/** A remark that the file itself carries at a time, in seconds from the first sample. */
export interface FileAnnotation {
  readonly onsetSeconds: number;
  readonly durationSeconds?: number;
  readonly text: string;
}

/**
 * Something in which a file deviates from its format, or what had to be left out. `code` is stable, `message`
 * is for people.
 */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** Its text in the catalogue, and what stands in it; absent in what older versions stored. */
  readonly name?: string;
  readonly values?: WarningValues;
}

export type WarningValues = Readonly<Record<string, number | string>>;

/** A stretch for which the source has no samples, in seconds from the first sample. */
export interface Gap {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/**
 * Channels run on one time line without a break: in a gap of the source every sample reads as INVALID_SAMPLE,
 * so that no reader of samples can take two pieces for one. `gaps` tells where these samples were never
 * stored; they are in order and do not overlap.
 */
export interface Recording {
  readonly format: string;
  readonly channels: readonly Channel[];
  readonly durationSeconds: number;
  readonly gaps?: readonly Gap[];
  readonly startTime?: StartTime;
  readonly patient: PatientFacts;
  readonly deviceId?: string;
  /** The device, where it was recorded at this workstation. */
  readonly device?: {
    /** No patient was connected: must be said wherever the signal is shown. */
    readonly isSimulated: boolean;
    /** Only a diagnostic one is fit for ST and morphology. */
    readonly class: 'diagnostic' | 'monitoring';
  };
  readonly annotations: readonly FileAnnotation[];
  readonly warnings: readonly Warning[];
  /** Files that the record names and that were not given; what they hold reads as missing. */
  readonly missingFiles?: readonly string[];
  /**
   * Compares all samples with the checksums of the file; costs one reading of it. Absent where there is
   * nothing left to check.
   */
  checkIntegrity?(): readonly Warning[];
}

/** How many samples of a rate fit into so many seconds, against the rounding of the two numbers. */
export const samplesWithin = (rate: SampleRate, seconds: number): number =>
  Math.round((seconds * rate.samples) / rate.seconds);

/** All samples of a channel in one array. For short recordings and tests; long ones are read in blocks. */
export function readAllSamples(channel: Channel): Int32Array {
  const samples = new Int32Array(channel.sampleCount);
  channel.read(0, samples);
  return samples;
}

/**
 * From stored samples to millivolts of the lead as it is named: a lead that is stored with reversed sign is
 * turned.
 */
export function millivoltScale(channel: Channel): { readonly scale: number; readonly offset: number } {
  const factor = (channel.mvPerUnit ?? 1) * (channel.lead?.isInverted ? -1 : 1);
  return { scale: channel.scale * factor, offset: channel.offset * factor };
}

/** Millivolts as float32, invalid samples as NaN. `startSample` may lie outside the channel. */
export function readMillivolts(channel: Channel, startSample: number, count: number): Float32Array {
  const raw = new Int32Array(count);
  channel.read(startSample, raw);
  const { scale, offset } = millivoltScale(channel);
  const mv = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const sample = raw[i] as number;
    mv[i] = sample === INVALID_SAMPLE ? Number.NaN : sample * scale + offset;
  }
  return mv;
}
