// The /v3 service over HTTP: Fastify with its defaults turned into what the interface promises (D2 to D8, D100, D104).

import { randomUUID } from 'node:crypto';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { IsolineError, statusOf } from '../../shared/errors.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { errorBody, sendError } from './errors.ts';
import { makeGuard, tokenPrefixOf } from './guard.ts';
import { RateLimits } from './rate-limits.ts';
import { awaitsContinue, dropRest } from './request-body.ts';
import { taskRoutes } from './tasks.ts';
import { uploadRoutes } from './uploads.ts';

const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 3_600_000;
const KEEP_ALIVE_MS = 75_000;
const MAX_HEADER_BYTES = 16_384;
const MAX_CONNECTIONS = 512;
const MAX_PARAMETER_LENGTH = 2048;
const DRAIN_MS = 10_000;

export interface RunningService {
  /** `http://127.0.0.1:8137` */
  readonly url: string;
  close(): Promise<void>;
}

export interface ServiceAddress {
  /** Loopback only; another interface needs TLS, which this version does not have. */
  readonly host: string;
  readonly port: number;
}

/** Refusals that the audit tells of (D34). */
const AUDITED_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
export const isLoopback = (host: string): boolean => LOOPBACK.has(host) || (isIP(host) === 4 && host.startsWith('127.'));

/** D6: a name that leads here from a foreign page must not be answered. */
function isOwnHost(header: string | undefined): boolean {
  const match = /^(\[[^\]]+\]|[^:]+)(?::\d{1,5})?$/.exec(header ?? '');
  const name = match?.[1]?.replace(/^\[|\]$/g, '') ?? '';
  return isLoopback(name.toLowerCase());
}

function checkHttp(request: FastifyRequest): void {
  const hosts = request.raw.headersDistinct.host ?? [];
  const isOld = request.raw.httpVersion === '1.0' && hosts.length === 0;
  if (!isOld && (hosts.length !== 1 || !isOwnHost(hosts[0])))
    throw new IsolineError('invalid_request', 'The Host header does not name this workstation.');
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new IsolineError('invalid_content_encoding', 'Send the body without Content-Encoding.');
}

/** Faults below HTTP are answered in the same form, on the bare socket (D8). */
function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = JSON.stringify(
    isSlow
      ? { message: 'The request came too slowly.', reason: 'request_timeout' }
      : { message: 'This is not a request that the service understands.', reason: 'invalid_request' },
  );
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const badUrl = (): IsolineError => new IsolineError('invalid_request', 'The address of the request is not a valid one.');

function createApp(clinic: Clinic): FastifyInstance {
  return Fastify({
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH, caseSensitive: true, ignoreTrailingSlash: false, ignoreDuplicateSlashes: false },
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
    },
    clientErrorHandler: (error, socket) => answerClientError(error, socket as Socket),
    frameworkErrors: (error, request, reply) => {
      clinic.context.log('service.framework_error', { code: error.code });
      void sendError(reply, badUrl(), request.id);
    },
  });
}

/** Paths that exist, so that a wrong method can name the right ones (D4). */
function allowedMethods(routes: readonly { method: string; pattern: RegExp }[], path: string): string | undefined {
  const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  return methods.length === 0 ? undefined : [...new Set(methods)].sort().join(', ');
}

export async function startService(clinic: Clinic, { host, port }: ServiceAddress): Promise<RunningService> {
  if (!isLoopback(host))
    throw new IsolineError(
      'network_needs_tls',
      'The service is open to this computer only: other interfaces need TLS, which this version does not offer. Use --host 127.0.0.1.',
    );
  const app = createApp(clinic);
  const limits = new RateLimits(
    () => clinic.context.settings(),
    () => clinic.context.clock.nowMs(),
  );
  const routes: { method: string; pattern: RegExp }[] = [];
  let isClosing = false;
  let running = 0;

  app.server.maxConnections = MAX_CONNECTIONS;
  app.server.maxHeadersCount = 100;
  app.server.on('checkExpectation', (_request, response) => {
    const { status, body } = errorBody(
      new IsolineError('invalid_request', 'The Expect header asks for something that the service does not do.'),
      '',
    );
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', connection: 'close' }).end(JSON.stringify(body));
  });
  // Whoever asks before sending is told to go on only once its endpoint wants the body (D3).
  app.server.on('checkContinue', (request, response) => {
    awaitsContinue(request, response);
    app.server.emit('request', request, response);
  });
  app.removeAllContentTypeParsers();
  // Nothing is parsed here: each endpoint reads its own body (request-body.ts).
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  app.decorateRequest('token', undefined);
  app.decorateRequest('sentType', undefined);

  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replaceAll(/:[^/]+/g, '[^/]+')}$`);
    for (const one of [method].flat()) routes.push({ method: one, pattern });
  });
  app.addHook('onRequest', async (request, reply) => {
    running++;
    // Also when the client hangs up before an answer.
    reply.raw.once('close', () => running--);
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-request-id': request.id });
    if (isClosing) {
      reply.header('connection', 'close');
      throw new IsolineError('shutting_down', 'The workstation is closing. Try again in a moment.');
    }
    checkHttp(request);
    request.sentType = request.headers['content-type'];
  });
  // The framework refuses types that it can't read; which types go is each endpoint's matter (D14).
  app.addHook('preParsing', async (request) => {
    if (request.sentType !== undefined) request.raw.headers['content-type'] = 'application/octet-stream';
  });
  app.setErrorHandler(async (error, request, reply) => {
    if (!(error instanceof IsolineError))
      clinic.context.log('service.fault', {
        requestId: request.id,
        stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    if (error instanceof IsolineError && AUDITED_STATUSES.has(statusOf(error.reason)))
      clinic.refusals.count({
        status: statusOf(error.reason),
        reason: error.reason,
        address: request.ip,
        tokenPrefix: tokenPrefixOf(request),
      });
    await dropRest(request, reply);
    await sendError(reply, error, request.id);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const allow = allowedMethods(routes, request.url.split('?')[0] ?? '');
    if (allow !== undefined) reply.header('allow', allow);
    await dropRest(request, reply);
    await sendError(reply, new IsolineError('route_not_found', 'There is no such operation.'), request.id);
  });
  await app.register((guarded, _options, done) => {
    guarded.addHook('onRequest', makeGuard(clinic, limits));
    uploadRoutes(guarded, clinic);
    taskRoutes(guarded, clinic);
    done();
  });

  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new IsolineError(
        'port_in_use',
        `Port ${port} is taken by another program. Choose another one with --port, or 0 for any free one.`,
        { port },
        { cause: error },
      );
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    async close() {
      isClosing = true;
      const deadline = performance.now() + DRAIN_MS;
      app.server.closeIdleConnections();
      while (running > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      app.server.closeAllConnections();
      await app.close();
    },
  };
}
