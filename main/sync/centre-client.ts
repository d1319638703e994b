// The client of the centre's `/v3`: one call, one outcome. It repeats nothing by itself, follows no redirect, and tells a request that was
// never sent from one whose answer was lost (D120, D126; reference, 5).

import { randomBytes } from 'node:crypto';
import { getCACertificates } from 'node:tls';
import { Pool } from 'undici';
import { IsolineError } from '../../shared/errors.ts';
import type { StartRequest, TaskRequest } from '../../shared/v3/v3.ts';
import type { Call, Outcome } from './call.ts';
import { LANES, type Lane, laneOf, PLACES } from './choose.ts';
import { type Expected, type RawAnswer, readAnswer } from './read-answer.ts';
import { REQUEST_HEADER, SentRequests } from './sent-requests.ts';

const CONNECT_MS = 10_000;
const JSON_MS = 30_000;
const TASK_MS = 180_000;
/** A chunk may take longer the larger it is. */
const CHUNK_MS = 60_000;
const SLOWEST_BYTES_PER_MS = 10;
const MOST_JSON_BYTES = 1 << 20;
const MOST_REPORT_BYTES = 100 << 20;
/** A task that is certainly not there: asked for to see whether a connection is alive. */
const NO_TASK = '9007199254740991';

export interface CentreAddress {
  /** `https://api.example.org`; plain HTTP to this computer alone. */
  readonly url: string;
  readonly organizationPath: string;
  readonly token: string;
  /** Certificates that are trusted beside those of the system, PEM. */
  readonly certificates?: readonly string[];
}

/** What of a recording goes into its calls. */
export interface Parcel {
  readonly sizeBytes: number;
  /** Of the file, Base64. */
  readonly sha256Base64: string;
  /** With the marker of D122 among its tags. */
  readonly task: TaskRequest;
  /** For the stream way: unique to the recording (D125). */
  readonly deviceId: string;
  readonly stream: Omit<StartRequest, 'task_id' | 'device_id'>;
  read(offsetBytes: number, lengthBytes: number): Promise<Uint8Array>;
  frame(index: number): Promise<{ readonly timestampUs: number; readonly bytes: Uint8Array }>;
  /** Where the centre's report goes; told the whole of it, once. */
  keepReport(pdf: Uint8Array): Promise<void>;
}

interface Wanted {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly expected: Expected;
  readonly limitMs: number;
}

const isLoopback = (hostname: string): boolean => /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(hostname);

/** @throws IsolineError `invalid_request` for an address to which a token must not go (D134) */
export function checkAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    throw new IsolineError('invalid_request', 'The address of the centre begins with https://.');
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    throw new IsolineError('invalid_request', 'Without encryption only this computer can be the centre: use https://.');
  return parsed;
}

const wholeId = (id: string): string => {
  if (!/^\d{1,19}$/.test(id)) throw new Error('an id is made of digits');
  return id;
};

export class CentreClient implements AsyncDisposable {
  readonly #address: CentreAddress;
  readonly #base: string;
  readonly #pools: Readonly<Record<Lane, Pool>>;
  readonly #sent: SentRequests;
  readonly #clockMs: () => number;

  /** @throws as `checkAddress` */
  constructor(address: CentreAddress, clockMs: () => number = Date.now) {
    const { origin, pathname } = checkAddress(address.url);
    this.#address = address;
    this.#base = pathname.replace(/\/+$/, '');
    this.#clockMs = clockMs;
    this.#sent = new SentRequests(randomBytes(6).toString('hex'));
    // A list of one's own would stand in place of the others, not beside them.
    const ca = [...getCACertificates('default'), ...getCACertificates('system'), ...(address.certificates ?? [])];
    const connect = { timeout: CONNECT_MS, ca };
    // One request at a time on a connection: what is sent behind another one would share its fate.
    const pool = (lane: Lane): [Lane, Pool] => [
      lane,
      new Pool(origin, {
        connections: PLACES[lane],
        pipelining: 1,
        connect,
        allowH2: false,
        // How long a request may take is said with the request.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
    ];
    this.#pools = Object.fromEntries(LANES.map(pool)) as Record<Lane, Pool>;
  }

  /** @param signal gives the call up; what was sent by then has an outcome that nobody knows */
  async perform(call: Call, parcel: Parcel, signal?: AbortSignal): Promise<Outcome> {
    const lane = laneOf(call);
    if (call.kind === 'report') return this.#fetchReport(call.centralId, parcel, signal);
    if (call.kind === 'createTask') {
      // A connection that has just answered is alive: the answer of the creation is not lost for that reason.
      const alive = await this.#ask(lane, this.#statusOf(NO_TASK), signal);
      if (alive.kind === 'unknown' && !alive.isServer) return { kind: 'notDone' };
      if (alive.kind === 'notDone' || alive.kind === 'limited' || alive.kind === 'tokenRefused' || alive.kind === 'moved') return alive;
    }
    return this.#ask(lane, await this.#wanted(call, parcel), signal);
  }

  #statusOf(centralId: string): Wanted {
    return { method: 'GET', path: `${this.#tasks}/${wholeId(centralId)}/status`, expected: 'status', limitMs: JSON_MS };
  }

  get #tasks(): string {
    return `/v3/orgs/${encodeURIComponent(this.#address.organizationPath)}/tasks`;
  }

  async #wanted(call: Exclude<Call, { kind: 'report' }>, parcel: Parcel): Promise<Wanted> {
    const json = (path: string, body: object, expected: Expected, limitMs = JSON_MS): Wanted => ({
      method: 'POST',
      path,
      body: JSON.stringify(body),
      expected,
      limitMs,
    });
    switch (call.kind) {
      case 'createUpload':
        return json('/v3/uploads', { total_size: parcel.sizeBytes, hash_sum: parcel.sha256Base64 }, 'uploadId');
      case 'chunk': {
        const { uploadId, offsetBytes, lengthBytes } = call;
        return {
          method: 'POST',
          path: `/v3/uploads/${encodeURIComponent(uploadId)}/chunks?offset=${offsetBytes}`,
          body: await parcel.read(offsetBytes, lengthBytes),
          expected: 'nothing',
          limitMs: CHUNK_MS + Math.ceil(lengthBytes / SLOWEST_BYTES_PER_MS),
        };
      }
      case 'createTask':
        return json(this.#tasks, { ...parcel.task, upload_id: call.uploadId }, 'taskId', TASK_MS);
      case 'createDraft':
        return json(this.#tasks, { ...parcel.task, device_id: parcel.deviceId }, 'taskId', TASK_MS);
      case 'findDraft':
        return json('/v3/streams/find', { device_id: parcel.deviceId }, 'streamId');
      case 'start':
        // Large ids stand as they are: a number of the language would round them.
        return {
          method: 'POST',
          path: '/v3/streams/start',
          body: JSON.stringify(parcel.stream).replace(/^\{/, `{"task_id":${wholeId(call.centralId)},`),
          expected: 'nothing',
          limitMs: JSON_MS,
        };
      case 'frame': {
        const { timestampUs, bytes } = await parcel.frame(call.index);
        return {
          method: 'POST',
          path: `/v3/streams/${wholeId(call.centralId)}/frames?timestamp=${timestampUs}`,
          body: bytes,
          expected: 'nothing',
          limitMs: CHUNK_MS + Math.ceil(bytes.length / SLOWEST_BYTES_PER_MS),
        };
      }
      case 'finish':
        return { method: 'POST', path: `/v3/streams/${wholeId(call.centralId)}/finish`, expected: 'nothing', limitMs: JSON_MS };
      case 'params':
        return { method: 'GET', path: `/v3/streams/${wholeId(call.centralId)}/params`, expected: 'nothing', limitMs: JSON_MS };
      case 'status':
        return this.#statusOf(call.centralId);
    }
  }

  async #ask(lane: Lane, wanted: Wanted, signal: AbortSignal | undefined): Promise<Outcome> {
    const answer = await this.#request(lane, wanted, MOST_JSON_BYTES, signal);
    return 'kind' in answer ? answer : readAnswer({ ...answer, body: answer.body?.toString('utf8') }, wanted.expected, this.#clockMs());
  }

  async #request(
    lane: Lane,
    { method, path, body, limitMs }: Wanted,
    mostBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<(Omit<RawAnswer, 'body'> & { readonly body: Buffer | undefined }) | (Outcome & { kind: 'notDone' | 'unknown' })> {
    const id = this.#sent.newId();
    const limit = AbortSignal.timeout(limitMs);
    try {
      const {
        statusCode,
        headers,
        body: read,
      } = await this.#pools[lane].request({
        method,
        path: this.#base + path,
        headers: {
          'x-api-token': this.#address.token,
          accept: 'application/json, application/pdf',
          'accept-encoding': 'identity',
          [REQUEST_HEADER]: id,
          ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream' }),
        },
        ...(body !== undefined && { body }),
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const only = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);
      return {
        status: statusCode,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, only(value)])),
        body: await readAll(read, mostBytes),
      };
    } catch {
      return this.#sent.wasSent(id) ? { kind: 'unknown', isServer: false } : { kind: 'notDone' };
    } finally {
      this.#sent.wasSent(id);
    }
  }

  async #fetchReport(centralId: string, parcel: Parcel, signal: AbortSignal | undefined): Promise<Outcome> {
    const wanted: Wanted = { method: 'GET', path: `${this.#tasks}/${wholeId(centralId)}/report`, expected: 'nothing', limitMs: TASK_MS };
    const answer = await this.#request('ask', wanted, MOST_REPORT_BYTES, signal);
    if ('kind' in answer) return answer;
    if (answer.status !== 200) {
      // Another 2xx holds no report, whatever it means.
      const isNone = answer.status > 200 && answer.status < 300;
      return isNone ? { kind: 'unclear' } : readAnswer({ ...answer, body: undefined }, 'nothing', this.#clockMs());
    }
    if (answer.body === undefined || !isWholePdf(answer.body)) return { kind: 'unclear' };
    await parcel.keepReport(answer.body);
    return { kind: 'done' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(LANES.map((lane) => this.#pools[lane].destroy()));
    this.#sent[Symbol.dispose]();
  }
}

/** D129. */
function isWholePdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 5).toString('latin1') === '%PDF-' && bytes.subarray(-1024).includes('%%EOF');
}

/** Undefined where it breaks off, or is longer than it may be. */
async function readAll(body: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      if (length > mostBytes) return undefined;
      pieces.push(piece);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces);
}
