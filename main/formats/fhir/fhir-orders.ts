// Orders of a FHIR server (R4): the ServiceRequests of a search with their Patients. What is not active, not an order, or for another
// day is none, whatever the server answers.

import { Type } from 'typebox';
import { zonedTime } from '../../../shared/civil-time.ts';
import { given } from '../../../shared/given.ts';
import type { AskedExamination, OrderFacts } from '../../../shared/order.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import { checkerOf } from '../../../shared/validator.ts';

const MOST_CHARACTERS = 64;
/** The values of R4's request-intent that ask for something to be done. */
const INTENTS: readonly unknown[] = [
  'order',
  'original-order',
  'reflex-order',
  'filler-order',
  'instance-order',
];

const some = Type.Optional(Type.String());
const Concept = Type.Object({
  text: some,
  coding: Type.Optional(Type.Array(Type.Object({ system: some, code: some, display: some }))),
});
const Identifier = Type.Object({
  use: some,
  type: Type.Optional(Concept),
  system: some,
  value: some,
});
const Reference = Type.Object({ reference: some, display: some });

const Request = Type.Object({
  resourceType: Type.Literal('ServiceRequest'),
  id: Type.String({ pattern: '^[A-Za-z0-9.-]{1,64}$' }),
  status: Type.Literal('active'),
  intent: Type.String(),
  doNotPerform: Type.Optional(Type.Boolean()),
  identifier: Type.Optional(Type.Array(Identifier)),
  requisition: Type.Optional(Identifier),
  code: Type.Optional(Concept),
  subject: Reference,
  occurrenceDateTime: some,
  occurrencePeriod: Type.Optional(Type.Object({ start: some })),
  requester: Type.Optional(Reference),
  reasonCode: Type.Optional(Type.Array(Concept)),
});
type Request = Type.Static<typeof Request>;

const Patient = Type.Object({
  resourceType: Type.Literal('Patient'),
  id: Type.String({ pattern: '^[A-Za-z0-9.-]{1,64}$' }),
  identifier: Type.Optional(Type.Array(Identifier)),
  name: Type.Optional(
    Type.Array(
      Type.Object({
        use: some,
        family: some,
        given: Type.Optional(Type.Array(Type.String())),
        prefix: Type.Optional(Type.Array(Type.String())),
        suffix: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  ),
  birthDate: some,
  gender: some,
});
type Patient = Type.Static<typeof Patient>;

const Bundle = Type.Object({
  resourceType: Type.Literal('Bundle'),
  link: Type.Optional(Type.Array(Type.Object({ relation: some, url: some }))),
  entry: Type.Optional(
    Type.Array(
      Type.Object({
        fullUrl: some,
        resource: Type.Optional(Type.Object({ resourceType: some, status: some })),
      }),
    ),
  ),
});

const isBundle = checkerOf(Bundle);
const isRequest = checkerOf(Request);
const isPatient = checkerOf(Patient);

export interface OrderSource {
  /** The base of the server, without a slash at its end. */
  readonly url: string;
  /** Whose numbers the patients' are, as a URI; empty where nobody says. */
  readonly patientSystem: string;
  /** YYYY-MM-DD, here. */
  readonly today: string;
}

export interface FhirOrders {
  readonly orders: readonly OrderFacts[];
  /** Requests that cannot be read, or whose patient is not known. */
  readonly unread: number;
  /** Where the search goes on. */
  readonly next: string | undefined;
}

const said = (text: string | undefined): string | undefined =>
  text?.trim().slice(0, MOST_CHARACTERS) || undefined;

/** One that was cut could be another's: it is left out. */
const numberOf = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' || text.length > MOST_CHARACTERS ? undefined : text.trim();

const hasType = ({ type }: Type.Static<typeof Identifier>, code: string): boolean =>
  type?.coding?.some((coding) => coding.code === code) === true;

/** Takes none of several numbers, unless one says that it is the one of the record. */
function patientNumber({ identifier = [] }: Patient, system: string): string | undefined {
  const valid = identifier.filter(({ use, value }) => use !== 'old' && value !== undefined);
  const wanted = system === '' ? valid : valid.filter((each) => each.system === system);
  const [chosen, ...others] = wanted.length > 1 ? wanted.filter((each) => hasType(each, 'MR')) : wanted;
  return others.length > 0 ? undefined : numberOf(chosen?.value);
}

function nameOf({ name = [] }: Patient): NonNullable<Patient['name']>[number] | undefined {
  const valid = name.filter(({ use, family }) => use !== 'old' && use !== 'maiden' && family !== undefined);
  return valid.find(({ use }) => use === 'official') ?? valid.find(({ use }) => use === 'usual') ?? valid[0];
}

const GENDERS: Readonly<Record<string, PatientFacts['gender']>> = {
  female: 'FEMALE',
  male: 'MALE',
  other: 'UNDIFFERENTIATED',
};

function patientOf(patient: Patient, system: string): PatientFacts {
  const name = nameOf(patient);
  return given({
    id: patientNumber(patient, system),
    lastName: said(name?.family),
    firstName: said(name?.given?.[0]),
    // A year alone, or a month, is no date of birth.
    birthDate: /^\d{4}-\d\d-\d\d$/.test(patient.birthDate ?? '') ? patient.birthDate : undefined,
    gender: GENDERS[patient.gender ?? ''],
  });
}

/** As DICOM has it: family, given, middle, prefix, suffix. */
function wholeNameOf(patient: Patient): string | undefined {
  const { family = '', given: names = [], prefix = [], suffix = [] } = nameOf(patient) ?? {};
  const [first = '', ...middle] = names;
  const parts = [family, first, middle.join(' '), prefix.join(' '), suffix.join(' ')];
  return numberOf(
    parts
      .map((part) => part.replace(/[\^\\=]/g, ' '))
      .join('^')
      .replace(/\^+$/, ''),
  );
}

const wordsOf = (concept: Type.Static<typeof Concept> | undefined): string | undefined =>
  said(concept?.text) ?? said(concept?.coding?.find(({ display }) => display !== undefined)?.display);

/** Code, text and system of what was asked for. */
function serviceOf({ code }: Request): string | undefined {
  const coding = code?.coding?.find((each) => each.code !== undefined);
  if (coding === undefined) return undefined;
  return numberOf([coding.code, coding.display ?? code?.text ?? '', coding.system ?? ''].join('^'));
}

const WHOLE_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** When it is to be done, by the clock here; the day may be a month or a year alone. */
function startOf({ occurrenceDateTime, occurrencePeriod }: Request): { day: string; time?: string } {
  const start = occurrenceDateTime ?? occurrencePeriod?.start ?? '';
  const ms = start.includes('T') ? Date.parse(start) : Number.NaN;
  if (Number.isNaN(ms)) return { day: start };
  const { isoDay, clock } = zonedTime(ms);
  return { day: isoDay, time: clock.slice(0, 5) };
}

function orderOf(request: Request, patient: Patient, { url, patientSystem }: OrderSource): OrderFacts {
  const numbers = request.identifier ?? [];
  const placed =
    numbers.find((each) => hasType(each, 'PLAC')) ??
    numbers.find((each) => !hasType(each, 'ACSN') && !hasType(each, 'FILL'));
  const accession = [...numbers, ...(request.requisition === undefined ? [] : [request.requisition])].find(
    (each) => hasType(each, 'ACSN'),
  );
  const { day, time } = startOf(request);
  const asked: AskedExamination = given({
    accession: numberOf(accession?.value),
    referrer: said(request.requester?.display),
    wholeName: wholeNameOf(patient),
    service: serviceOf(request),
    requestUrl: `${url}/ServiceRequest/${request.id}`,
    patientUrl: `${url}/Patient/${patient.id}`,
  });
  return {
    format: 'fhir',
    patient: patientOf(patient, patientSystem),
    ...given({
      orderNumber: numberOf(placed?.value),
      examination: wordsOf(request.code),
      // A month or a year alone is no day.
      day: WHOLE_DAY.test(day) ? day : undefined,
      time,
    }),
    indications: (request.reasonCode ?? []).map(wordsOf).filter((each) => each !== undefined),
    asked,
    warnings: [],
  };
}

/** Somebody wants it done, and not on a day to come. */
const isWanted = (request: Request, today: string): boolean =>
  INTENTS.includes(request.intent) && request.doNotPerform !== true && startOf(request).day <= today;

/** Patients by what a request may call them. Where two bear one name and are not the same, it names nobody. */
function patientsOf(entries: readonly { readonly fullUrl?: string; readonly resource?: unknown }[]) {
  const patients = new Map<string, Patient | undefined>();
  for (const { fullUrl, resource } of entries) {
    if (!isPatient(resource)) continue;
    for (const name of [`Patient/${resource.id}`, fullUrl ?? '']) {
      const isOther = patients.has(name) && JSON.stringify(patients.get(name)) !== JSON.stringify(resource);
      patients.set(name, isOther ? undefined : resource);
    }
  }
  patients.delete('');
  return patients;
}

/**
 * A reference to this server becomes `Patient/17`; one to another server, or by the name that another entry gives
 * itself, stays as it is.
 */
const referenceOf = (reference: string, url: string): string =>
  (reference.startsWith(`${url}/`) ? reference.slice(url.length + 1) : reference).replace(
    /^(Patient\/[^/]+)\/_history\/[^/]+$/,
    '$1',
  );

/**
 * One page of a search.
 * @returns undefined where it is no answer to a search
 */
export function readFhirOrders(body: unknown, source: OrderSource): FhirOrders | undefined {
  if (!isBundle(body)) return undefined;
  const resources: unknown[] = (body.entry ?? []).map(({ resource }) => resource);
  const patients = patientsOf(body.entry ?? []);
  const orders: OrderFacts[] = [];
  let unread = 0;
  for (const resource of resources as { readonly resourceType?: string; readonly status?: string }[]) {
    if (resource?.resourceType !== 'ServiceRequest' || resource.status !== 'active') continue;
    const request = isRequest(resource) ? resource : undefined;
    if (request !== undefined && !isWanted(request, source.today)) continue;
    const patient = patients.get(referenceOf(request?.subject.reference ?? '', source.url));
    const order = request && patient && orderOf(request, patient, source);
    if (order === undefined || (order.patient.id ?? order.patient.lastName) === undefined) unread++;
    else orders.push(order);
  }
  return { orders, unread, next: body.link?.find(({ relation }) => relation === 'next')?.url };
}
