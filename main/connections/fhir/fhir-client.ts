// The client of a FHIR server: one transaction a reading. Before it, the server is asked whom it knows by the patient's number: a
// number that is somebody else's there is no place for this result.

import type { TestOutcome } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';
import { type Call, isOfDelivery, type Outcome } from '../../clinic/outbox/call.ts';
import { ConnectionError, SentError } from '../../hospital/connection.ts';
import {
  type FhirAddress,
  type FhirAnswer,
  FhirConnection,
  FhirDenied,
} from '../../hospital/fhir/fhir-connection.ts';
import { readRetryAfter } from '../central/read-answer.ts';
import type { PackedParcel, Recipient } from '../sender-loop.ts';

const MOST_WORDS = 500;

/** A reading as a transaction, made ready. */
export interface FhirParcel extends PackedParcel {
  readonly bundle: Uint8Array;
  /** How the receipt is named: the recording and its revision. */
  readonly name: string;
  readonly patient: {
    /** The query of a search. */
    readonly query: string;
    /** The server itself has named him, with an order. */
    readonly isOrdered: boolean;
    /** His number, and whose numbers these are; empty where nobody says. */
    readonly id: string | undefined;
    readonly system: string;
    readonly lastName: string | undefined;
    /** YYYY-MM-DD. */
    readonly birthDate: string | undefined;
  };
}

type Refusal = Extract<Outcome, { kind: 'refused' }>;

interface FoundPatient {
  readonly resourceType?: unknown;
  readonly birthDate?: unknown;
  readonly identifier?: readonly { readonly system?: unknown; readonly value?: unknown }[];
  readonly name?: readonly { readonly family?: unknown }[];
}

/** What an OperationOutcome says, for people (R4, 2.28). */
function wordsOf(body: unknown): string {
  const { issue } = (body ?? {}) as {
    readonly issue?: readonly {
      readonly diagnostics?: unknown;
      readonly details?: { readonly text?: unknown };
    }[];
  };
  const texts = (Array.isArray(issue) ? issue : []).map(
    ({ details, diagnostics }) => details?.text ?? diagnostics,
  );
  return texts
    .filter((text) => typeof text === 'string')
    .join(' ')
    .slice(0, MOST_WORDS);
}

function outcomeOf({ status, retryAfter, body }: FhirAnswer, name: string): Outcome {
  if (status >= 200 && status < 300) {
    // A page of somebody else, such as the sign-in of a network, takes nothing.
    const { resourceType } = (body ?? {}) as { readonly resourceType?: unknown };
    if (resourceType !== 'Bundle') return { kind: 'unknown', isServer: true };
    return { kind: 'done', object: { classUid: 'transaction', instanceUid: name } };
  }
  if (status >= 300 && status < 400) return { kind: 'moved' };
  if (status === 429 || status === 503)
    return { kind: 'limited', waitMs: readRetryAfter({ 'retry-after': retryAfter }, Date.now()) };
  if (status === 408 || status >= 500) return { kind: 'unknown', isServer: true };
  return { kind: 'refused', message: wordsOf(body) || `HTTP ${status}` };
}

/**
 * The part of a name that stays the same however a system writes it: without capitals and accents, and with `ue` for
 * `ü`.
 */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLocaleLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replace(/([aou])e/g, '$1')
    .replace(/[^\p{L}]/gu, '');

/** Patients of a search; undefined where it is no answer to one. */
function foundIn(body: unknown): readonly FoundPatient[] | undefined {
  const { resourceType, entry = [] } = (body ?? {}) as {
    readonly resourceType?: unknown;
    readonly entry?: readonly { readonly resource?: FoundPatient }[];
  };
  if (resourceType !== 'Bundle') return undefined;
  // Remarks of the server come as entries, too.
  return entry.flatMap(({ resource }) => (resource?.resourceType === 'Patient' ? [resource] : []));
}

/** Why a reading is not of whom the server knows; undefined where nothing speaks against it. */
function contradiction(
  found: readonly FoundPatient[],
  { isOrdered, id, system, lastName, birthDate }: FhirParcel['patient'],
): Pick<Refusal, 'cause' | 'message'> | undefined {
  if (found.length > 1) return { cause: 'severalPatients', message: '' };
  const [known] = found;
  // Whom an order named has to be there; anybody else is made.
  if (known === undefined)
    return isOrdered ? { message: 'The patient that the order named is not there any more.' } : undefined;
  const numbers = (known.identifier ?? []).filter((each) => each.system === system);
  const isOtherNumber =
    id !== undefined && system !== '' && numbers.length > 0 && !numbers.some(({ value }) => value === id);
  if (isOtherNumber) return { message: 'The patient that the order named has another number there.' };
  const isOtherDay =
    birthDate !== undefined && typeof known.birthDate === 'string' && !birthDate.startsWith(known.birthDate);
  const families = (known.name ?? []).flatMap(({ family }) =>
    typeof family === 'string' ? [plain(family)] : [],
  );
  const isOtherName = lastName !== undefined && families.length > 0 && !families.includes(plain(lastName));
  return isOtherDay || isOtherName ? { cause: 'otherPatient', message: '' } : undefined;
}

export class FhirClient implements Recipient<FhirParcel>, AsyncDisposable {
  readonly #connection: FhirConnection;
  /** What hindered the last call; undefined after one that was answered. */
  trouble: ConnectionTrouble | undefined;

  constructor(address: FhirAddress) {
    this.#connection = new FhirConnection(address);
  }

  async perform(
    call: Exclude<Call, { kind: 'report' }>,
    parcel: FhirParcel | undefined,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    if (!isOfDelivery(call)) throw new TypeError('a FHIR server is not asked that');
    // Its answer to the transaction is all that it says.
    if (call.kind === 'confirm') return { kind: 'done', isProcessed: true };
    if (parcel === undefined) throw new TypeError('a transaction is sent');
    try {
      const outcome = await this.#send(parcel, signal);
      this.trouble =
        outcome.kind === 'unknown' ? 'server' : outcome.kind === 'limited' ? 'limited' : undefined;
      return outcome;
    } catch (error) {
      if (error instanceof FhirDenied) return { kind: 'tokenRefused' };
      if (!(error instanceof ConnectionError)) throw error;
      this.trouble = error.fault;
      return error instanceof SentError ? { kind: 'unknown', isServer: false } : { kind: 'notDone' };
    }
  }

  async #send({ bundle, name, patient }: FhirParcel, signal: AbortSignal | undefined): Promise<Outcome> {
    const known = await this.#connection
      .ask('GET', `Patient?${patient.query}&_count=2`, { signal })
      .catch((error: unknown) => {
        // Nothing of the reading was sent.
        throw error instanceof SentError ? new ConnectionError(error.fault, error) : error;
      });
    if (known.status !== 200) {
      const outcome = outcomeOf(known, name);
      // Whatever it says to a question, nothing was taken.
      return outcome.kind === 'done' ? { kind: 'unknown', isServer: true } : outcome;
    }
    const found = foundIn(known.body);
    if (found === undefined) return { kind: 'unknown', isServer: true };
    const refusal = contradiction(found, patient);
    if (refusal !== undefined) return { kind: 'refused', ...refusal };
    return outcomeOf(await this.#connection.ask('POST', '', { body: bundle, signal }), name);
  }

  fetchReport(): Promise<never> {
    throw new TypeError('a FHIR server has no reports for us');
  }

  /** Whether a FHIR server of version 4 is there, and lets us in. */
  async test(signal?: AbortSignal): Promise<TestOutcome> {
    const startMs = performance.now();
    const failed = (trouble: ConnectionTrouble): TestOutcome => {
      this.trouble = trouble;
      return { isReached: false, tookMs: 0, trouble };
    };
    try {
      const { status, body } = await this.#connection.ask('GET', 'metadata', { signal });
      const { resourceType, fhirVersion } = (body ?? {}) as Readonly<Record<string, unknown>>;
      const isFour =
        resourceType === 'CapabilityStatement' &&
        typeof fhirVersion === 'string' &&
        fhirVersion.startsWith('4.');
      if (status >= 500) return failed('server');
      if (status !== 200 || !isFour) return failed('odd');
      // What it is for everybody says nothing of what we may.
      const { status: mayRead } = await this.#connection.ask('GET', 'Patient?_count=1', { signal });
      if (mayRead >= 500) return failed('server');
      this.trouble = undefined;
      return { isReached: true, tookMs: performance.now() - startMs };
    } catch (error) {
      if (error instanceof FhirDenied) return failed('serviceRefused');
      if (error instanceof ConnectionError) return failed(error.fault);
      throw error;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection[Symbol.asyncDispose]();
  }
}
