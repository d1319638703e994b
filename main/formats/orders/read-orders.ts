// A file of the watched folder as orders: GDT by its lines, HL7 by its head, everything else as a table of text.

import { isUtf8 } from 'node:buffer';
import type { CharacterSet } from '../../../shared/character-set.ts';
import type { DateOrder } from '../../../shared/entry/typed-date.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { MOST_ORDER_BYTES, type OrderFacts, type OrderReading } from '../../../shared/order.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import { decodeText, isSuspicious } from '../gdt/character-sets.ts';
import { readGdtRequest } from '../gdt/gdt.ts';
import { type Hl7File, isHl7File, readHl7File } from '../hl7/hl7-file.ts';
import { readCsvOrders } from './csv-orders.ts';

export interface ReadOrders extends Partial<Pick<Hl7File, 'messages'>> {
  readonly orders: readonly OrderFacts[];
  /** Undefined where each message names its own. */
  readonly characterSet?: CharacterSet;
  /** What of it could not be read, in one sentence. */
  readonly trouble?: string;
}

export interface OrderContext extends Pick<OrderReading, 'characterSet'> {
  readonly dateOrder: DateOrder;
  readonly nowMs: number;
}

const isGdt = (bytes: Uint8Array): boolean => /^\d{7}/.test(String.fromCharCode(...bytes.subarray(0, 7)));

function readTable(bytes: Uint8Array, { characterSet, dateOrder, nowMs }: OrderContext): ReadOrders {
  if (bytes.includes(0))
    throw new IsolineError('unsupported_format', 'The file is neither GDT nor HL7 nor a text table.');
  // What is not UTF-8 is of an old program of western Europe.
  const used: CharacterSet =
    characterSet === 'auto' ? (isUtf8(bytes) ? 'utf-8' : 'iso-8859-15') : characterSet;
  const { orders, withoutPatient } = readCsvOrders(decodeText(bytes, used), dateOrder, nowMs);
  const isOdd = ({ patient }: OrderFacts): boolean =>
    isSuspicious(`${patient.lastName} ${patient.firstName}`);
  return {
    orders: orders.map((order) =>
      isOdd(order) ? { ...order, warnings: [...order.warnings, warning('letters_suspicious')] } : order,
    ),
    characterSet: used,
    ...(withoutPatient.length > 0 && {
      trouble: `No name and no patient ID in line ${withoutPatient.join(', ')}.`,
    }),
  };
}

/** @throws IsolineError `unsupported_format` with a sentence for the technician */
export function readOrders(bytes: Uint8Array, context: OrderContext): ReadOrders {
  if (bytes.length > MOST_ORDER_BYTES)
    throw new IsolineError('unsupported_format', 'The file is larger than 1 MB. Order files are smaller.');
  if (isHl7File(bytes)) return readHl7File(bytes);
  if (!isGdt(bytes)) return readTable(bytes, context);
  const read = readGdtRequest(bytes, context.characterSet === 'auto' ? undefined : context.characterSet);
  const { patient, orderNumber, examination, sender, warnings, characterSet } = read;
  if (patient.lastName === undefined && patient.id === undefined)
    throw new IsolineError('unsupported_format', 'The request names no patient (fields 3000 and 3101).');
  const order: OrderFacts = {
    format: 'gdt',
    patient,
    ...(orderNumber !== undefined && { orderNumber }),
    ...(examination !== undefined && { examination }),
    ...(sender !== undefined && { sender }),
    indications: [],
    warnings: [...warnings],
  };
  return { orders: [order], characterSet };
}
