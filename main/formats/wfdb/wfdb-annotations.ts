// Annotation files in the MIT format. Layout and codes: formats reference, section 2.4.

export interface WfdbAnnotation {
  readonly sample: number;
  /** The symbol that WFDB prints: `N`, `V`, `+` … */
  readonly symbol: string;
  readonly subtype: number;
  readonly channel: number;
  readonly number: number;
  readonly text: string;
}

export type WfdbAnnotationsResult =
  | {
      readonly ok: true;
      readonly annotations: readonly WfdbAnnotation[];
      readonly ticksPerSecond: number | undefined;
      readonly comments: readonly string[];
    }
  | { readonly ok: false; readonly message: string };

/**
 * Symbols of the codes 0 … 41; those that stand for nothing have their number in brackets, as have the codes
 * of users.
 */
const SYMBOLS: readonly string[] = [
  ...' NLRaVFJASEj/Q~'.split(''),
  '[15]',
  '|',
  '[17]',
  ...'sT*D"=pB^t+u?![]en@xf()r'.split(''),
  ...Array.from({ length: 8 }, (_, i) => `[${42 + i}]`),
];

export const SKIP_CODE = 59;
const NUM_CODE = 60;
const SUB_CODE = 61;
const CHN_CODE = 62;
export const AUX_CODE = 63;
export const NOTE_CODE = 22;

/** The code of a symbol, if a text is one. */
export function codeOfSymbol(text: string): number | undefined {
  const code = text.length === 1 ? SYMBOLS.indexOf(text) : -1;
  return code > 0 ? code : undefined;
}

const BEAT_SYMBOLS = new Set([
  'N',
  'L',
  'R',
  'a',
  'V',
  'F',
  'J',
  'A',
  'S',
  'E',
  'j',
  '/',
  'Q',
  'B',
  '?',
  'e',
  'n',
  'f',
  'r',
]);
export const isBeat = (annotation: WfdbAnnotation): boolean => BEAT_SYMBOLS.has(annotation.symbol);

const TEXT = new TextDecoder('utf-8');
const signed8 = (value: number): number => (value << 24) >> 24;

interface Draft {
  sample: number;
  code: number;
  subtype: number;
  channel: number;
  number: number;
  text: string;
}

interface Prologue {
  ticksPerSecond: number | undefined;
  readonly comments: string[];
}

/**
 * Notes at time 0 at the head of the file: they state the time resolution, define further symbols, or say
 * which program wrote the file. libwfdb counts none of them as an annotation.
 */
function takePrologue(drafts: Draft[], symbols: string[]): Prologue {
  const prologue: Prologue = { ticksPerSecond: undefined, comments: [] };
  let taken = 0;
  for (const { sample, code, subtype, text } of drafts) {
    if (sample !== 0 || code !== NOTE_CODE || subtype !== 0 || text === '') break;
    taken++;
    const resolution = /^## time resolution: ([\d.]+)/.exec(text);
    const definition = /^(\d{1,2}) (\S+) \S/.exec(text);
    if (resolution !== null && Number(resolution[1]) > 0) prologue.ticksPerSecond = Number(resolution[1]);
    else if (definition !== null && Number(definition[1]) < symbols.length)
      symbols[Number(definition[1])] = definition[2] as string;
    else if (!text.startsWith('## ')) prologue.comments.push(text);
  }
  drafts.splice(0, taken);
  return prologue;
}

/** 35 days at 150 beats a minute have 7.6 million beats; a file of more is damaged or no annotation file. */
const MAX_ANNOTATIONS = 8_000_000;

export function parseWfdbAnnotations(bytes: Uint8Array): WfdbAnnotationsResult {
  const drafts: Draft[] = [];
  let time = 0;
  let number = 0;
  let channel = 0;
  let at = 0;
  let last: Draft | undefined;
  while (at + 1 < bytes.length) {
    const word = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
    at += 2;
    const code = word >> 10;
    const value = word & 0x3ff;
    if (code === 0 && value === 0) break;
    if (code === SKIP_CODE) {
      if (at + 4 > bytes.length) return { ok: false, message: 'The file ends inside a time interval.' };
      const high = ((bytes[at + 1] as number) << 8) | (bytes[at] as number);
      const low = ((bytes[at + 3] as number) << 8) | (bytes[at + 2] as number);
      time += (high << 16) | low;
      at += 4;
    } else if (code === NUM_CODE) {
      number = signed8(value);
      if (last !== undefined) last.number = number;
    } else if (code === SUB_CODE) {
      if (last !== undefined) last.subtype = signed8(value);
    } else if (code === CHN_CODE) {
      channel = value & 255;
      if (last !== undefined) last.channel = channel;
    } else if (code === AUX_CODE) {
      if (at + value > bytes.length) return { ok: false, message: 'The file ends inside a text.' };
      if (last !== undefined) last.text = TEXT.decode(bytes.subarray(at, at + value)).replace(/\0+$/, '');
      at += value + (value & 1);
    } else if (code >= SYMBOLS.length) {
      return { ok: false, message: `It holds the annotation code ${code}, which does not exist.` };
    } else {
      time += value;
      // Code 0 with an interval stands for no annotation; words behind it describe nothing.
      last = code === 0 ? undefined : { sample: time, code, subtype: 0, channel, number, text: '' };
      if (last !== undefined && drafts.push(last) > MAX_ANNOTATIONS)
        return { ok: false, message: `It holds more than ${MAX_ANNOTATIONS} annotations.` };
    }
  }
  const symbols = [...SYMBOLS];
  const prologue = takePrologue(drafts, symbols);
  const annotations = drafts.map(({ code, ...rest }) => ({ ...rest, symbol: symbols[code] as string }));
  return { ok: true, annotations, ...prologue };
}
