// The reading of an ECG as FHIR R4 (4.0.1): a transaction that says the same however often it is sent. Each resource is found by an
// identifier of ours and replaced; the patient is made only where there is none with this number, and never changed.

import { createHash } from 'node:crypto';
import { isLeadCode, STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import { READING_STATUS_WORDS } from '../../ground/reading-status.ts';
import { ECG_NUMBERS, type EcgNumber, type EcgReading, EKG_STUDY, remarksOf } from '../ecg-reading.ts';

/** Leads, as a review shows them. */
export interface FhirSignal {
  readonly sampleRateHz: number;
  readonly leads: readonly {
    /** MDC code, or the file's label. */
    readonly name: string;
    readonly isCalibrated: boolean;
    /** Connected as the code says: a modified lead has the code of the one that it resembles. */
    readonly isStandard: boolean;
    /** Float32, little endian: millivolts, NaN where the sample is missing. */
    readonly mv: Uint8Array;
  }[];
}

export interface FhirResult extends EcgReading {
  /** The base of the server that it is for, without a slash at its end. */
  readonly serverUrl: string;
  /** Whose numbers the patients' are, as a URI; empty where nobody says. */
  readonly patientSystem: string;
  /** The beginning of the recording. */
  readonly signal: FhirSignal;
}

type Json = Readonly<Record<string, unknown>>;

const OWN_SYSTEM = 'urn:isoline:ecg';
const LOINC = 'http://loinc.org';
const MDC = 'urn:iso:std:iso:11073:10101';
const UCUM = 'http://unitsofmeasure.org';
const TERMINOLOGY = 'http://terminology.hl7.org/CodeSystem';
const GENDERS = { FEMALE: 'female', MALE: 'male', UNDIFFERENTIATED: 'other' } as const;
/** IEEE 11073-10102: potential of an electrode, and by which lead (annex A). */
const POTENTIAL = 131_328;
const LEAD_NUMBERS: readonly number[] = [1, 2, 61, 62, 63, 64, 3, 4, 5, 6, 7, 8];
const UV_PER_MV = 1000;

/** A UUID of a name, always the same; in the form of version 5 (RFC 9562, 5.5), by another hash. */
function uuidOf(name: string): string {
  const bytes = createHash('sha256').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0');

/** A time without a zone is no time in FHIR (2.24.0.1): then the day alone is said. */
function dateTime(ms: number, offsetMinutes: number | undefined): string {
  const shifted = new Date(ms + 60_000 * (offsetMinutes ?? 0)).toISOString();
  if (offsetMinutes === undefined) return shifted.slice(0, 10);
  const zone = `${offsetMinutes < 0 ? '-' : '+'}${two(offsetMinutes / 60)}:${two(offsetMinutes % 60)}`;
  return `${shifted.slice(0, 19)}${zone}`;
}

const codingOf = (system: string, code: string, display: string): Json => ({ system, code, display });
const TEST_DATA = codingOf(`${TERMINOLOGY}/v3-ActReason`, 'HTEST', 'test health data');
const PROCEDURE: Json = {
  coding: [codingOf(`${TERMINOLOGY}/observation-category`, 'procedure', 'Procedure')],
};
const STUDY: Json = { coding: [codingOf(LOINC, EKG_STUDY.code, EKG_STUDY.words)], text: EKG_STUDY.words };

/** By what the server is asked whether it has something. */
function identifierQuery(system: string, value: string): string {
  // A comma would ask for several, a bar end the system (R4, 3.1.1.4.0.1).
  const [escapedSystem, escapedValue] = [system, value].map((text) => text.replace(/[\\$,|]/g, '\\$&'));
  return `identifier=${encodeURIComponent(system === '' ? `${escapedValue}` : `${escapedSystem}|${escapedValue}`)}`;
}

type Named = Pick<FhirResult, 'serverUrl' | 'patientSystem' | 'patient' | 'fillerNumber' | 'asked'>;

/** What an order of the same server named, as it is named there: `Patient/17`. */
function ownReference(
  { serverUrl }: Pick<FhirResult, 'serverUrl'>,
  url: string | undefined,
): string | undefined {
  return url?.startsWith(`${serverUrl}/`) === true ? url.slice(serverUrl.length + 1) : undefined;
}

/** Whom it is for was named by the server that the result goes to. */
export const isOrderedHere = (result: Pick<FhirResult, 'serverUrl' | 'asked'>): boolean =>
  ownReference(result, result.asked?.patientUrl) !== undefined;

/** Whoever has no number is known by the recording. */
export function patientQuery(named: Named): string {
  const { asked, patient, patientSystem, fillerNumber } = named;
  const ordered = ownReference(named, asked?.patientUrl);
  if (ordered !== undefined) return `_id=${encodeURIComponent(ordered.replace('Patient/', ''))}`;
  return patient.id === undefined
    ? identifierQuery(OWN_SYSTEM, `${fillerNumber}.patient`)
    : identifierQuery(patientSystem, patient.id);
}

function patientOf({ patientSystem, patient, fillerNumber }: FhirResult): Json {
  const { id, lastName, firstName, birthDate, gender } = patient;
  const identifier =
    id === undefined
      ? { system: OWN_SYSTEM, value: `${fillerNumber}.patient` }
      : { ...(patientSystem !== '' && { system: patientSystem }), value: id };
  return {
    resourceType: 'Patient',
    identifier: [identifier],
    ...((lastName ?? firstName) !== undefined && {
      name: [
        {
          ...(lastName !== undefined && { family: lastName }),
          ...(firstName !== undefined && { given: [firstName] }),
        },
      ],
    }),
    ...(birthDate !== undefined && { birthDate }),
    ...(gender !== undefined && { gender: GENDERS[gender] }),
  };
}

/** Samples in microvolts; `E` where one is missing (2.24.0.11). */
function sampledData({ sampleRateHz }: FhirSignal, mv: Uint8Array): Json {
  const view = new DataView(mv.buffer, mv.byteOffset, mv.byteLength);
  const texts: string[] = [];
  for (let at = 0; at < mv.byteLength; at += 4) {
    const value = view.getFloat32(at, true);
    texts.push(Number.isNaN(value) ? 'E' : String(Math.round(value * UV_PER_MV)));
  }
  return {
    origin: { value: 0, unit: 'mV', system: UCUM, code: 'mV' },
    period: 1000 / sampleRateHz,
    factor: 1 / UV_PER_MV,
    dimensions: 1,
    data: texts.join(' '),
  };
}

/** The signal of the leads that are what they are called, in millivolts; undefined where there is none. */
function signalComponents(signal: FhirSignal): readonly Json[] | undefined {
  const components = signal.leads.flatMap(({ name, isCalibrated, isStandard, mv }) => {
    const place = isLeadCode(name) ? STANDARD_LEADS.indexOf(name) : -1;
    if (!isCalibrated || !isStandard || place < 0 || mv.byteLength === 0) return [];
    const code = POTENTIAL + (LEAD_NUMBERS[place] as number);
    const id = name.replace('MDC_ECG_LEAD', 'MDC_ECG_ELEC_POTL');
    return [
      { code: { coding: [codingOf(MDC, String(code), id)] }, valueSampledData: sampledData(signal, mv) },
    ];
  });
  return components.length === 0 ? undefined : components;
}

/** Builds the entries of one transaction, which name each other. */
class Entries {
  readonly #result: FhirResult;
  readonly #status: string;
  readonly list: Json[] = [];

  constructor(result: FhirResult) {
    this.#result = result;
    this.#status = READING_STATUS_WORDS[result.status].fhir;
  }

  #identifier(part: string): { readonly system: string; readonly value: string } {
    return { system: OWN_SYSTEM, value: `${this.#result.fillerNumber}.${part}` };
  }

  #add(part: string, { resourceType, ...fields }: Json, request: Json): Json {
    const fullUrl = `urn:uuid:${uuidOf(`${this.#result.fillerNumber}.${part}`)}`;
    // No system makes a patient, or a patient's result, of what is simulated.
    const meta = this.#result.isSimulated ? { meta: { security: [TEST_DATA] } } : {};
    this.list.push({ fullUrl, resource: { resourceType, ...meta, ...fields }, request });
    return { reference: fullUrl };
  }

  /** In place of what an earlier reading left under the same name. */
  #put(part: string, resource: Json, otherIdentifiers: readonly Json[] = []): Json {
    const identifier = this.#identifier(part);
    const url = `${resource.resourceType}?${identifierQuery(identifier.system, identifier.value)}`;
    return this.#add(
      part,
      { ...resource, identifier: [identifier, ...otherIdentifiers] },
      { method: 'PUT', url },
    );
  }

  /** Whom the server itself has named is not looked for by a number. */
  patient(): Json {
    const ordered = ownReference(this.#result, this.#result.asked?.patientUrl);
    if (ordered !== undefined) return { reference: ordered };
    const request = { method: 'POST', url: 'Patient', ifNoneExist: patientQuery(this.#result) };
    return this.#add('patient', patientOf(this.#result), request);
  }

  #started(): Json {
    return { effectiveDateTime: dateTime(this.#result.startMs, this.#result.offsetMinutes) };
  }

  /** A number that an earlier reading had and this one does not have was wrong, and must not stay there as it was. */
  number({ name, loinc, words, mdc, mdcId, unit, method }: EcgNumber, subject: Json): Json | undefined {
    const value = this.#result.measurements[name];
    if (value === undefined && !this.#result.isCorrected) return undefined;
    const said = this.#put(name, {
      resourceType: 'Observation',
      status: value === undefined ? 'entered-in-error' : this.#status,
      category: [PROCEDURE],
      code: { coding: [codingOf(LOINC, loinc, words), codingOf(MDC, mdc, mdcId)], text: words },
      subject,
      ...this.#started(),
      ...(value !== undefined && {
        valueQuantity: { value: Math.round(value), unit, system: UCUM, code: unit },
      }),
      ...(method !== undefined && { method: { text: method } }),
    });
    return value === undefined ? undefined : said;
  }

  signal(subject: Json): Json | undefined {
    const component = signalComponents(this.#result.signal);
    if (component === undefined) return undefined;
    return this.#put('signal', {
      resourceType: 'Observation',
      status: this.#status,
      category: [PROCEDURE],
      code: { coding: [codingOf(MDC, String(POTENTIAL), 'MDC_ECG_ELEC_POTL')] },
      subject,
      ...this.#started(),
      component,
    });
  }

  #attachment(): Json {
    const { pdf, approval } = this.#result;
    return {
      contentType: 'application/pdf',
      data: Buffer.from(pdf).toString('base64'),
      title: EKG_STUDY.words,
      creation: dateTime(approval.atMs, approval.offsetMinutes),
    };
  }

  document(subject: Json): void {
    const { approval } = this.#result;
    this.#put('document', {
      resourceType: 'DocumentReference',
      status: 'current',
      docStatus: READING_STATUS_WORDS[this.#result.status].fhirDocument,
      type: STUDY,
      subject,
      date: dateTime(approval.atMs, approval.offsetMinutes),
      content: [{ attachment: this.#attachment() }],
    });
  }

  /** The order, as its server knows it. */
  #basedOn(): Json {
    const { asked, orderNumber } = this.#result;
    const reference = ownReference(this.#result, asked?.requestUrl);
    if (reference === undefined && orderNumber === undefined) return {};
    const identifier = orderNumber === undefined ? {} : { identifier: { value: orderNumber } };
    return {
      basedOn: [{ ...(reference !== undefined && { reference }), type: 'ServiceRequest', ...identifier }],
    };
  }

  report(subject: Json, result: readonly Json[]): void {
    const { approval, asked } = this.#result;
    const accession = asked?.accession;
    const type = { coding: [codingOf(`${TERMINOLOGY}/v2-0203`, 'ACSN', 'Accession ID')] };
    const others = accession === undefined ? [] : [{ type, value: accession }];
    const conclusion = remarksOf(this.#result).join('\n');
    this.#put(
      'report',
      {
        resourceType: 'DiagnosticReport',
        ...this.#basedOn(),
        status: this.#status,
        category: [{ coding: [codingOf(`${TERMINOLOGY}/v2-0074`, 'EC', 'Electrocardiac')] }],
        code: STUDY,
        subject,
        ...this.#started(),
        issued: dateTime(approval.atMs, approval.offsetMinutes),
        ...(approval.isByPhysician &&
          approval.by !== '' && { resultsInterpreter: [{ display: approval.by }] }),
        ...(result.length > 0 && { result }),
        ...(conclusion !== '' && { conclusion }),
        presentedForm: [this.#attachment()],
      },
      others,
    );
  }
}

/** @returns a Bundle, as bytes of JSON */
export function writeFhirResult(result: FhirResult): Uint8Array {
  const entries = new Entries(result);
  const subject = entries.patient();
  const numbers = ECG_NUMBERS.map((number) => entries.number(number, subject));
  const observed = [...numbers, entries.signal(subject)].filter((each) => each !== undefined);
  entries.document(subject);
  entries.report(subject, observed);
  return Buffer.from(
    JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry: entries.list }),
    'utf8',
  );
}
