// The result of an ECG as ORU^R01 (HL7 2.5.1, chapter 7): numbers with their codes, findings, and the report as a PDF. And the
// answer to a message (ACK).

import type { AskedExamination, OrderIdentifier } from '../../../shared/order.ts';
import type { Hl7HeadFacts } from '../../ground/hl7-head.ts';
import { READING_STATUS_WORDS } from '../../ground/reading-status.ts';
import { ECG_NUMBERS, type EcgReading, EKG_STUDY, remarksOf } from '../ecg-reading.ts';
import { hl7Head, hl7Lines, hl7Parts, hl7Segment, hl7Text, hl7Time } from './hl7-message.ts';

const VERSION = '2.5.1';
const CHARACTER_SET = 'UNICODE UTF-8';

export interface EcgResult extends EcgReading {
  readonly controlId: string;
  /** What we are called, and whom it is for. */
  readonly from: { readonly application: string; readonly facility: string };
  readonly to: { readonly application: string; readonly facility: string };
  readonly sentMs: number;
}

const GENDERS = { FEMALE: 'F', MALE: 'M', UNDIFFERENTIATED: 'O' } as const;
const USUAL_SERVICE = [EKG_STUDY.code, EKG_STUDY.words, 'LN'] as const;

function observations(result: EcgResult): Readonly<Record<number, string>>[] {
  const numbers = ECG_NUMBERS.flatMap(({ name, loinc, words, mdc, mdcId, unit, method }) => {
    const value = result.measurements[name];
    if (value === undefined) return [];
    return [
      {
        2: 'NM',
        3: hl7Parts(loinc, words, 'LN', mdc, mdcId, 'MDC'),
        5: String(Math.round(value)),
        6: hl7Parts(unit, unit, 'UCUM'),
        ...(method !== undefined && { 17: hl7Parts(method) }),
      },
    ];
  });
  const texts = remarksOf(result).map((text, i) => ({
    2: 'TX',
    3: hl7Parts('8601-7', 'EKG impression', 'LN'),
    4: String(i + 1),
    5: hl7Text(text),
  }));
  const report = {
    2: 'ED',
    3: hl7Parts(...USUAL_SERVICE),
    5: `${hl7Parts('ISOLINE', 'application', 'pdf', 'Base64')}^${Buffer.from(result.pdf).toString('base64')}`,
  };
  return [...numbers, ...texts, report];
}

/** CX: the number, and who gave it. */
const identifierText = ({ id, issuer, kind }: OrderIdentifier): string => {
  const authority = (issuer ?? '').split('&').map(hl7Text).join('&');
  return [hl7Text(id), '', '', authority, hl7Text(kind ?? '')].join('^').replace(/\^+$/, '');
};

/** All that came with the order, as long as the patient is the one whom it is for. */
function patientNumbers(id: string | undefined, asked: AskedExamination | undefined): string {
  const known = asked?.patientIds ?? [];
  return known.some((each) => each.id === id) ? known.map(identifierText).join('~') : hl7Text(id ?? '');
}

/** As bytes in UTF-8, which its head says. */
export function writeHl7Result(result: EcgResult): Uint8Array {
  const { patient, asked, orderNumber = '', fillerNumber, approval, offsetMinutes } = result;
  const { hl7: status } = READING_STATUS_WORDS[result.status];
  const started = hl7Time(result.startMs, offsetMinutes);
  const service = asked?.service === undefined ? [...USUAL_SERVICE] : asked.service.split('^');
  const head = hl7Head({
    3: hl7Text(result.from.application),
    4: hl7Text(result.from.facility),
    5: hl7Text(result.to.application),
    6: hl7Text(result.to.facility),
    7: hl7Time(result.sentMs, 0),
    9: 'ORU^R01^ORU_R01',
    10: hl7Text(result.controlId),
    // A training message is no result of a patient.
    11: result.isSimulated ? 'T' : 'P',
    12: VERSION,
    18: CHARACTER_SET,
  });
  const pid = hl7Segment('PID', {
    1: '1',
    3: patientNumbers(patient.id, asked),
    5: hl7Parts(patient.lastName, patient.firstName),
    7: (patient.birthDate ?? '').replaceAll('-', ''),
    8: patient.gender === undefined ? '' : GENDERS[patient.gender],
  });
  // Numbers go back with whoever gave them.
  const placer = hl7Parts(orderNumber, asked?.orderIssuer);
  const visit =
    asked?.visit === undefined
      ? []
      : [hl7Segment('PV1', { 1: '1', 2: 'U', 19: identifierText(asked.visit) })];
  const orc = hl7Segment('ORC', { 1: 'RE', 2: placer, 3: hl7Text(fillerNumber) });
  const obr = hl7Segment('OBR', {
    1: '1',
    2: placer,
    3: hl7Text(fillerNumber),
    4: hl7Parts(...service),
    7: started,
    16:
      asked?.referrer === undefined
        ? hl7Text(asked?.referrerId ?? '')
        : hl7Parts(asked.referrerId, ...asked.referrer.split('^')),
    18: hl7Text(asked?.accession ?? ''),
    19: hl7Text(asked?.procedureId ?? ''),
    22: hl7Time(approval.atMs, approval.offsetMinutes),
    25: status,
    31: result.indications.map((text) => hl7Parts('', text)).join('~'),
    32: approval.isByPhysician ? hl7Parts('', approval.by) : '',
  });
  const obx = observations(result).map((fields, i) =>
    hl7Segment('OBX', { ...fields, 1: String(i + 1), 11: status, 14: started }),
  );
  return Buffer.from(hl7Lines([head, pid, ...visit, orc, obr, ...obx]), 'utf8');
}

/** Taken; faulty, and not to be sent again as it is; not taken now. */
export type AckCode = 'AA' | 'AE' | 'AR';

export function writeHl7Ack(
  head: Hl7HeadFacts,
  code: AckCode,
  {
    text = '',
    controlId,
    nowMs,
    own,
  }: {
    readonly text?: string;
    readonly controlId: string;
    readonly nowMs: number;
    readonly own: { readonly application: string; readonly facility: string };
  },
): Uint8Array {
  const msh = hl7Head({
    3: hl7Text(own.application),
    4: hl7Text(own.facility),
    5: hl7Text(head.application),
    6: hl7Text(head.facility),
    7: hl7Time(nowMs, 0),
    9: head.event === '' ? 'ACK' : hl7Parts('ACK', head.event, 'ACK'),
    10: hl7Text(controlId),
    11: hl7Text(head.processing),
    12: hl7Text(head.version),
    18: CHARACTER_SET,
  });
  const msa = hl7Segment('MSA', { 1: code, 2: hl7Text(head.controlId), 3: hl7Text(text) });
  return Buffer.from(hl7Lines([msh, msa]), 'utf8');
}
