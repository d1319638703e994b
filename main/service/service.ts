// The /v3 service: Fastify with its defaults turned into what the interface promises (D2 to D9, D104).

import { randomUUID } from 'node:crypto';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import { IsolineError, statusOf } from '../../shared/errors.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { Door, SERVICE_BOUNDS } from '../door/door.ts';
import { documentRoutes } from './documents.ts';
import { answerBare, sendError } from './errors.ts';
import { extensionRoutes } from './extensions.ts';
import { makeGuard, tokenPrefixOf } from './guard.ts';
import { ANSWER_HEADERS, checkHttp, type HostNames, isLoopback, toOriginForm } from './http-request.ts';
import { type ListenOptions, openListeners } from './listeners.ts';
import { RateLimits } from './rate-limits.ts';
import { dropRest } from './request-body.ts';
import { streamRoutes } from './streams.ts';
import { taskRoutes } from './tasks.ts';
import { uploadRoutes } from './uploads.ts';

const MAX_PARAMETER_LENGTH = 2048;
const MAX_REQUEST_LINE_BYTES = 8192;
const DRAIN_MS = 10_000;
const DRAIN_STEP_MS = 20;

export interface ServiceOptions extends ListenOptions {
  /** Names and addresses under which the network knows this computer; loopback needs none. */
  readonly hostNames?: readonly string[];
}

/** Refusals that the audit tells of (D34). */
const AUDITED_STATUSES: ReadonlySet<number> = new Set([401, 403, 429]);

/** The methods that routes have, and those that others have and that are answered with what goes (D4). */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const EMPTY_SEGMENT = /^[^?]*\/(?:\/|\?|$)/;
const noRoute = (): IsolineError => new IsolineError('route_not_found', 'This operation does not exist.');
const badUrl = (): IsolineError =>
  new IsolineError('invalid_request', 'The address of the request is not valid.');

/** Paths that exist, so that a wrong method can name the right ones (D4). */
class KnownPaths {
  readonly #routes: { readonly method: string; readonly pattern: RegExp }[] = [];

  add(method: string | readonly string[], url: string): void {
    const pattern = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:[^/]+/g, '[^/]+')}$`);
    for (const one of [method].flat()) this.#routes.push({ method: one, pattern });
  }

  methodsOf(path: string): string | undefined {
    const methods = this.#routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return methods.length === 0 ? undefined : [...new Set(methods)].sort().join(', ');
  }
}

/** Requests under way, and whether new ones are taken. */
class Traffic {
  running = 0;
  isClosing = false;

  async drain(): Promise<void> {
    const deadline = performance.now() + DRAIN_MS;
    while (this.running > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, DRAIN_STEP_MS));
  }
}

type Check = (request: FastifyRequest, reply: FastifyReply) => void;

/** A check as the framework's hook. Without a promise: there are thousands of requests a second. */
const checking =
  (check: Check): onRequestHookHandler =>
  (request, reply, done) => {
    try {
      check(request, reply);
    } catch (error) {
      return done(error as Error);
    }
    done();
  };

function addChecks(app: FastifyInstance, traffic: Traffic, isKnownHost: HostNames): void {
  app.removeAllContentTypeParsers();
  // Nothing is parsed here: each endpoint reads its own body (request-body.ts).
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  app.decorateRequest('token', undefined);
  app.decorateRequest('sentType', undefined);
  app.addHook(
    'onRequest',
    checking((request, reply) => {
      traffic.running++;
      // Also when the client hangs up before an answer.
      reply.raw.once('close', () => traffic.running--);
      reply.headers(ANSWER_HEADERS).header('x-request-id', request.id);
      if (traffic.isClosing) {
        reply.header('connection', 'close');
        throw new IsolineError('shutting_down', 'The workstation is closing. Try again in a moment.');
      }
      checkHttp(request.raw, isKnownHost);
      const url = request.raw.url ?? '';
      if (url.length > MAX_REQUEST_LINE_BYTES) throw badUrl();
      // The router would take an empty segment for an empty parameter (D4).
      if (EMPTY_SEGMENT.test(url)) throw noRoute();
      // The framework has rules of its own for it.
      if (!METHODS.has(request.method)) throw noRoute();
      request.sentType = request.headers['content-type'];
    }),
  );
  // The framework refuses types that it can't read; which types go is each endpoint's matter (D14).
  app.addHook('preParsing', (request, _reply, payload, done) => {
    delete request.raw.headers['content-type'];
    done(null, payload);
  });
}

function addRefusals(app: FastifyInstance, clinic: Clinic, paths: KnownPaths): void {
  const note = (error: unknown, request: FastifyRequest): void => {
    if (!(error instanceof IsolineError)) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      clinic.context.log('service.fault', { requestId: request.id, stack });
    } else if (AUDITED_STATUSES.has(statusOf(error.reason))) {
      const { reason } = error;
      clinic.refusals.count({
        status: statusOf(reason),
        reason,
        address: request.ip,
        tokenPrefix: tokenPrefixOf(request),
      });
    }
  };
  const nameMethods = (request: FastifyRequest, reply: FastifyReply): void => {
    const allow = paths.methodsOf(request.url.split('?')[0] ?? '');
    if (allow !== undefined) reply.header('allow', allow);
  };
  app.setErrorHandler(async (error, request, reply) => {
    note(error, request);
    if (error instanceof IsolineError && error.reason === 'route_not_found') nameMethods(request, reply);
    // Who is too slow already isn't waited for.
    if (error instanceof IsolineError && error.reason === 'request_timeout')
      reply.header('connection', 'close');
    else await dropRest(request, reply);
    await sendError(reply, error, request.id);
  });
  app.setNotFoundHandler(async (request, reply) => {
    nameMethods(request, reply);
    await dropRest(request, reply);
    await sendError(reply, noRoute(), request.id);
  });
}

/** Loading the schema compilers of Fastify takes 70 ms, and no route needs them: bodies are read by endpoints (decision 2). */
const noSchemas = (): never => {
  throw new Error('a route has a schema');
};
const REFUSING_COMPILERS = { buildValidator: () => noSchemas, buildSerializer: () => noSchemas };

async function makeApp(
  clinic: Clinic,
  door: Door,
  traffic: Traffic,
  isKnownHost: HostNames,
): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: Number.MAX_SAFE_INTEGER,
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    schemaController: { compilersFactory: REFUSING_COMPILERS },
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
    },
    frameworkErrors: (error, request, reply) => {
      clinic.context.log('service.framework_error', { code: error.code });
      reply.headers(ANSWER_HEADERS).header('x-request-id', request.id);
      void sendError(reply, badUrl(), request.id);
    },
  });
  const limits = new RateLimits(
    () => clinic.context.settings(),
    () => clinic.context.clock.nowMs(),
  );
  const paths = new KnownPaths();
  app.addHook('onRoute', ({ method, url }) => paths.add(method, url));
  addChecks(app, traffic, isKnownHost);
  addRefusals(app, clinic, paths);
  documentRoutes(app, clinic.context.productVersion);
  await app.register((guarded, _options, done) => {
    guarded.addHook('onRequest', checking(makeGuard(clinic, limits, door)));
    uploadRoutes(guarded, clinic);
    taskRoutes(guarded, clinic);
    streamRoutes(guarded, clinic);
    if (clinic.context.settings()['service.extensions']) extensionRoutes(guarded, clinic);
    done();
  });
  await app.ready();
  return app;
}

/** The service before its store is open: whoever calls is told to come again in a moment (D104). */
export interface OpeningService {
  /** `http://127.0.0.1:8137` */
  readonly url: string;
  /** From here on requests are served. */
  attach(clinic: Clinic): Promise<void>;
  /** Refuses what is new, waits for what runs, ends every connection. */
  close(): Promise<void>;
}

/** In place of a service whose port is taken: the workstation works without one. */
export const noService = (): OpeningService => ({
  url: '',
  attach: async () => undefined,
  close: async () => undefined,
});

const starting = (): IsolineError =>
  new IsolineError('starting', 'The workstation is starting. Try again in a moment.');

/** @throws IsolineError `network_needs_tls`, `port_in_use` */
export async function openService({ hostNames = [], ...options }: ServiceOptions): Promise<OpeningService> {
  if (!isLoopback(options.host) && options.tls === undefined)
    throw new IsolineError(
      'network_needs_tls',
      'The service is open to this computer only: another interface needs TLS. Use --tls self-signed, or --host 127.0.0.1.',
    );
  const traffic = new Traffic();
  const known = new Set(hostNames.map((name) => name.toLowerCase()));
  const isKnownHost: HostNames = (name) => known.has(name);
  let app: FastifyInstance | undefined;
  let doors: Clinic['doors'] | undefined;
  const door = new Door({
    name: 'service',
    bounds: SERVICE_BOUNDS,
    onTurnedAway: (name, address) => doors?.note(name, address),
  });
  const listeners = await openListeners(
    (request, response) => {
      try {
        if (app === undefined) throw starting();
        toOriginForm(request, isKnownHost);
      } catch (error) {
        if (!(error instanceof IsolineError)) throw error;
        request.resume();
        answerBare(response, error);
        return;
      }
      app.routing(request, response);
    },
    door,
    options,
  );
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    traffic.isClosing = true;
    listeners.closeIdle();
    await traffic.drain();
    await listeners.close();
    await app?.close();
  };
  return {
    url: listeners.url,
    async attach(clinic) {
      doors = clinic.doors;
      app = await makeApp(clinic, door, traffic, isKnownHost);
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
