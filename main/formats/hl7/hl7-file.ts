// Orders in a file of HL7 messages, as interface engines put them into folders: one message or several, bare, framed as for MLLP,
// or in a batch (HL7 2.5.1, 2.10.3).

import { IsolineError } from '../../../shared/errors.ts';
import { isSameOrder, type OrderFacts } from '../../../shared/order.ts';
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

type Hl7OrderMessage = Pick<ReturnType<typeof readHl7Orders>, 'orders' | 'ended'>;

export interface Hl7File {
  /** What it asks for in the end: a later message may cancel or change what an earlier one said. */
  readonly orders: readonly OrderFacts[];
  /** In their order; without those that could not be read. */
  readonly messages: readonly Hl7OrderMessage[];
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

/** By what they say, so that one that is repeated is there once. */
function wantedInTheEnd(messages: readonly Hl7OrderMessage[]): OrderFacts[] {
  const wanted = new Map<string, OrderFacts>();
  for (const { orders, ended } of messages) {
    if (ended.length > 0)
      for (const [said, facts] of wanted)
        if (ended.some((each) => isSameOrder(facts, each))) wanted.delete(said);
    for (const order of orders) wanted.set(JSON.stringify(order), order);
    if (wanted.size > MOST_ORDERS) throw tooMany('orders');
  }
  return [...wanted.values()];
}

/**
 * Message by message.
 * @throws IsolineError `unsupported_format` for more messages than a clinic has orders
 */
export function readHl7File(bytes: Uint8Array): Hl7File {
  const messages: Hl7OrderMessage[] = [];
  const faults: string[] = [];
  const pieces = messagesOf(bytes);
  if (pieces.length > MOST_MESSAGES) throw tooMany('messages');
  for (const [index, piece] of pieces.entries())
    try {
      const { orders, ended } = readHl7Orders(piece);
      messages.push({ orders, ended });
    } catch (error) {
      if (!(error instanceof Hl7Error)) throw error;
      faults.push(pieces.length === 1 ? error.message : `Message ${index + 1}: ${error.message}`);
    }
  if (pieces.length === 0) faults.push('The file holds no message (MSH).');
  return {
    orders: wantedInTheEnd(messages),
    messages,
    ...(faults.length > 0 && { trouble: troubleOf(faults) }),
  };
}
