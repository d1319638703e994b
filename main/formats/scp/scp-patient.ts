// Section 1 of an SCP-ECG record: tagged fields on patient, device and time. Formats reference, section 3.2.

import { civilDateMs } from '../../../shared/civil-time.ts';
import type { PatientFacts, StartTime } from '../../../shared/signal/recording.ts';
import type { Deviations } from '../deviations.ts';
import { decodeField } from '../text-field.ts';

const END_TAG = 255;
const ZONE_UNKNOWN = 0x7fff;
const SERIAL_NUMBER_STRING = 1;
const DEVICE_STRINGS_OFFSET = 36;
const LANGUAGE_OFFSET = 16;

/** The language support code of tag 14 to the name of its encoding; ASCII and Latin-1 need none. */
const ENCODINGS: Readonly<Record<number, string>> = {
  3: 'iso-8859-2',
  11: 'iso-8859-4',
  19: 'iso-8859-5',
  27: 'iso-8859-6',
  35: 'iso-8859-7',
  39: 'gbk',
  43: 'iso-8859-8',
  51: 'windows-874',
  55: 'euc-kr',
  59: 'iso-8859-15',
};

const UNIT_DAYS: Readonly<Record<number, number>> = { 1: 365.25, 2: 30.4375, 3: 7, 4: 1, 5: 1 / 24 };
const UNIT_CM: Readonly<Record<number, number>> = { 1: 1, 2: 2.54, 3: 0.1 };
const UNIT_GRAMS: Readonly<Record<number, number>> = { 1: 1000, 2: 1, 3: 453.59237, 4: 28.349523125 };

/** First value of every tag. */
function parseTags(body: Uint8Array, deviations: Deviations): Map<number, Uint8Array> {
  const tags = new Map<number, Uint8Array>();
  let at = 0;
  while (at + 3 <= body.length) {
    const tag = body[at] as number;
    const length = (body[at + 1] as number) | ((body[at + 2] as number) << 8);
    if (tag === END_TAG) return tags;
    if (at + 3 + length > body.length) break;
    if (length > 0 && !tags.has(tag)) tags.set(tag, body.subarray(at + 3, at + 3 + length));
    at += 3 + length;
  }
  deviations.add('tags_open');
  return tags;
}

class Tags {
  readonly #tags: ReadonlyMap<number, Uint8Array>;
  readonly #encoding: string | undefined;
  constructor(tags: ReadonlyMap<number, Uint8Array>) {
    this.#tags = tags;
    this.#encoding = ENCODINGS[tags.get(14)?.[LANGUAGE_OFFSET] ?? 0];
  }

  bytes(tag: number, atLeast: number): Uint8Array | undefined {
    const value = this.#tags.get(tag);
    return value !== undefined && value.length >= atLeast ? value : undefined;
  }

  /** Text up to its NUL; undefined where nothing is left. */
  text(tag: number): string | undefined {
    const value = this.#tags.get(tag);
    return value === undefined ? undefined : this.decode(value);
  }

  decode(value: Uint8Array): string | undefined {
    const end = value.indexOf(0);
    const bytes = end < 0 ? value : value.subarray(0, end);
    const isAscii = bytes.every((byte) => byte < 0x80);
    const text =
      isAscii || this.#encoding === undefined
        ? decodeField(bytes).text
        : new TextDecoder(this.#encoding).decode(bytes).trim();
    return text === '' ? undefined : text;
  }

  u16(tag: number): number | undefined {
    const value = this.bytes(tag, 2);
    return value === undefined ? undefined : (value[0] as number) | ((value[1] as number) << 8);
  }

  /** A number and the code of its unit, in the unit that the table leads to; 0 counts as not known. */
  measured(tag: number, factors: Readonly<Record<number, number>>): number | undefined {
    const value = this.u16(tag);
    const factor = factors[this.bytes(tag, 3)?.[2] ?? 0];
    return value === undefined || value === 0 || factor === undefined ? undefined : value * factor;
  }

  /** Milliseconds of a day that exists. */
  day(tag: number): number | undefined {
    const value = this.bytes(tag, 4);
    return value === undefined
      ? undefined
      : civilDateMs(this.u16(tag) ?? 0, value[2] as number, value[3] as number);
  }
}

function patientOf(tags: Tags): PatientFacts {
  const [id, firstName, lastName] = [
    tags.text(2),
    tags.text(1),
    [tags.text(0), tags.text(3)].filter((name) => name !== undefined).join(' '),
  ];
  const birthMs = tags.day(5);
  const ageDays = tags.measured(4, UNIT_DAYS);
  const heightCm = tags.measured(6, UNIT_CM);
  const weightG = tags.measured(7, UNIT_GRAMS);
  const sex = tags.bytes(8, 1)?.[0];
  return {
    ...(id !== undefined && { id }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== '' && { lastName }),
    ...((sex === 1 || sex === 2) && { gender: sex === 1 ? ('MALE' as const) : ('FEMALE' as const) }),
    ...(birthMs !== undefined && { birthDate: new Date(birthMs).toISOString().slice(0, 10) }),
    ...(ageDays !== undefined && ageDays < 151 * 365.25 && { ageYears: Math.floor(ageDays / 365.25 + 1e-9) }),
    ...(heightCm !== undefined && heightCm <= 300 && { heightCm: Math.round(heightCm) }),
    ...(weightG !== undefined && weightG <= 1_000_000 && { weightG: Math.round(weightG) }),
  };
}

function startOf(tags: Tags, deviations: Deviations): StartTime | undefined {
  const dayMs = tags.day(25);
  const time = tags.bytes(26, 3);
  const [hour = 99, minute = 99, second = 99] = time ?? [];
  if (dayMs === undefined || hour > 23 || minute > 59 || second > 59) {
    deviations.add('start_time_invalid');
    return undefined;
  }
  const localMs = dayMs + ((hour * 60 + minute) * 60 + second) * 1000;
  const zone = tags.u16(34);
  const eastMinutes = zone === undefined ? ZONE_UNKNOWN : (zone << 16) >> 16;
  if (Math.abs(eastMinutes) > 18 * 60) return { utcMs: localMs, isZoneKnown: false };
  return { utcMs: localMs - eastMinutes * 60_000, isZoneKnown: true };
}

/** The serial number of the recording device, behind its analysing program in tag 14. */
function deviceOf(tags: Tags): string | undefined {
  const value = tags.bytes(14, DEVICE_STRINGS_OFFSET);
  if (value === undefined) return undefined;
  let rest = value.subarray(DEVICE_STRINGS_OFFSET);
  for (let i = 0; i < SERIAL_NUMBER_STRING; i++) {
    const end = rest.indexOf(0);
    if (end < 0) return undefined;
    rest = rest.subarray(end + 1);
  }
  return tags.decode(rest);
}

export interface ScpFacts {
  readonly patient: PatientFacts;
  readonly startTime: StartTime | undefined;
  readonly deviceId: string | undefined;
}

export function readScpFacts(body: Uint8Array | undefined, deviations: Deviations): ScpFacts {
  const tags = new Tags(parseTags(body ?? new Uint8Array(0), deviations));
  return { patient: patientOf(tags), startTime: startOf(tags, deviations), deviceId: deviceOf(tags) };
}
