// Addresses that a person types: of a service of the web, and of a port in the network of a hospital.

import { wrong } from './wrong-field.ts';

const isLoopback = (hostname: string): boolean => /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(hostname);

/** @throws IsolineError `invalid_request` for an address to which a token must not go (D134) */
export function checkUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:'))
    throw wrong('url', 'The address must begin with https://.');
  if (parsed.username !== '' || parsed.password !== '')
    throw wrong(
      'urlSecret',
      'The address must not contain a name or a password. The token identifies this workstation.',
    );
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    throw wrong('urlPlain', 'An unencrypted address can only be this computer. Use https://.');
  return parsed;
}

/** A port in the network of a hospital. */
export interface NetworkPort {
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  /** Trusted beside those of the system, PEM. */
  readonly certificates?: string;
}

const HOST = /^[A-Za-z0-9._-]{1,253}$|^[0-9A-Fa-f:]{2,45}$/;
const MOST_PORT = 65_535;

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** @returns it as it is kept @throws IsolineError `invalid_request` */
export function checkPort<P extends NetworkPort>(at: P): P {
  const host = at.host.trim().replace(/^\[|\]$/g, '');
  if (!HOST.test(host) || !URL.canParse(`http://${bracketed(host)}`))
    throw wrong('host', 'The address must be a name or a number, such as 10.0.4.20.');
  if (!Number.isInteger(at.port) || at.port < 1 || at.port > MOST_PORT)
    throw wrong('port', 'The port must be a number from 1 to 65535.');
  return { ...at, host };
}

export const isSamePort = (one: NetworkPort, other: NetworkPort): boolean =>
  one.host.toLowerCase() === other.host.toLowerCase() && one.port === other.port && one.isTls === other.isTls;

/** `10.0.4.20:104` */
export const portText = ({ host, port }: NetworkPort): string => `${bracketed(host)}:${port}`;
