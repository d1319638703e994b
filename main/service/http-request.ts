// What HTTP itself must get right before anything else is looked at (D3 step 1, D6, D7).

import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { IsolineError } from '../../shared/errors.ts';

/** On every answer (D2). */
export const ANSWER_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/**
 * All values of a header, also where it was sent more than once. Node's own lists are built again for every
 * request; this is not.
 */
export function headerValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string;
    if (header.length === name.length && header.toLowerCase() === name)
      values.push(rawHeaders[i + 1] as string);
  }
  return values;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
export const isLoopback = (host: string): boolean =>
  LOOPBACK.has(host) || (isIP(host) === 4 && host.startsWith('127.'));

const HOST = /^(\[[^\]]+\]|[^:]+)(?::\d{1,5})?$/;

/** Names under which the service answers: loopback always, others where it is open to the network. */
export type HostNames = (name: string) => boolean;

/** D6: a name that leads here from a foreign page must not be answered. */
function isOwnHost(header: string | undefined, isKnown: HostNames): boolean {
  const name =
    HOST.exec(header ?? '')?.[1]
      ?.replace(/^\[|\]$/g, '')
      .toLowerCase() ?? '';
  return isLoopback(name) || isKnown(name);
}

const ABSOLUTE_FORM = /^https?:\/\/([^/?#]*)([^#]*)/i;

/**
 * A target with scheme and host, as clients behind a proxy send it, as a path (RFC 9112, 3.2.2).
 * @throws IsolineError `invalid_request` where its host is not this one
 */
export function toOriginForm(request: IncomingMessage, isKnown: HostNames): void {
  const match = ABSOLUTE_FORM.exec(request.url ?? '');
  if (match === null) return;
  if (!isOwnHost(match[1], isKnown))
    throw new IsolineError('invalid_request', 'The address of the request does not name this workstation.');
  request.url = match[2]?.startsWith('/') === true ? match[2] : `/${match[2] ?? ''}`;
}

/** @throws IsolineError `invalid_request`, `invalid_content_encoding` */
export function checkHttp(request: IncomingMessage, isKnown: HostNames): void {
  const hosts = headerValues(request, 'host');
  const isOld = request.httpVersion === '1.0' && hosts.length === 0;
  if (!isOld && (hosts.length !== 1 || !isOwnHost(hosts[0], isKnown)))
    throw new IsolineError('invalid_request', 'The Host header does not name this workstation.');
  const transfer = request.headers['transfer-encoding'];
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked')
    throw new IsolineError(
      'invalid_content_encoding',
      'Send the body without Transfer-Encoding, or with "chunked" alone.',
    );
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new IsolineError('invalid_content_encoding', 'Send the body without Content-Encoding.');
}
