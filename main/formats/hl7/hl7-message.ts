// Messages of HL7 v2 (2.5.1, chapter 2): segments, fields, repetitions, components, subcomponents. Read with whatever
// separators the message names, written with the usual ones.

import { decodeField } from '../text-field.ts';

/** Where segments end with CR, as they should, LF alone is a line break within a field, unless a segment begins behind it. */
const CR_END = /\r\n?|\n(?=[A-Z][A-Z0-9]{2}[^\w\s])/;
const LF_END = /\n/;
const segmentEnd = (text: string): RegExp => (text.includes('\r') ? CR_END : LF_END);
const MOST_SEGMENTS = 10_000;
const USUAL = { field: '|', component: '^', repetition: '~', escape: '\\', subcomponent: '&' } as const;

interface Separators {
  readonly field: string;
  readonly component: string;
  readonly repetition: string;
  readonly escape: string;
  readonly subcomponent: string;
}

export class Hl7Error extends Error {}

/** Bytes of `\X00F2\`: letters of two bytes where all have an empty upper half, else of UTF-8, else of the West. */
function textOfHex(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  const isWide = bytes.length % 2 === 0 && bytes.every((byte, i) => i % 2 === 1 || byte === 0);
  if (isWide) return bytes.swap16().toString('utf16le');
  // A control character alone is a blank.
  return decodeField(bytes).text || ' ';
}

/** No name, number or text has them; what they stood for is a blank. */
const withoutControls = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

/** `\F\` and the like are what they stand for; `\X41\` is bytes; what is formatting (`\.br\`) is a blank. */
function unescaped(text: string, separators: Separators): string {
  const { escape: sign } = separators;
  if (!text.includes(sign)) return text;
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const end = text[at] === sign ? text.indexOf(sign, at + 1) : -1;
    if (end < 0) {
      plain += text[at];
      at++;
      continue;
    }
    const code = text.slice(at + 1, end);
    const known: Readonly<Record<string, string>> = {
      F: separators.field,
      S: separators.component,
      R: separators.repetition,
      T: separators.subcomponent,
      E: sign,
    };
    if (known[code] !== undefined) plain += known[code];
    else if (/^X(?:[0-9A-Fa-f]{2})+$/.test(code)) plain += textOfHex(code.slice(1));
    else if (code.startsWith('.')) plain += ' ';
    at = end + 1;
  }
  return plain;
}

export class Hl7Segment {
  readonly name: string;
  readonly #fields: readonly string[];
  readonly #separators: Separators;

  constructor(name: string, fields: readonly string[], separators: Separators) {
    this.name = name;
    this.#fields = fields;
    this.#separators = separators;
  }

  /** As it stands there, with its separators. */
  raw(field: number): string {
    return this.#fields[field] ?? '';
  }

  /** How often the field is repeated; 1 for one that is there, or empty. */
  repetitions(field: number): number {
    return this.raw(field).split(this.#separators.repetition).length;
  }

  /** Text of a component, counted from 1; of its first subcomponent. */
  text(field: number, component = 1, repetition = 1): string {
    const { repetition: again, component: part, subcomponent } = this.#separators;
    const components = (this.raw(field).split(again)[repetition - 1] ?? '').split(part);
    const text = (components[component - 1] ?? '').split(subcomponent)[0] ?? '';
    // `""` says that there is nothing.
    return text === '""' ? '' : withoutControls(unescaped(text, this.#separators)).trim();
  }

  /** All subcomponents of a component, with `&` between them whatever the message uses. */
  whole(field: number, component: number, repetition = 1): string {
    const { repetition: again, component: part, subcomponent } = this.#separators;
    const text = (this.raw(field).split(again)[repetition - 1] ?? '').split(part)[component - 1] ?? '';
    return text
      .split(subcomponent)
      .map((each) => (each === '""' ? '' : withoutControls(unescaped(each, this.#separators)).trim()))
      .join('&')
      .replace(/&+$/, '');
  }
}

export class Hl7Message {
  readonly segments: readonly Hl7Segment[];

  constructor(segments: readonly Hl7Segment[]) {
    this.segments = segments;
  }

  get head(): Hl7Segment {
    return this.segments[0] as Hl7Segment;
  }

  first(name: string): Hl7Segment | undefined {
    return this.segments.find((segment) => segment.name === name);
  }
}

function separatorsOf(head: string): Separators {
  const [field = '', component = '', repetition = '', sign = '', subcomponent = ''] = head.slice(3, 8);
  const all = [field, component, repetition, sign, subcomponent];
  if (
    !head.startsWith('MSH') ||
    new Set(all).size < all.length ||
    all.some((each) => /[\w\s]/.test(each) || each === '')
  )
    throw new Hl7Error('This is no HL7 message.');
  return { field, component, repetition, escape: sign, subcomponent };
}

/** @throws Hl7Error */
export function parseHl7(text: string): Hl7Message {
  const lines = text.split(segmentEnd(text), MOST_SEGMENTS + 1).filter((line) => line.trim() !== '');
  if (lines.length > MOST_SEGMENTS) throw new Hl7Error('The message has too many segments.');
  const separators = separatorsOf(lines[0] ?? '');
  return new Hl7Message(
    lines.map((line, index) => {
      const [name = '', ...fields] = line.split(separators.field);
      // The first field of the head is its separator.
      const numbered = index === 0 ? [name, separators.field, ...fields] : [name, ...fields];
      return new Hl7Segment(name, numbered, separators);
    }),
  );
}

/** What separates is written as what it stands for; a line ends a segment, and is a blank therefore. */
export const hl7Text = (text: string): string =>
  Array.from(text, (letter) => {
    switch (letter) {
      case USUAL.field:
        return '\\F\\';
      case USUAL.component:
        return '\\S\\';
      case USUAL.repetition:
        return '\\R\\';
      case USUAL.escape:
        return '\\E\\';
      case USUAL.subcomponent:
        return '\\T\\';
      default:
        return letter < ' ' ? ' ' : letter;
    }
  }).join('');

/** Components of a field, each escaped. */
export const hl7Parts = (...parts: readonly (string | undefined)[]): string =>
  parts
    .map((part) => hl7Text(part ?? ''))
    .join(USUAL.component)
    .replace(/\^+$/, '');

/** A segment of fields that are encoded already, by number. */
export function hl7Segment(name: string, fields: Readonly<Record<number, string>>): string {
  const last = Math.max(0, ...Object.keys(fields).map(Number));
  return [name, ...Array.from({ length: last }, (_, i) => fields[i + 1] ?? '')].join(USUAL.field);
}

/** `MSH`, whose first two fields are the separators. */
export const hl7Head = (fields: Readonly<Record<number, string>>): string =>
  hl7Segment('MSH', { ...fields, 1: '', 2: '^~\\&' }).replace('MSH||', 'MSH|');

export const hl7Lines = (segments: readonly string[]): string =>
  segments.map((segment) => `${segment}\r`).join('');

/** `20261121093000+0100` of a place; without a zone where none is known. */
export function hl7Time(utcMs: number, offsetMinutes?: number): string {
  const digits = new Date(utcMs + (offsetMinutes ?? 0) * 60_000)
    .toISOString()
    .replace(/[-:T]/g, '')
    .slice(0, 14);
  if (offsetMinutes === undefined) return digits;
  const minutes = Math.abs(offsetMinutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${digits}${offsetMinutes < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}

/** HL7 table 0211. */
const DECODERS: Readonly<Record<string, string>> = {
  ASCII: 'utf-8',
  'UNICODE UTF-8': 'utf-8',
  'UTF-8': 'utf-8',
  '8859/1': 'windows-1252',
  '8859/2': 'iso-8859-2',
  '8859/3': 'iso-8859-3',
  '8859/4': 'iso-8859-4',
  '8859/5': 'iso-8859-5',
  '8859/6': 'iso-8859-6',
  '8859/7': 'iso-8859-7',
  '8859/8': 'iso-8859-8',
  '8859/9': 'windows-1254',
  '8859/15': 'iso-8859-15',
  'GB 18030-2000': 'gb18030',
  'GB 18030': 'gb18030',
  GB18030: 'gb18030',
  'BIG-5': 'big5',
  'KS X 1001': 'euc-kr',
  'ISO IR87': 'iso-2022-jp',
};

export interface Hl7Text {
  readonly text: string;
  /** The message is not in the set that it names: its letters may be others. */
  readonly isGuessed: boolean;
}

const decodeAs = (bytes: Uint8Array, decoder: string): string | undefined => {
  try {
    return new TextDecoder(decoder, { fatal: true }).decode(bytes);
  } catch {
    // The bytes are not of that set.
    return undefined;
  }
};

const ESCAPE = 0x1b;

function decodeEscaped(bytes: Uint8Array, names: readonly string[]): string {
  const text = names.some((name) => /^ISO IR(87|14|6)$/i.test(name))
    ? decodeAs(bytes, 'iso-2022-jp')
    : undefined;
  if (text !== undefined) return text;
  throw new Hl7Error('The letters of the message are in a character set that is not read here; UTF-8 is.');
}

/**
 * As the head names its character set; where it names none, UTF-8 where it is valid, else that of western Europe.
 * @throws Hl7Error where it names a set that is not known, and has letters of it
 */
export function hl7TextOf(bytes: Uint8Array): Hl7Text {
  const first = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const head = first.split(/[\r\n]/)[0] ?? '';
  const names = (head.split(head[3] ?? '|')[17] ?? '').split('~').map((each) => each.trim());
  // With escapes, letters of two bytes stand beside those of one, and may look like separators.
  if (bytes.includes(ESCAPE)) return { text: decodeEscaped(bytes, names), isGuessed: false };
  const [name = ''] = names;
  const named = DECODERS[name.toUpperCase()];
  const stated = named === undefined ? undefined : decodeAs(bytes, named);
  if (stated !== undefined) return { text: stated, isGuessed: false };
  const plain = decodeAs(bytes, 'utf-8');
  if (plain !== undefined) return { text: plain, isGuessed: false };
  if (name !== '' && named === undefined)
    throw new Hl7Error(`The character set "${name.slice(0, 20)}" (MSH-18) is not read here; UTF-8 is.`);
  return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: name !== '' };
}

export const decodeHl7 = (bytes: Uint8Array): string => hl7TextOf(bytes).text;
