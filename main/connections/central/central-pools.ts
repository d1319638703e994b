// Connections to a central service, by lane. The client loads this with its first request: the library takes 50 ms, and
// many workstations have no centre.

import { type Dispatcher, Pool, ProxyAgent } from 'undici';
import { LANES, type Lane, PLACES } from '../../clinic/outbox/choose.ts';
import { trustedCertificates } from '../../hospital/trusted-certificates.ts';

const CONNECT_MS = 10_000;
/**
 * One request at a time on a connection: what is sent behind another one would share its fate. How long a request may
 * take is said with the request.
 */
const LIMITS = { pipelining: 1, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };

/** How it is reached. */
export interface CentralRoute {
  /** Certificates that are trusted beside those of the system, PEM. */
  readonly certificates?: readonly string[];
  /** `http://proxy:3128` */
  readonly proxy?: string;
}

/**
 * What makes a task has one connection for itself: the read before it and the creation go over the same one, so that a dead one is
 * noticed before it matters (D126).
 */
export type PoolName = Lane | 'create';
const NAMES: readonly PoolName[] = [...LANES, 'create'];

export type CentralPools = Readonly<Record<PoolName, Dispatcher>>;

/** @throws Error where the address of the proxy is none */
export function openPools(origin: string, { proxy, certificates }: CentralRoute): CentralPools {
  if (proxy !== undefined && !URL.canParse(proxy)) throw new Error('the proxy has no valid address');
  const ca = trustedCertificates(certificates);
  const connect = { timeout: CONNECT_MS, ca };
  const dispatcherOf = (name: PoolName): Dispatcher => {
    const options = { ...LIMITS, connections: name === 'create' ? 1 : PLACES[name] };
    if (proxy === undefined) return new Pool(origin, { ...options, connect });
    return new ProxyAgent({
      ...options,
      uri: proxy,
      proxyTunnel: true,
      requestTls: connect,
      proxyTls: { ca },
    });
  };
  return Object.fromEntries(NAMES.map((name) => [name, dispatcherOf(name)])) as Record<PoolName, Dispatcher>;
}
