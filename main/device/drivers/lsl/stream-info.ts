// How a stream of Lab Streaming Layer describes itself: an XML document, short in the answer to a search, whole
// with its channels on request (liblsl, protocol 1.10; XDF specification, "EEG meta-data" for the channels).

import { find, findAll, parseXml, type XmlElement } from '../../../ground/xml-tree.ts';

/** Bytes of one value, by the format of the stream; text is no signal. */
export const VALUE_BYTES = { float32: 4, double64: 8, int8: 1, int16: 2, int32: 4, int64: 8 } as const;
export type ValueFormat = keyof typeof VALUE_BYTES;

export interface LslChannel {
  readonly label: string;
  readonly unit: string;
  readonly type: string;
}

export interface LslInfo {
  readonly name: string;
  /** What its maker calls it: `EEG`, `ECG`, `Markers`. */
  readonly type: string;
  readonly channelCount: number;
  /** Undefined where it sends text, or something that is not known here. */
  readonly valueFormat: ValueFormat | undefined;
  /** 0 where it has no fixed rate. */
  readonly rateHz: number;
  /** Stays the same over a restart of its program; may be empty. */
  readonly sourceId: string;
  /** Differs at each start of its program. */
  readonly uid: string;
  readonly hostname: string;
  readonly dataPort: number;
  /** Empty in an answer to a search. */
  readonly channels: readonly LslChannel[];
}

const MOST_TEXT = 200;
const MOST_PORT = 65_535;

const textOf = (element: XmlElement, name: string): string =>
  (find(element, name)?.text ?? '').trim().slice(0, MOST_TEXT);

const isValueFormat = (text: string): text is ValueFormat => Object.hasOwn(VALUE_BYTES, text);

/** @returns undefined where the text is no such description */
export function readStreamInfo(text: string): LslInfo | undefined {
  const root = parseXml(text);
  if (typeof root === 'string' || root.name !== 'info') return undefined;
  const number = (name: string): number => Number(textOf(root, name) || Number.NaN);
  const format = textOf(root, 'channel_format');
  const [channelCount, rateHz, dataPort] = [
    number('channel_count'),
    number('nominal_srate'),
    number('v4data_port'),
  ];
  const uid = textOf(root, 'uid');
  const isWhole =
    uid !== '' &&
    Number.isInteger(channelCount) &&
    channelCount >= 0 &&
    Number.isFinite(rateHz) &&
    rateHz >= 0 &&
    dataPort > 0 &&
    dataPort <= MOST_PORT;
  if (!isWhole) return undefined;
  return {
    name: textOf(root, 'name'),
    type: textOf(root, 'type'),
    channelCount,
    valueFormat: isValueFormat(format) ? format : undefined,
    rateHz,
    sourceId: textOf(root, 'source_id'),
    uid,
    hostname: textOf(root, 'hostname'),
    dataPort,
    channels: findAll(root, 'desc', 'channels', 'channel').map((channel) => ({
      label: textOf(channel, 'label'),
      unit: textOf(channel, 'unit'),
      type: textOf(channel, 'type'),
    })),
  };
}
