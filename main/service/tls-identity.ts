// The certificate with which the service shows itself to the network: files of the clinic, or a pair that the
// program makes and whose fingerprint it shows (SEC40 to SEC42). Renewed with the same key, so that devices
// that pin the key stay connected.

import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { IsolineError } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import type { TlsPair } from './listeners.ts';

const DAY_MS = 86_400_000;
const LIFE_DAYS = 397;
const RENEW_DAYS = 30;
const KEY_FILE = 'key.pem';
const CERTIFICATE_FILE = 'certificate.pem';

export interface TlsIdentity extends TlsPair {
  /** SHA-256 of the certificate, as people compare it: pairs of hexadecimal digits. */
  readonly fingerprint: string;
  /** Names and addresses under which the network may know this computer. */
  readonly names: readonly string[];
  /** The names and addresses that the certificate is for. */
  readonly certifiedNames: readonly string[];
}

/** Where a pair of our own lies, and how it gets there. */
export interface OwnFiles {
  readonly dataDir: string;
  /** Leaves the old content or the new one as a whole, for its owner alone. */
  writeDurably(path: string, content: string): Promise<void>;
}

const isAddress = (name: string): boolean => /^[\d.]+$|:/.test(name);

/** Names that somebody has set: of this computer on the network, or of a proxy in front of it. */
export const furtherNames = (settings: Settings): readonly string[] =>
  settings['service.hostNames']
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function ownNames(host: string, settings: Settings): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each = []) =>
    // Addresses of the other kind change by the day, and nobody listens at them.
    each.filter(({ internal, family }) => !internal && (family === 'IPv4' || host.includes(':'))),
  );
  const wildcard = host === '0.0.0.0' || host === '::';
  const names = [
    hostname(),
    ...addresses.map(({ address }) => address.split('%')[0] ?? ''),
    ...(wildcard ? [] : [host]),
    ...furtherNames(settings),
  ];
  return [...new Set(names.filter((name) => name !== ''))];
}

const isNamed = (certificate: X509Certificate, name: string): boolean =>
  (isAddress(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;

/** Names and numbers that a certificate spells out: none that stand for many, and none that mean whoever reads them. */
const namesIn = ({ subjectAltName = '' }: X509Certificate): string[] =>
  [...subjectAltName.matchAll(/(?:^|, )(?:DNS|IP Address):([^,"]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !/[*:]|^localhost$|^127\./.test(name));

const unusable = (why: string): IsolineError => new IsolineError('network_needs_tls', why);

/** @throws IsolineError where the key doesn't belong to the certificate, or its time is over. */
function checkPair({ certificate, key }: TlsPair): X509Certificate {
  let parsed: X509Certificate;
  try {
    parsed = new X509Certificate(certificate);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) throw new Error('another key');
  } catch {
    throw unusable(
      'The certificate and the key of the service are no pair of PEM files. Check service.tlsCertificate and service.tlsKey.',
    );
  }
  if (Date.parse(parsed.validTo) <= Date.now())
    throw unusable(`The certificate of the service ended on ${parsed.validTo}. Renew it.`);
  if (parsed.subjectAltName === undefined)
    throw unusable(
      'The certificate of the service names no host (subjectAltName), so that no client would accept it.',
    );
  return parsed;
}

function readPair(settings: Settings): TlsPair {
  const read = (key: 'service.tlsCertificate' | 'service.tlsKey'): string => {
    try {
      return readFileSync(settings[key], 'utf8');
    } catch {
      throw unusable(`The file of the setting ${key} cannot be read.`);
    }
  };
  return { certificate: read('service.tlsCertificate'), key: read('service.tlsKey') };
}

async function makePair(names: readonly string[], oldKey: string | undefined): Promise<TlsPair> {
  const notBeforeDate = new Date();
  const keyPair =
    oldKey === undefined
      ? undefined
      : {
          privateKey: oldKey,
          publicKey: createPublicKey(oldKey).export({ type: 'spki', format: 'pem' }).toString(),
        };
  const made = await (await import('selfsigned')).generate([{ name: 'commonName', value: hostname() }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate,
    notAfterDate: new Date(notBeforeDate.getTime() + LIFE_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: ['localhost', '127.0.0.1', '::1', ...names].map((name) =>
          isAddress(name) ? { type: 7, ip: name } : { type: 2, value: name },
        ),
      },
    ],
    ...(keyPair !== undefined && { keyPair }),
  });
  return { certificate: made.cert, key: made.private };
}

/** What of the pair in the data folder can still be used. A power cut may have left anything. */
function readOwnPair(
  folder: string,
  names: readonly string[],
): { readonly key?: string; readonly certificate?: string } {
  try {
    const key = readFileSync(join(folder, KEY_FILE), 'utf8');
    createPrivateKey(key);
    try {
      const certificate = readFileSync(join(folder, CERTIFICATE_FILE), 'utf8');
      const parsed = checkPair({ certificate, key });
      const isFresh = Date.parse(parsed.validTo) - Date.now() > RENEW_DAYS * DAY_MS;
      const namesAll = names.every((name) => isNamed(parsed, name));
      return isFresh && namesAll ? { key, certificate } : { key };
    } catch {
      // Missing, damaged, ended, or of another key: it is created again for this key.
      return { key };
    }
  } catch {
    // Missing or damaged: both are created again.
    return {};
  }
}

/**
 * The pair in the data folder; a new certificate for the same key where it is about to end or the computer
 * has other names.
 */
async function ownPair({ dataDir, writeDurably }: OwnFiles, names: readonly string[]): Promise<TlsPair> {
  const folder = join(dataDir, 'tls');
  const { key, certificate } = readOwnPair(folder, names);
  if (key !== undefined && certificate !== undefined) return { certificate, key };
  const pair = await makePair(names, key);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await writeDurably(join(folder, KEY_FILE), pair.key);
  await writeDurably(join(folder, CERTIFICATE_FILE), pair.certificate);
  return pair;
}

/** @throws IsolineError `network_needs_tls` */
export async function tlsIdentity(own: OwnFiles, host: string, settings: Settings): Promise<TlsIdentity> {
  const ours = ownNames(host, settings);
  const isOfClinic = settings['service.tls'] === 'files';
  const pair = isOfClinic ? readPair(settings) : await ownPair(own, ours);
  const certificate = checkPair(pair);
  const names = isOfClinic ? [...new Set([...ours, ...namesIn(certificate)])] : ours;
  return {
    ...pair,
    names,
    certifiedNames: names.filter((name) => isNamed(certificate, name)),
    fingerprint: certificate.fingerprint256,
  };
}
