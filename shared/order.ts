// Orders: examinations that a practice system asks for by a file in the watched folder, or a hospital in its worklist
// (screens, S1; E9, E10).

import { type Static, Type } from 'typebox';
import { PatientSchema, WarningSchema } from './analysis-result.ts';
import { CHARACTER_SET_CHOICES } from './character-set.ts';
import { DATE_ORDERS } from './entry/typed-date.ts';

const closed = { additionalProperties: false } as const;

/** Larger files in the watched folder are not read. */
export const MOST_ORDER_BYTES = 1 << 20;

/** A number with whoever gave it: alone, it may be somebody else's. */
export const OrderIdentifier = Type.Object(
  {
    id: Type.String({ maxLength: 64 }),
    /** As the hospital writes it: a name, or name, universal id and its type with `&` between. */
    issuer: Type.Optional(Type.String({ maxLength: 200 })),
    /** HL7 table 0203, such as MR. */
    kind: Type.Optional(Type.String({ maxLength: 20 })),
  },
  closed,
);
export type OrderIdentifier = Static<typeof OrderIdentifier>;

/** By which the hospital finds an examination again; it stands in everything that is sent there of it. */
export const AskedExamination = Type.Object(
  {
    accession: Type.Optional(Type.String({ maxLength: 64 })),
    /** Under which an archive files it. */
    studyUid: Type.Optional(Type.String({ maxLength: 64, pattern: '^[0-9.]+$' })),
    procedureId: Type.Optional(Type.String({ maxLength: 64 })),
    stepId: Type.Optional(Type.String({ maxLength: 64 })),
    stepWords: Type.Optional(Type.String({ maxLength: 64 })),
    referrer: Type.Optional(Type.String({ maxLength: 64 })),
    referrerId: Type.Optional(Type.String({ maxLength: 64 })),
    /** Who gave the number of the order (ORC-2.2). */
    orderIssuer: Type.Optional(Type.String({ maxLength: 64 })),
    /** All numbers of the patient. */
    patientIds: Type.Optional(Type.Array(OrderIdentifier, { maxItems: 20 })),
    visit: Type.Optional(OrderIdentifier),
    /** The patient's name with all its parts: family, given, middle, prefix, suffix. */
    wholeName: Type.Optional(Type.String({ maxLength: 64 })),
    /** What was asked for, as the hospital codes it: code, text, system. */
    service: Type.Optional(Type.String({ maxLength: 200 })),
    /** At a FHIR server: the address of the ServiceRequest, and of the Patient whom it is for. */
    requestUrl: Type.Optional(Type.String({ maxLength: 2048 })),
    patientUrl: Type.Optional(Type.String({ maxLength: 2048 })),
  },
  closed,
);
export type AskedExamination = Static<typeof AskedExamination>;

/** Where an order came from. */
export const ORDER_FORMATS = ['gdt', 'csv', 'dicom', 'hl7', 'fhir'] as const;

/** What the file says of one examination. */
export const OrderFacts = Type.Object(
  {
    format: Type.Enum([...ORDER_FORMATS]),
    patient: PatientSchema,
    /** By which the practice system finds its order again. */
    orderNumber: Type.Optional(Type.String()),
    examination: Type.Optional(Type.String()),
    /** The day that it is planned for, where it says one: it may be another than that on which it came. */
    day: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
    /** Time of the day as it stands there. */
    time: Type.Optional(Type.String()),
    indications: Type.Array(Type.String()),
    asked: Type.Optional(AskedExamination),
    /** The practice system, whom the result is for. */
    sender: Type.Optional(Type.String()),
    /** The part of the hospital that it speaks for (MSH-4). */
    facility: Type.Optional(Type.String()),
    /** What is odd; orders that older versions read hold it in English alone. */
    warnings: Type.Array(Type.Union([WarningSchema, Type.String()])),
  },
  closed,
);
export type OrderFacts = Static<typeof OrderFacts>;

/** `started` while its recording runs, `done` when one is stored. */
export const ORDER_STATES = ['new', 'started', 'done'] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/**
 * Orders cannot be read, results not be written, the worklist or a FHIR server does not answer, some of its orders cannot be
 * taken, or the port for HL7 is taken; all are tried again.
 */
export const ORDER_TROUBLES = ['unreadable', 'unwritable', 'worklist', 'hl7', 'fhir', 'fhirPart'] as const;
export type OrderTrouble = (typeof ORDER_TROUBLES)[number];

/** How the files of a folder are to be read. */
export const OrderReading = Type.Object(
  {
    folder: Type.String({ maxLength: 1024 }),
    characterSet: Type.Enum([...CHARACTER_SET_CHOICES]),
    dateOrder: Type.Enum([...DATE_ORDERS]),
  },
  closed,
);
export type OrderReading = Static<typeof OrderReading>;

/** What a folder holds, read in a given way, before anything is done with it (E67). */
export const OrderFolderLook = Type.Object(
  {
    /** Files that may be orders. */
    files: Type.Integer(),
    /** The newest one, as it would be read. */
    newest: Type.Optional(
      Type.Object(
        {
          name: Type.String(),
          characterSet: Type.String(),
          orders: Type.Array(OrderFacts),
          trouble: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type OrderFolderLook = Static<typeof OrderFolderLook>;

/** An order that a hospital does not want any more, as its message names it. */
export interface EndedOrder extends Pick<OrderFacts, 'sender' | 'facility'> {
  readonly number: string;
  /** Who gave the number (ORC-2.2). */
  readonly issuer?: string;
  /** Whom the message is about; nothing in it where it does not say. */
  readonly patient: OrderFacts['patient'];
  /** All numbers that it gives the patient. */
  readonly patientIds?: readonly string[];
}

/**
 * Whether the order is the one that is named: a number is one's own only together with whoever gave it, or, where nobody
 * is named, with the system that sent it.
 */
export function isSameOrder(
  { orderNumber, asked, sender, facility }: OrderFacts,
  named: Pick<EndedOrder, 'number' | 'issuer' | 'sender' | 'facility'>,
): boolean {
  if (orderNumber !== named.number) return false;
  const issuer = asked?.orderIssuer;
  if (issuer !== undefined && named.issuer !== undefined) return issuer === named.issuer;
  // Orders that older versions read hold no facility.
  return sender === named.sender && (facility === undefined || facility === named.facility);
}
