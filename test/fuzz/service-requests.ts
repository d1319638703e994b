// Requests that nobody should send, made from the OpenAPI document: right in most of their parts, so that
// they get far, and wrong in one or several. Judged by what the specification lets each endpoint answer.

import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import fc from 'fast-check';
import { isSpecified } from '../contract/specification.ts';
import { makeFrame } from '../support/make-frames.ts';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** What exists in the service, so that requests can be about it. */
export interface Known {
  readonly token: string;
  readonly org: string;
  readonly taskId: number;
  readonly streamId: number;
  readonly uploadId: string;
}

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Sent without Content-Length, in pieces. */
  readonly isChunked: boolean;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const EXTREME_NUMBERS = [
  0,
  -0,
  -1,
  1,
  1.5,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  1e308,
  -1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
];
const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  '💓',
  '%',
  '../..',
  '<script>',
  "'; DROP TABLE task; --",
  'x'.repeat(300),
  'x'.repeat(70_000),
  '1e999',
  'null',
];

const anything = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], { a: { b: [1] } }),
  fc.constantFrom<unknown>(...EXTREME_NUMBERS, ...ODD_TEXTS),
  fc.jsonValue({ maxDepth: 3 }),
);

const GOOD: Readonly<Record<string, unknown>> = {
  total_size: 1000,
  hash_sum: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  patient_birth_date: '1951-03-14',
  recording_start_time: '2026-01-15T12:00:00Z',
  recording_time_zone: 'Europe/Riga',
  sample_rate: 500,
  device_id: 'fuzz',
  lead_codes: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II'],
};

function good(name: string, schema: Schema, known: Known): unknown {
  if (name === 'task_id') return known.taskId;
  if (name === 'upload_id') return known.uploadId;
  if (GOOD[name] !== undefined) return GOOD[name];
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number') return 1;
  if (schema.type === 'boolean') return true;
  return schema.type === 'array' ? ['x'] : 'x';
}

function jsonBody(schema: Schema, known: Known): fc.Arbitrary<Uint8Array> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    fc
      .oneof(
        { weight: 8, arbitrary: fc.constant(good(name, field, known)) },
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: anything },
      )
      .map((value) => [name, value] as const),
  );
  const object = fc
    .tuple(...fields)
    .map((entries) => text(JSON.stringify(Object.fromEntries(entries)) ?? ''));
  const broken = fc
    .tuple(object, fc.nat(400), fc.constantFrom('cut', 'flip', 'bom', 'twice'))
    .map(([bytes, at, how]) => {
      if (how === 'cut') return bytes.subarray(0, at);
      if (how === 'bom') return Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf), bytes]);
      if (how === 'twice') return Buffer.concat([bytes, bytes]);
      return Uint8Array.from(bytes, (byte, i) => (i === at % bytes.length ? byte ^ 0xff : byte));
    });
  return fc.oneof(
    { weight: 6, arbitrary: object },
    { weight: 2, arbitrary: broken },
    { weight: 1, arbitrary: anything.map((value) => text(JSON.stringify(value) ?? '')) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        text('{"__proto__":{"x":1}}'),
        text('{"a":1e999}'),
        text(`${'['.repeat(50_000)}`),
        text('{"sample_rate":1e999}'),
        new Uint8Array(1_200_000),
      ),
    },
  );
}

const frameBytes = fc
  .tuple(fc.nat(1000), fc.uint8Array({ maxLength: 4 }), fc.nat(200))
  .map(([n, damage, at]) => {
    const bytes = Uint8Array.from(
      makeFrame({
        leads: 2,
        samples: 50,
        from: n * 50,
        coding: n % 2 === 0 ? 'delta' : 'twosComplement',
        compression: n % 3 === 0 ? 'zstd' : 'none',
      }),
    );
    for (const [i, value] of damage.entries()) bytes[(at + i) % bytes.length] = value;
    return bytes;
  });
const binaryBody = fc.oneof(
  { weight: 3, arbitrary: frameBytes },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3000 }) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array(0)) },
);

const oddSegment = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '1.0',
    '%zz',
    '%00',
    '%2e%2e',
    '..',
    'x'.repeat(3000),
    '9223372036854775808',
    '99999999999999999999',
    '%F0%9F%92%93',
    '1%20',
    '%',
    '+1',
    '0x1',
    '',
  ),
  fc.webSegment(),
);
const oddNumber = fc.oneof(
  fc.constantFrom(
    '',
    '-1',
    '1.5',
    '0x10',
    '1e3',
    '9007199254740992',
    '99999999999999999',
    '%00',
    'NaN',
    '1&offset=2&timestamp=2',
  ),
  fc.nat(5000).map(String),
);

function pathOf(path: string, operation: Operation, known: Known): fc.Arbitrary<string> {
  const values: Readonly<Record<string, string>> = {
    organization_path: known.org,
    task_id: String(known.taskId),
    stream_id: String(known.streamId),
    upload_id: known.uploadId,
    download_id: 'AAAAAAAAAAAAAAAAAAAAAA',
    chunk_index: '0',
  };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const segments = names.map((name) =>
    fc.oneof(
      { weight: 9, arbitrary: fc.constant(values[name] ?? 'x') },
      { weight: 1, arbitrary: oddSegment },
    ),
  );
  const query = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  return fc
    .tuple(
      fc.tuple(...segments),
      fc.oneof(
        { weight: 4, arbitrary: fc.nat(2000).map((n) => String(n * 100_000)) },
        { weight: 1, arbitrary: oddNumber },
      ),
    )
    .map(([chosen, number]) => {
      let [filled, i] = [path, 0];
      for (const name of names) filled = filled.replace(`{${name}}`, chosen[i++] as string);
      return query.length === 0 ? filled : `${filled}?${query[0]}=${number}`;
    });
}

function headersOf(type: string, known: Known): fc.Arbitrary<Record<string, string>> {
  const odd = fc.constantFrom<Record<string, string>>(
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'multipart/form-data; boundary=x' },
    { 'Content-Type': `${type}; charset=utf-16` },
    { 'Content-Type': '' },
    { 'Content-Encoding': 'gzip' },
    { 'X-Api-Token': '' },
    { 'X-Api-Token': 'isl_wrong' },
    { 'X-Api-Token': 'x'.repeat(600) },
    { Accept: 'image/png' },
    { Range: 'bytes=0-1', 'If-None-Match': '*' },
    { Host: 'evil.example' },
    { 'X-Huge': 'x'.repeat(20_000) },
    { 'X-HTTP-Method-Override': 'DELETE' },
    { Expect: 'miracles' },
  );
  const right = { 'X-Api-Token': known.token, 'Content-Type': type };
  return fc.oneof(
    { weight: 8, arbitrary: fc.constant(right) },
    { weight: 2, arbitrary: odd.map((header) => ({ ...right, ...header })) },
  );
}

/** Requests to all operations of the document alike. */
export function requestsFor(document: OpenApi, known: Known): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v3/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
  return fc.oneof(
    ...operations.map(({ path, method, operation }) => {
      const json = operation.requestBody?.content['application/json']?.schema;
      const type = json === undefined ? 'application/octet-stream' : 'application/json';
      const body =
        json !== undefined
          ? jsonBody(json, known)
          : method === 'POST'
            ? binaryBody
            : fc.constant(new Uint8Array(0));
      const verb = fc.oneof(
        { weight: 30, arbitrary: fc.constant(method) },
        { weight: 1, arbitrary: fc.constantFrom('PUT', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH') },
      );
      return fc.record({
        method: verb,
        path: pathOf(path, operation, known),
        headers: headersOf(type, known),
        body,
        isChunked: fc.boolean(),
      });
    }),
  );
}

export interface FuzzAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const PATIENCE_MS = 15_000;
const agent = new Agent({ keepAlive: true, maxSockets: 24 });

/** Undefined where the connection ended without an answer. */
export function send(
  url: string,
  { method, path, headers, body, isChunked }: FuzzRequest,
): Promise<FuzzAnswer | 'hang' | undefined> {
  const { promise, resolve } = Promise.withResolvers<FuzzAnswer | 'hang' | undefined>();
  const { hostname, port } = new URL(url);
  const hasBody = body.length > 0 && method !== 'GET' && method !== 'HEAD';
  const length: Record<string, string> =
    hasBody && !isChunked
      ? { 'Content-Length': String(body.length) }
      : hasBody
        ? { 'Transfer-Encoding': 'chunked' }
        : {};
  const request = httpRequest(
    { hostname, port, method, path, agent, headers: { ...headers, ...length } },
    (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) }),
      );
      response.on('error', () => resolve(undefined));
    },
  );
  request.setTimeout(PATIENCE_MS, () => {
    resolve('hang');
    request.destroy();
  });
  request.on('error', () => resolve(undefined));
  request.end(hasBody ? body : undefined);
  return promise;
}

/** Bytes as they are, cut off in the middle; whatever comes back is read until the connection ends. */
export function sendHalf(url: string, bytes: Uint8Array, endMs: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const { hostname, port } = new URL(url);
  let answer = '';
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  socket.setTimeout(endMs, () => socket.destroy());
  socket.on('data', (data) => (answer += data.toString('latin1')));
  socket.on('error', () => undefined);
  socket.on('close', () => resolve(answer));
  return promise;
}

/** What is wrong with an answer, if anything. */
export function faultOf(
  { method, path }: FuzzRequest,
  answer: FuzzAnswer | 'hang' | undefined,
): string | undefined {
  if (answer === 'hang') return 'no answer';
  if (answer === undefined) return undefined;
  const { status, headers, body } = answer;
  if (status === 500) return '500';
  const isRoute =
    isSpecified(method, path, status) ||
    (status === 404 && /"reason":"route_not_found"/.test(body.toString('utf8'))) ||
    (method === 'HEAD' && status === 404);
  if (!isRoute) return `status ${status}, which the specification does not list`;
  if (headers.server !== undefined || headers['x-powered-by'] !== undefined) return 'names its server';
  if (status >= 400 && method !== 'HEAD') {
    const error = JSON.parse(body.toString('utf8')) as { message?: unknown; reason?: unknown };
    if (typeof error.message !== 'string' || typeof error.reason !== 'string')
      return `an error without message or reason: ${body.toString('utf8')}`;
    if (/node_modules|\.ts:|\/tmp\/| {4}at /.test(error.message))
      return `tells of the inside of the machine: ${error.message}`;
  }
  return undefined;
}
