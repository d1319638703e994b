// A FHIR server that does as it is told, in memory: transactions with conditional creation and update, searches (patients by
// identifier, requests with their patients, in pages), and tokens for clients. What the schema of R4 does not allow, it refuses.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faultsOf } from '../support/fhir-schema.ts';

export interface StoredResource {
  readonly resourceType: string;
  readonly id: string;
  readonly identifier?: readonly { readonly system?: string; readonly value: string }[];
  readonly [field: string]: unknown;
}

interface Entry {
  readonly fullUrl: string;
  readonly resource: { readonly resourceType: string };
  readonly request: { readonly method: string; readonly url: string; readonly ifNoneExist?: string };
}

/** What becomes of the next transaction. */
export type Plan = 'take' | 'lose' | 'busy' | 'fault' | 'deny';

export interface FhirDouble extends AsyncDisposable {
  readonly url: string;
  readonly tokenUrl: string;
  readonly resources: readonly StoredResource[];
  /** Counts requests of any kind, whatever became of them. */
  readonly requests: number;
  /** Counts transactions, whatever became of them. */
  readonly transactions: number;
  readonly tokensGiven: number;
  plan(...plans: Plan[]): void;
  /** @throws Error where the schema does not allow it */
  add(resource: StoredResource): void;
  /** In place of the one with the same type and id. */
  change(resource: StoredResource): void;
  /** How many entries a page of a search has at most. */
  pageEntries: number;
  /** Every question is answered so while it is set. */
  searchStatus: number | undefined;
}

export interface FhirDoubleOptions {
  /** Everybody is let in where there is none. */
  readonly client?: { readonly id: string; readonly secret: string };
}

const outcome = (text: string): object => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'processing', diagnostics: text }],
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function say(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'Content-Type': 'application/fhir+json', ...headers })
    .end(JSON.stringify(body));
}

const KNOWN_PARAMETERS: readonly string[] = [
  'status',
  'intent',
  'code',
  '_include',
  '_count',
  '_getpages',
  'from',
];

class Resources {
  readonly all: StoredResource[] = [];

  requests(asked: URLSearchParams): StoredResource[] {
    return this.all.filter((resource) => {
      const { coding = [] } = (resource.code ?? {}) as { coding?: { system?: string; code: string }[] };
      const codes = asked.get('code')?.split(',');
      return (
        resource.resourceType === 'ServiceRequest' &&
        ['status', 'intent'].every((name) => !asked.has(name) || asked.get(name) === resource[name]) &&
        (codes === undefined || coding.some(({ system, code }) => codes.includes(`${system}|${code}`)))
      );
    });
  }

  /** The request, and behind it whom it is for. */
  withPatient(request: StoredResource): StoredResource[] {
    const { reference } = request.subject as { readonly reference?: string };
    const patient = this.all.find(({ resourceType, id }) => `${resourceType}/${id}` === reference);
    return patient === undefined ? [request] : [request, patient];
  }

  find(type: string, query: string): StoredResource[] {
    const number = new URLSearchParams(query).get('_id');
    if (number !== null)
      return this.all.filter(({ resourceType, id }) => resourceType === type && id === number);
    const asked = new URLSearchParams(query).get('identifier') ?? '';
    const parts = asked.split(/(?<!\\)\|/).map((part) => part.replace(/\\([\\$,|])/g, '$1'));
    const [system, value] = parts.length > 1 ? parts : [undefined, parts[0]];
    return this.all.filter(
      ({ resourceType, identifier = [] }) =>
        resourceType === type &&
        identifier.some((each) => each.value === value && (system === undefined || each.system === system)),
    );
  }

  /** @throws Error where something is not as it must be; then nothing is done */
  take(entries: readonly Entry[]): void {
    for (const { resource } of entries) {
      const [fault] = faultsOf(resource);
      if (fault !== undefined) throw new Error(`${resource.resourceType}: ${fault}`);
    }
    const ids = new Map<string, string>();
    for (const { fullUrl, resource, request } of entries) {
      const query = request.ifNoneExist ?? request.url.split('?')[1] ?? '';
      const [known] = this.find(resource.resourceType, query);
      const id = known?.id ?? String(this.all.length + 1);
      ids.set(fullUrl, `${resource.resourceType}/${id}`);
      if (known !== undefined && request.method === 'POST') continue;
      const stored: StoredResource = { ...resource, id };
      if (known === undefined) this.all.push(stored);
      else this.all[this.all.indexOf(known)] = stored;
    }
    for (const [i, resource] of this.all.entries()) {
      const text = JSON.stringify(resource).replaceAll(/urn:uuid:[0-9a-f-]+/g, (url) => ids.get(url) ?? url);
      this.all[i] = JSON.parse(text) as StoredResource;
    }
  }
}

export async function startFhirDouble({ client }: FhirDoubleOptions = {}): Promise<FhirDouble> {
  const resources = new Resources();
  const plans: Plan[] = [];
  const state = { requests: 0, transactions: 0, tokensGiven: 0 };
  const searching: { pageEntries: number; status: number | undefined } = {
    pageEntries: 100,
    status: undefined,
  };
  const expected =
    client &&
    `Basic ${Buffer.from([client.id, client.secret].map(encodeURIComponent).join(':')).toString('base64')}`;
  const tokenText = (): string => `token-${state.tokensGiven}`;

  function give(request: IncomingMessage, response: ServerResponse): void {
    if (request.headers.authorization !== expected) say(response, 401, { error: 'invalid_client' });
    else {
      state.tokensGiven++;
      say(response, 200, { access_token: tokenText(), token_type: 'bearer', expires_in: 3600 });
    }
  }

  async function transact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bundle = JSON.parse(await bodyOf(request)) as { resourceType: string; entry: Entry[] };
    state.transactions++;
    const plan = plans.shift() ?? 'take';
    if (plan === 'busy') return say(response, 503, {}, { 'Retry-After': '1' });
    if (plan === 'fault') return say(response, 500, outcome('disk'));
    if (plan === 'deny') return say(response, 422, outcome('Patient not known'));
    try {
      const [fault] = faultsOf(bundle);
      if (fault !== undefined) throw new Error(fault);
      resources.take(bundle.entry);
    } catch (error) {
      return say(response, 422, outcome((error as Error).message));
    }
    if (plan === 'lose') return void response.destroy();
    say(response, 200, { resourceType: 'Bundle', type: 'transaction-response' });
  }

  function searchRequests(request: IncomingMessage, asked: URLSearchParams): readonly [number, object] {
    if (searching.status !== undefined) return [searching.status, outcome('not now')];
    const isStrict = request.headers.prefer === 'handling=strict';
    const unknown = [...asked.keys()].find((name) => !KNOWN_PARAMETERS.includes(name));
    if (isStrict && unknown !== undefined) return [400, outcome(`${unknown} is not known`)];
    const all = resources.requests(asked);
    const from = Number(asked.get('from') ?? 0);
    const to = from + searching.pageEntries;
    const next = new URLSearchParams([...asked].filter(([name]) => name !== 'from'));
    next.set('from', String(to));
    const bundle = {
      resourceType: 'Bundle',
      type: 'searchset',
      // As a server says it that does not know what it is called from outside.
      ...(to < all.length && {
        // Some servers go on at their base alone: every other page is there.
        link: [
          {
            relation: 'next',
            url: `http://inside:8080/fhir${to % 2 === 0 ? '/ServiceRequest?' : '?_getpages=1&'}${next}`,
          },
        ],
      }),
      entry: all
        .slice(from, to)
        .flatMap((each) => (asked.has('_include') ? resources.withPatient(each) : [each]))
        .map((resource) => ({ resource })),
    };
    return [200, bundle];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/token') return give(request, response);
    if (pathname === '/fhir/metadata')
      return say(response, 200, { resourceType: 'CapabilityStatement', fhirVersion: '4.0.1' });
    if (client !== undefined && request.headers.authorization !== `Bearer ${tokenText()}`)
      return say(response, 401, outcome('no token'));
    if (request.method === 'POST' && pathname === '/fhir') return transact(request, response);
    const isPage = pathname === '/fhir' && new URLSearchParams(search).has('_getpages');
    const type = isPage ? 'ServiceRequest' : /^\/fhir\/(\w+)$/.exec(pathname)?.[1];
    if (type === undefined) return say(response, 404, outcome('not here'));
    if (type === 'ServiceRequest')
      return say(response, ...searchRequests(request, new URLSearchParams(search)));
    const entry = resources.find(type, search).map((resource) => ({ resource }));
    say(response, 200, { resourceType: 'Bundle', type: 'searchset', entry });
  }

  const server = createServer((request, response) => {
    state.requests++;
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/fhir`,
    tokenUrl: `${origin}/token`,
    resources: resources.all,
    get requests() {
      return state.requests;
    },
    get transactions() {
      return state.transactions;
    },
    get tokensGiven() {
      return state.tokensGiven;
    },
    plan: (...next) => void plans.push(...next),
    add(resource) {
      const [fault] = faultsOf(resource);
      if (fault !== undefined) throw new Error(`${resource.resourceType}: ${fault}`);
      resources.all.push(resource);
    },
    change(resource) {
      const isSame = ({ resourceType, id }: StoredResource): boolean =>
        resourceType === resource.resourceType && id === resource.id;
      resources.all[resources.all.findIndex(isSame)] = resource;
    },
    get pageEntries() {
      return searching.pageEntries;
    },
    set pageEntries(entries) {
      searching.pageEntries = entries;
    },
    get searchStatus() {
      return searching.status;
    },
    set searchStatus(status) {
      searching.status = status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
