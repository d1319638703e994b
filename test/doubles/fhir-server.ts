// A FHIR server that does as it is told, in memory: transactions with conditional creation and update, a search by identifier, and
// tokens for clients. What the schema of R4 does not allow, it refuses.

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
  /** Of transactions, whatever became of them. */
  readonly transactions: number;
  readonly tokensGiven: number;
  plan(...plans: Plan[]): void;
  add(resource: StoredResource): void;
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

class Resources {
  readonly all: StoredResource[] = [];

  find(type: string, query: string): StoredResource[] {
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
  const state = { transactions: 0, tokensGiven: 0 };
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

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/token') return give(request, response);
    if (pathname === '/fhir/metadata')
      return say(response, 200, { resourceType: 'CapabilityStatement', fhirVersion: '4.0.1' });
    if (client !== undefined && request.headers.authorization !== `Bearer ${tokenText()}`)
      return say(response, 401, outcome('no token'));
    if (request.method === 'POST' && pathname === '/fhir') return transact(request, response);
    const type = /^\/fhir\/(\w+)$/.exec(pathname)?.[1];
    if (type === undefined) return say(response, 404, outcome('not here'));
    const entry = resources.find(type, search).map((resource) => ({ resource }));
    say(response, 200, { resourceType: 'Bundle', type: 'searchset', entry });
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/fhir`,
    tokenUrl: `${origin}/token`,
    resources: resources.all,
    get transactions() {
      return state.transactions;
    },
    get tokensGiven() {
      return state.tokensGiven;
    },
    plan: (...next) => void plans.push(...next),
    add: (resource) => void resources.all.push(resource),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
