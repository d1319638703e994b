// Requests to a FHIR server (R4, 3.1.0): JSON over HTTPS, with a token that OAuth gives to clients where it is asked for
// (RFC 6749, 4.4). It follows no redirect and repeats nothing but what was refused for an old token.

import type { Agent } from 'undici';
import { ConnectionError, connectFaultOf, SentError } from '../connection.ts';
import { trustedCertificates } from '../trusted-certificates.ts';

const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;
const MOST_ANSWER_BYTES = 4 << 20;
/** A token is not used in its last seconds. */
const SPARE_MS = 30_000;
const USUAL_LIFE_S = 300;
const FHIR_JSON = 'application/fhir+json';
/** Nothing was sent yet. */
const NOT_SENT: readonly string[] = [
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

export interface FhirAddress {
  /** Its base, such as `https://fhir.example.org/r4`: no slash at its end. */
  readonly url: string;
  /** Trusted beside those of the system, PEM. */
  readonly certificates?: readonly string[];
  readonly client?: { readonly id: string; readonly secret: string; readonly tokenUrl: string };
}

export interface FhirAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Undefined where it is no JSON. */
  readonly body: unknown;
}

export interface FhirQuestion {
  readonly body?: Uint8Array | undefined;
  /** A search refuses what the server does not know, instead of passing it over (R4, 3.1.1.3). */
  readonly isStrict?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** We are not let in: by the server, or by whoever gives its tokens. */
export class FhirDenied extends Error {
  constructor() {
    super('the FHIR server denies access');
  }
}

interface RawRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): Error {
  const { code = '', name = '' } = error as { code?: string; name?: string };
  const fault = connectFaultOf(code);
  if (NOT_SENT.includes(code) || fault !== 'offline') return new ConnectionError(fault, error);
  const isSilent = code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT';
  return new SentError(isSilent || name === 'AbortError' ? 'silent' : 'broken', error);
}

export class FhirConnection implements AsyncDisposable {
  readonly #address: FhirAddress;
  #agent: Agent | undefined;
  #isEnded = false;
  #token: { readonly text: string; readonly untilMs: number } | undefined;

  constructor(address: FhirAddress) {
    this.#address = address;
  }

  /** Loaded by the first request: it takes 50 ms, and many workstations have no such server. @throws ConnectionError */
  async #connected(): Promise<{ readonly request: typeof import('undici').request; readonly agent: Agent }> {
    const { Agent, request } = await import('undici').catch((error: unknown) => {
      throw new ConnectionError('offline', error);
    });
    if (this.#isEnded) throw new ConnectionError('offline');
    this.#agent ??= new Agent({
      connect: { timeout: CONNECT_MS, ca: trustedCertificates(this.#address.certificates) },
      headersTimeout: ANSWER_MS,
      bodyTimeout: ANSWER_MS,
      allowH2: false,
    });
    return { request, agent: this.#agent };
  }

  /** @throws ConnectionError, SentError */
  async #send({ method, url, headers, body, signal }: RawRequest): Promise<FhirAnswer> {
    const { request, agent } = await this.#connected();
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method,
        headers,
        ...(body !== undefined && { body }),
        ...(signal !== undefined && { signal }),
      });
      const pieces: Buffer[] = [];
      let bytes = 0;
      for await (const piece of answer.body) {
        bytes += (piece as Buffer).length;
        if (bytes > MOST_ANSWER_BYTES) throw new SentError('odd');
        pieces.push(piece as Buffer);
      }
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
        body: parse(Buffer.concat(pieces).toString('utf8')),
      };
    } catch (error) {
      throw error instanceof ConnectionError ? error : failureOf(error);
    }
  }

  /** @throws FhirDenied; ConnectionError, of which nothing of what is to be sent was sent */
  async #authorization(signal: AbortSignal | undefined): Promise<string | undefined> {
    const { client } = this.#address;
    if (client === undefined) return undefined;
    if (this.#token !== undefined && performance.now() < this.#token.untilMs) return this.#token.text;
    const encoded = [client.id, client.secret].map(encodeURIComponent).join(':');
    const { status, body } = await this.#send({
      method: 'POST',
      url: client.tokenUrl,
      headers: {
        Authorization: `Basic ${Buffer.from(encoded).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        Accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
      signal,
    }).catch((error: unknown) => {
      // Whatever became of that, the request itself was not sent.
      throw error instanceof SentError ? new ConnectionError(error.fault, error) : error;
    });
    if (status >= 500 || status === 429) throw new ConnectionError('silent');
    const { access_token: token, expires_in: lifeS } = (body ?? {}) as {
      readonly access_token?: unknown;
      readonly expires_in?: unknown;
    };
    if (status !== 200 || typeof token !== 'string') throw new FhirDenied();
    const seconds = typeof lifeS === 'number' ? lifeS : USUAL_LIFE_S;
    const text = `Bearer ${token}`;
    this.#token = { text, untilMs: performance.now() + Math.max(0, 1000 * seconds - SPARE_MS) };
    return text;
  }

  /**
   * @param path behind the base; empty, or parameters alone, for the base itself
   * @throws FhirDenied; ConnectionError; SentError where the request may have arrived
   */
  async ask(
    method: 'GET' | 'POST',
    path: string,
    { body, isStrict = false, signal }: FhirQuestion = {},
  ): Promise<FhirAnswer> {
    const { url } = this.#address;
    for (let isAgain = false; ; isAgain = true) {
      const authorization = await this.#authorization(signal);
      const answer = await this.#send({
        method,
        url: path === '' || path.startsWith('?') ? `${url}${path}` : `${url}/${path}`,
        headers: {
          Accept: FHIR_JSON,
          ...(body !== undefined && { 'Content-Type': FHIR_JSON }),
          ...(isStrict && { Prefer: 'handling=strict' }),
          ...(authorization !== undefined && { Authorization: authorization }),
        },
        body,
        signal,
      });
      if (answer.status !== 401 && answer.status !== 403) return answer;
      // A token may end before its time; the next one is asked for once.
      this.#token = undefined;
      if (isAgain || authorization === undefined) throw new FhirDenied();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#agent?.destroy();
  }
}
