// Orders of a hospital information system: ORM^O01, OMI^O23 and OMG^O19 as orders, and as the end of orders (HL7 2.5.1, chapter
// 4).

import { given } from '../../../shared/given.ts';
import type { AskedExamination, EndedOrder, OrderFacts, OrderIdentifier } from '../../../shared/order.ts';
import type { PatientFacts, Warning } from '../../../shared/signal/recording.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import type { Hl7HeadFacts } from '../../ground/hl7-head.ts';
import { isSuspicious } from '../gdt/character-sets.ts';
import { parseCompactDate, parseCompactStart } from '../start-time.ts';
import { Hl7Error, type Hl7Message, type Hl7Segment, hl7TextOf, parseHl7 } from './hl7-message.ts';

const ORDER_KINDS = ['ORM^O01', 'OMI^O23', 'OMG^O19'];
/** Cancelled, discontinued, or removed by whoever asked (HL7 table 0119). */
const ENDS = ['CA', 'DC', 'OC', 'OD', 'DE'];
const NEWS = ['NW', 'XO', 'RO', 'RP', 'SN', 'PA', 'CH', ''];
const MOST_CHARACTERS = 64;

export interface Hl7Orders {
  readonly orders: readonly OrderFacts[];
  readonly ended: readonly EndedOrder[];
  /** By which an answer names the message, and whom it is for. */
  readonly head: Hl7HeadFacts;
}

const said = (text: string): string | undefined => (text === '' ? undefined : text.slice(0, MOST_CHARACTERS));

/** A number that was cut could be somebody else's. @throws Hl7Error */
function numberOf(text: string, what: string): string | undefined {
  if (text.length > MOST_CHARACTERS)
    throw new Hl7Error(`${what} is longer than ${MOST_CHARACTERS} characters.`);
  return text === '' ? undefined : text;
}

const GENDERS: Readonly<Record<string, PatientFacts['gender']>> = {
  F: 'FEMALE',
  M: 'MALE',
  O: 'UNDIFFERENTIATED',
  A: 'UNDIFFERENTIATED',
};

const MOST_ISSUER = 200;
const MOST_KIND = 20;
const MOST_NUMBERS = 20;

/** CX: a number with whoever gave it; undefined where there is none, or one that is too long to be kept. */
function identifierOf(segment: Hl7Segment, field: number, repetition = 1): OrderIdentifier | undefined {
  const id = segment.text(field, 1, repetition);
  const issuer = segment.whole(field, 4, repetition).slice(0, MOST_ISSUER);
  const kind = segment.text(field, 5, repetition).slice(0, MOST_KIND);
  return id === '' || id.length > MOST_CHARACTERS
    ? undefined
    : { id, ...(issuer !== '' && { issuer }), ...(kind !== '' && { kind }) };
}

const numbersOf = (pid: Hl7Segment): OrderIdentifier[] =>
  Array.from(
    { length: Math.min(MOST_NUMBERS, pid.repetitions(3)) },
    (_, i) => identifierOf(pid, 3, i + 1) ?? [],
  ).flat();

/** The number that names the patient, where there are several: the medical record number, else the first. */
function idOf(pid: Hl7Segment): string | undefined {
  const numbers = Array.from({ length: pid.repetitions(3) }, (_, i) => ({
    id: pid.text(3, 1, i + 1),
    kind: pid.text(3, 5, i + 1),
  })).filter(({ id }) => id !== '');
  const chosen = numbers.find(({ kind }) => kind === 'MR' || kind === 'PI') ?? numbers[0];
  return numberOf(chosen?.id ?? pid.text(2), 'The patient number (PID-3)');
}

function patientOf(pid: Hl7Segment): PatientFacts {
  return given({
    id: idOf(pid),
    lastName: said(pid.text(5, 1)),
    firstName: said(pid.text(5, 2)),
    birthDate: parseCompactDate(pid.text(7)),
    gender: GENDERS[pid.text(8).toUpperCase()],
  });
}

/** `Arias^Marta`, as DICOM and reports have it. */
const nameOf = (segment: Hl7Segment, field: number): string | undefined =>
  said([segment.text(field, 2), segment.text(field, 3)].filter(Boolean).join('^'));

/** Where the examination stands in the plan: its day, and its time where there is one. */
function plannedOf(text: string): { readonly day: string; readonly time?: string } | undefined {
  const day = parseCompactDate(text);
  if (day === undefined) return undefined;
  const hasTime = text.length > 8 && parseCompactStart(text) !== undefined;
  return { day, ...(hasTime && { time: `${text.slice(8, 10)}:${text.slice(10, 12)}` }) };
}

interface OrderParts {
  readonly pid: Hl7Segment;
  readonly pv1: Hl7Segment | undefined;
  readonly orc: Hl7Segment;
  readonly obr: Hl7Segment | undefined;
  readonly head: Hl7Segment;
}

/** What is odd about the patient: a birth date that is no day would vanish otherwise, and letters may be wrong. */
function warningsOf(pid: Hl7Segment, isGuessed: boolean): Warning[] {
  const stated = pid.text(7);
  const names = pid.raw(5);
  return [
    ...(stated !== '' && parseCompactDate(stated) === undefined
      ? [warning('birth_date_no_day', { stated })]
      : []),
    ...((isGuessed && !/^[ -~]*$/.test(names)) || isSuspicious(names) ? [warning('letters_suspicious')] : []),
  ];
}

function orderOf({ pid, pv1, orc, obr, head }: OrderParts, isGuessed: boolean): OrderFacts {
  const numbers = numbersOf(pid);
  const number = (field: number): string | undefined =>
    numberOf(orc.text(field) || (obr?.text(field) ?? ''), `The order number (ORC-${field})`);
  const asked: AskedExamination = given({
    accession: obr && numberOf(obr.text(18), 'The accession number (OBR-18)'),
    procedureId: obr && numberOf(obr.text(19), 'The number of the procedure (OBR-19)'),
    referrer: nameOf(orc, 12) ?? (obr && nameOf(obr, 16)),
    referrerId: said(orc.text(12) || (obr?.text(16) ?? '')),
    orderIssuer: issuerOf(orc, obr),
    patientIds: numbers.length > 0 ? numbers : undefined,
    visit: pv1 && identifierOf(pv1, 19),
    service:
      obr &&
      said(
        [1, 2, 3]
          .map((part) => obr.text(4, part))
          .join('^')
          .replace(/\^+$/, ''),
      ),
  });
  const reason = obr === undefined ? [] : [obr.text(31, 2), obr.text(31, 1), obr.text(13)];
  const indication = reason.find((text) => text !== '');
  return {
    format: 'hl7',
    patient: patientOf(pid),
    ...given({
      orderNumber: number(2),
      examination: obr && said(obr.text(4, 2) || obr.text(4, 1)),
      ...(obr && (plannedOf(obr.text(7)) ?? plannedOf(obr.text(36)) ?? plannedOf(obr.text(27, 4)))),
      sender: said(head.text(3)),
      facility: said(head.text(4)),
    }),
    indications: indication === undefined ? [] : [indication],
    asked,
    warnings: warningsOf(pid, isGuessed),
  };
}

function headOf({ head }: Hl7Message): Hl7HeadFacts {
  return {
    controlId: head.text(10),
    application: head.text(3),
    facility: head.text(4),
    version: head.text(12) || '2.5.1',
    processing: head.text(11) || 'P',
    event: head.text(9, 2),
  };
}

/** Who gave the number of the order (ORC-2.2). */
const issuerOf = (orc: Hl7Segment, obr: Hl7Segment | undefined): string | undefined =>
  said(orc.text(2, 2) || (orc.text(2) === '' ? (obr?.text(2, 2) ?? '') : ''));

/** An order segment with what belongs to it, up to the next one. */
function* groups({
  segments,
}: Hl7Message): Generator<{ readonly orc: Hl7Segment; readonly obr: Hl7Segment | undefined }> {
  for (const [i, orc] of segments.entries()) {
    if (orc.name !== 'ORC') continue;
    const next = segments.findIndex(({ name }, j) => j > i && name === 'ORC');
    yield { orc, obr: segments.slice(i, next < 0 ? undefined : next).find(({ name }) => name === 'OBR') };
  }
}

/** The head alone, for an answer to what is otherwise not understood, whatever its letters; undefined where there is none. */
export function readHl7Head(bytes: Uint8Array): Hl7HeadFacts | undefined {
  try {
    return headOf(parseHl7(new TextDecoder('latin1').decode(bytes)));
  } catch (error) {
    if (error instanceof Hl7Error) return undefined;
    throw error;
  }
}

/** @throws Hl7Error with a sentence for whoever sent it */
export function readHl7Orders(bytes: Uint8Array): Hl7Orders {
  const { text, isGuessed } = hl7TextOf(bytes);
  const message = parseHl7(text);
  const kind = `${message.head.text(9, 1)}^${message.head.text(9, 2)}`;
  if (!ORDER_KINDS.includes(kind))
    throw new Hl7Error(`${kind} is not taken here; orders are (${ORDER_KINDS.join(', ')}).`);
  const pid = message.first('PID');
  const pv1 = message.first('PV1');
  const orders: OrderFacts[] = [];
  const ended: EndedOrder[] = [];
  for (const { orc, obr } of groups(message)) {
    const control = orc.text(1).toUpperCase();
    const number = numberOf(orc.text(2) || (obr?.text(2) ?? ''), 'The order number (ORC-2)') ?? '';
    const end = (): void =>
      void ended.push({
        number,
        patient: pid === undefined ? {} : patientOf(pid),
        patientIds: pid === undefined ? [] : numbersOf(pid).map(({ id }) => id),
        ...given({
          issuer: issuerOf(orc, obr),
          sender: said(message.head.text(3)),
          facility: said(message.head.text(4)),
        }),
      });
    if (ENDS.includes(control)) {
      if (number === '') throw new Hl7Error('The order that is to end has no number (ORC-2).');
      end();
    } else if (NEWS.includes(control)) {
      const order = pid && orderOf({ pid, pv1, orc, obr, head: message.head }, isGuessed);
      if (order === undefined || (order.patient.id === undefined && order.patient.lastName === undefined))
        throw new Hl7Error('The order names no patient (PID-3, PID-5).');
      orders.push(order);
      // A changed order is in place of the one before.
      if (control === 'XO' || control === 'RP' || control === 'RO') end();
    } else throw new Hl7Error(`The order control ${control} (ORC-1) is not taken here.`);
  }
  if (orders.length + ended.length === 0) throw new Hl7Error('The message holds no order (ORC).');
  return { orders, ended: ended.filter(({ number }) => number !== ''), head: headOf(message) };
}
