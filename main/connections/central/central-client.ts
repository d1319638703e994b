// The client of the centre's `/v3`: one call, one outcome. It repeats nothing by itself, follows no redirect,
// and tells a request that was never sent from one whose answer was lost (D120, D126; reference, 5).

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { checkUrl } from '../../../shared/connections/network-address.ts';
import { DEVICE_COMMANDS, type DeviceCommand, type DeviceState } from '../../../shared/device-state.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';
import { type Call, isOfDelivery, type Outcome } from '../../clinic/outbox/call.ts';
import { laneOf, PLACES } from '../../clinic/outbox/choose.ts';
import { assert } from '../../ground/assert.ts';
import type { Bandwidth } from './bandwidth.ts';
import type { CentralPools, CentralRoute, PoolName } from './central-pools.ts';
import {
  JSON_MS,
  NO_TASK,
  type Parcel,
  paramsRequest,
  requestOf,
  statusRequest,
  TASK_MS,
  tasksPath,
  type Wanted,
  wholeId,
} from './central-requests.ts';
import { type RawAnswer, readAnswer } from './read-answer.ts';
import { REQUEST_HEADER, SentRequests } from './sent-requests.ts';

const SHARERS = PLACES.upload + PLACES.stream;
/** How much the last call counts in the speed that is shown. */
const SPEED_WEIGHT = 0.3;
const MOST_JSON_BYTES = 1 << 20;
const MOST_REPORT_BYTES = 100 << 20;

export interface CentralAddress extends CentralRoute {
  /** `https://api.example.org`; plain HTTP to this computer alone. */
  readonly url: string;
  readonly organizationThere: string;
  readonly token: string;
}

export interface ClientOptions {
  readonly clockMs?: () => number;
  readonly bandwidth?: Bandwidth;
}

/** What a token may do at a centre. */
export interface CentralRights {
  readonly read: boolean;
  readonly upload: boolean;
  readonly create: boolean;
  readonly stream: boolean;
}

export class CentralClient implements AsyncDisposable {
  readonly #address: CentralAddress;
  readonly #tasks: string;
  readonly #origin: string;
  readonly #base: string;
  /** Connections to it, from the first request on. */
  #pools: CentralPools | undefined;
  #isEnded = false;
  readonly #sent: SentRequests;
  readonly #clockMs: () => number;
  readonly #bandwidth: Bandwidth | undefined;
  /** What hindered the last call; undefined after one that was answered. */
  trouble: ConnectionTrouble | undefined;
  /** How fast bodies went that were answered, over the last calls. */
  bytesPerSecond: number | undefined;
  /** How far its clock is ahead of ours, by its last answer. */
  clockOffsetMs: number | undefined;

  /** @throws as `checkUrl` */
  constructor(address: CentralAddress, { clockMs = Date.now, bandwidth }: ClientOptions = {}) {
    const { origin, pathname } = checkUrl(address.url);
    this.#address = address;
    this.#tasks = tasksPath(address.organizationThere);
    this.#base = pathname.replace(/\/+$/, '');
    this.#clockMs = clockMs;
    this.#bandwidth = bandwidth;
    this.#sent = new SentRequests(randomBytes(6).toString('hex'));
    this.#origin = origin;
  }

  /**
   * @param parcel what the call is about, for those that send something of it
   * @param signal gives the call up; what was sent by then has an outcome that nobody knows
   */
  async perform(
    call: Exclude<Call, { kind: 'report' }>,
    parcel: Parcel | undefined,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    assert(!isOfDelivery(call), 'a central service is asked');
    const lane = call.kind === 'createTask' ? 'create' : laneOf(call);
    if (call.kind === 'status') return this.#ask(lane, statusRequest(this.#tasks, call.centralId), signal);
    assert(parcel !== undefined, 'something of a recording is sent');
    if (call.kind === 'createTask') {
      // A connection that has just answered is alive: the answer of the creation is not lost for that reason.
      const alive = await this.#ask(lane, statusRequest(this.#tasks, NO_TASK), signal);
      // Who does not answer that, or has a fault, is not asked to make anything.
      if (alive.kind === 'unknown') return { kind: 'notDone' };
      if (
        alive.kind === 'notDone' ||
        alive.kind === 'limited' ||
        alive.kind === 'tokenRefused' ||
        alive.kind === 'moved'
      )
        return alive;
    }
    return this.#ask(lane, await requestOf(call, this.#tasks, parcel), signal);
  }

  async #ask(lane: PoolName, wanted: Wanted, signal: AbortSignal | undefined): Promise<Outcome> {
    const answer = await this.#request(lane, wanted, MOST_JSON_BYTES, signal);
    return 'kind' in answer
      ? answer
      : readAnswer({ ...answer, body: answer.body?.toString('utf8') }, wanted.expected, this.#clockMs());
  }

  /** @throws Error once the client has ended, and as `openPools` */
  async #connected(): Promise<CentralPools> {
    if (this.#pools === undefined) {
      const { openPools } = await import('./central-pools.ts');
      // The first requests may come together.
      this.#pools ??= openPools(this.#origin, this.#address);
    }
    if (this.#isEnded) throw new Error('the client has ended');
    return this.#pools;
  }

  async #request(
    lane: PoolName,
    { method, path, body, limitMs, pauseMs = 0 }: Wanted,
    mostBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<
    | (Omit<RawAnswer, 'body'> & { readonly body: Buffer | undefined })
    | (Outcome & { kind: 'notDone' | 'unknown' })
  > {
    const isSliced = body instanceof Uint8Array && this.#bandwidth?.isBound === true;
    const id = this.#sent.newId();
    // Our own brake is no silence of theirs.
    const brakedMs = body instanceof Uint8Array ? (this.#bandwidth?.mostMs(body.length, SHARERS) ?? 0) : 0;
    const limit = AbortSignal.timeout(limitMs + brakedMs);
    try {
      const pools = await this.#connected();
      const startMs = performance.now();
      const {
        statusCode,
        headers,
        body: read,
      } = await pools[lane].request({
        method,
        origin: this.#origin,
        path: this.#base + path,
        headers: {
          'x-api-token': this.#address.token,
          accept: 'application/json, application/pdf',
          'accept-encoding': 'identity',
          [REQUEST_HEADER]: id,
          ...(body !== undefined && {
            'content-type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
          }),
          ...(isSliced && { 'content-length': String(body.length) }),
        },
        ...(body !== undefined && {
          body: isSliced ? Readable.from(this.#bandwidth.slices(body), { objectMode: false }) : body,
        }),
        headersTimeout: pauseMs,
        bodyTimeout: pauseMs,
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      this.#note(statusCode, headers.date);
      if (body instanceof Uint8Array) this.#noteSpeed(body.length, performance.now() - startMs);
      const only = (value: string | string[] | undefined): string | undefined =>
        Array.isArray(value) ? value[0] : value;
      return {
        status: statusCode,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, only(value)])),
        body: await readAll(read, mostBytes),
      };
    } catch (error) {
      this.trouble = troubleOf(error);
      return this.#sent.wasSent(id) ? { kind: 'unknown', isServer: false } : { kind: 'notDone' };
    } finally {
      this.#sent.wasSent(id);
    }
  }

  #noteSpeed(bytes: number, tookMs: number): void {
    const now = (1000 * bytes) / Math.max(1, tookMs);
    this.bytesPerSecond =
      this.bytesPerSecond === undefined
        ? now
        : this.bytesPerSecond + SPEED_WEIGHT * (now - this.bytesPerSecond);
  }

  #note(status: number, date: string | string[] | undefined): void {
    this.trouble =
      status === 429
        ? 'limited'
        : status >= 500
          ? 'server'
          : status >= 300 && status < 400
            ? 'odd'
            : undefined;
    const theirsMs = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    if (!Number.isNaN(theirsMs)) this.clockOffsetMs = theirsMs - this.#clockMs();
  }

  /** The centre's own report; there only where the outcome is `done`. */
  async fetchReport(
    centralId: string,
    signal?: AbortSignal,
  ): Promise<{ readonly outcome: Outcome; readonly pdf?: Uint8Array }> {
    const wanted: Wanted = {
      method: 'GET',
      path: `${this.#tasks}/${wholeId(centralId)}/report`,
      expected: 'nothing',
      limitMs: TASK_MS,
      pauseMs: JSON_MS,
    };
    const answer = await this.#request('ask', wanted, MOST_REPORT_BYTES, signal);
    if ('kind' in answer) return { outcome: answer };
    if (answer.status !== 200) {
      // Another 2xx holds no report, whatever it means.
      const isNone = answer.status > 200 && answer.status < 300;
      return {
        outcome: isNone
          ? { kind: 'unclear' }
          : readAnswer({ ...answer, body: undefined }, 'nothing', this.#clockMs()),
      };
    }
    if (answer.body === undefined || !isWholePdf(answer.body)) return { outcome: { kind: 'unclear' } };
    return { outcome: { kind: 'done' }, pdf: answer.body };
  }

  /**
   * What the token may do there, asked by requests that nothing can come of: they name nothing, or leave out
   * what is needed.
   * @returns undefined where nobody answered
   */
  async rights(signal?: AbortSignal): Promise<CentralRights | undefined> {
    const post = (path: string, body: object): Wanted => ({
      method: 'POST',
      path,
      body: JSON.stringify(body),
      expected: 'nothing',
      limitMs: JSON_MS,
    });
    const may = async (wanted: Wanted): Promise<boolean | undefined> => {
      const { kind } = await this.#ask('ask', wanted, signal);
      return kind === 'unknown' || kind === 'notDone' || kind === 'limited' || kind === 'moved'
        ? undefined
        : kind !== 'tokenRefused';
    };
    const answers = {
      read: await may(statusRequest(this.#tasks, NO_TASK)),
      upload: await may(post('/v3/uploads', {})),
      create: await may(post(this.#tasks, { upload_id: 0 })),
      stream: await may(post('/v3/streams/find', { device_id: 'isoline-test#none' })),
    };
    if (Object.values(answers).includes(undefined)) return undefined;
    return answers as CentralRights;
  }

  /** What the centre asks of the device behind a stream; undefined where nobody answered. */
  async commandOf(centralId: string): Promise<DeviceCommand | 'none' | undefined> {
    const answer = await this.#request('ask', paramsRequest(centralId), MOST_JSON_BYTES, undefined);
    if ('kind' in answer || answer.status !== 200) return undefined;
    const said = /"device_command"\s*:\s*"([A-Z_]+)"/.exec(answer.body?.toString('utf8') ?? '')?.[1];
    return DEVICE_COMMANDS.find((command) => command === said) ?? 'none';
  }

  /** Reports the state of a stream’s device. A lost report does no harm, because the next one repeats it. */
  async reportState(centralId: string, state: DeviceState): Promise<void> {
    const body = JSON.stringify({ device_state: state });
    await this.#request(
      'ask',
      { ...paramsRequest(centralId), method: 'POST', body },
      MOST_JSON_BYTES,
      undefined,
    );
  }

  /** Whether it is a workstation like this one, which makes no second task of the same creation (D110). */
  async isOurs(signal?: AbortSignal): Promise<boolean> {
    const wanted: Wanted = { method: 'GET', path: '/ext/v1/about', expected: 'nothing', limitMs: JSON_MS };
    const answer = await this.#request('ask', wanted, MOST_JSON_BYTES, signal);
    if ('kind' in answer || answer.status !== 200) return false;
    return /"product"\s*:\s*"isoline"/.test(answer.body?.toString('utf8') ?? '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await Promise.allSettled(Object.values(this.#pools ?? {}).map((pool) => pool.destroy()));
    this.#sent[Symbol.dispose]();
  }
}

const TROUBLES: readonly (readonly [RegExp, ConnectionTrouble])[] = [
  [/^ERR_SSL|WRONG_VERSION|EPROTO/, 'notTls'],
  [/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|HOSTNAME/, 'certificate'],
  [/TIMEOUT|TIMEDOUT|ABORT/, 'silent'],
  [/UND_ERR_SOCKET|ECONNRESET|EPIPE/, 'broken'],
  [/^UND_ERR_(ABORTED|PRX)/, 'proxy'],
];

/** By the code of an error: for people alone, who are told what to look at. */
function troubleOf(error: unknown): ConnectionTrouble {
  const { name, code = name, message = '' } = error as { name?: string; code?: string; message?: string };
  if (/proxy/i.test(message)) return 'proxy';
  return TROUBLES.find(([pattern]) => pattern.test(String(code)))?.[1] ?? 'offline';
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
