// Orders in a file of HL7 messages, as interface engines put them into folders: one message or several, bare, framed as for MLLP,
// or in a batch (HL7 2.5.1, 2.10.3).

import { IsolineError } from '../../../shared/errors.ts';
import type { OrderFacts } from '../../../shared/order.ts';
import { Hl7Error } from './hl7-message.ts';
import { readHl7Orders } from './hl7-orders.ts';

const MOST_MESSAGES = 2000;
const MOST_ORDERS = 2000;
/** So many are told. */
const MOST_FAULTS = 3;
const BEGIN = /^(?:MSH|FHS|BHS)[^\w\s]/;
const NEXT_MESSAGE = /(?<=^|[\r\n])(?=MSH[^\w\s])/;
/** What stands behind the last segment of a message: the end of its batch, or the beginning of another one. */
const BATCH = /[\r\n][FB][HT]S[^\w\s]/;
/** The byte order mark of UTF-8, one character a byte. */
const MARK = /^\u00ef\u00bb\u00bf/;
/** In which MLLP frames a message. */
const FRAME = [0x0b, 0x1c].map((code) => String.fromCharCode(code));

export interface Hl7File {
  readonly orders: readonly OrderFacts[];
  /** Numbers of orders that are not wanted any more. */
  readonly ended: readonly string[];
  /** What of it could not be read, in one sentence. */
  readonly trouble?: string;
}

/** One character a byte, because only separators matter here. The start or the end of an MLLP frame counts as a line break. */
function lettersOf(bytes: Uint8Array): string {
  let letters = Buffer.from(bytes).toString('latin1').replace(MARK, '');
  for (const sign of FRAME) letters = letters.replaceAll(sign, '\r');
  return letters.trimStart();
}

export const isHl7File = (bytes: Uint8Array): boolean => BEGIN.test(lettersOf(bytes.subarray(0, 64)));

const messagesOf = (bytes: Uint8Array): Uint8Array[] =>
  lettersOf(bytes)
    .split(NEXT_MESSAGE)
    .filter((piece) => piece.startsWith('MSH'))
    .map((piece) => Buffer.from(piece.split(BATCH)[0] ?? '', 'latin1'));

function troubleOf(faults: readonly string[]): string {
  const told = faults.slice(0, MOST_FAULTS);
  const left = faults.length - told.length;
  return [...told, ...(left > 0 ? [`${left} more messages cannot be read.`] : [])].join(' ');
}

const tooMany = (what: 'messages' | 'orders'): IsolineError =>
  new IsolineError(
    'unsupported_format',
    `The file has more than ${what === 'orders' ? MOST_ORDERS : MOST_MESSAGES} ${what}. Split it into several files.`,
  );

/**
 * Message by message: what a later one cancels or changes is not wanted as an earlier one said it.
 * @throws IsolineError `unsupported_format` for more messages than a clinic has orders
 */
export function readHl7File(bytes: Uint8Array): Hl7File {
  /** By what they say, so that one that is repeated is there once. */
  const orders = new Map<string, OrderFacts>();
  const ended: string[] = [];
  const faults: string[] = [];
  const messages = messagesOf(bytes);
  if (messages.length > MOST_MESSAGES) throw tooMany('messages');
  for (const [index, message] of messages.entries())
    try {
      const read = readHl7Orders(message);
      const isEnded = new Set(read.ended);
      if (isEnded.size > 0)
        for (const [said, { orderNumber }] of orders) if (isEnded.has(orderNumber ?? '')) orders.delete(said);
      for (const order of read.orders) orders.set(JSON.stringify(order), order);
      ended.push(...read.ended);
      if (orders.size > MOST_ORDERS) throw tooMany('orders');
    } catch (error) {
      if (!(error instanceof Hl7Error)) throw error;
      faults.push(messages.length === 1 ? error.message : `Message ${index + 1}: ${error.message}`);
    }
  if (messages.length === 0) faults.push('The file holds no message (MSH).');
  return { orders: [...orders.values()], ended, ...(faults.length > 0 && { trouble: troubleOf(faults) }) };
}
