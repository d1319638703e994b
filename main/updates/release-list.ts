// The signed list of a release (`release.json`, with `release.json.sig` beside it): which version it is, until when the
// list holds, and what each of its files is, byte by byte. Nothing that a server says of a release is believed
// without it (security reference, SEC81).

import { createPublicKey, verify } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { IsolineError } from '../../shared/errors.ts';
import { checkerOf } from '../../shared/validator.ts';
import type { Release } from '../clinic/updates/records.ts';

export const RELEASE_LIST = 'release.json';
export const RELEASE_SIGNATURE = `${RELEASE_LIST}.sig`;

const closed = { additionalProperties: false } as const;
const Version = Type.String({ pattern: '^(0|[1-9]\\d{0,5})(\\.(0|[1-9]\\d{0,5})){2}$' });
const Time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{3})?Z$' });
const MAX_FILES = 50;

/** As it is written in `release.json`. */
export const ReleaseList = Type.Object(
  {
    product: Type.Literal('isoline'),
    channel: Type.Literal('latest'),
    version: Version,
    /** Older ones first go to a version between. */
    minimumVersion: Version,
    createdAt: Time,
    expiresAt: Time,
    /** What changes, for the people of a clinic. */
    notes: Type.Object(
      { en: Type.String({ maxLength: 4000 }), es: Type.String({ maxLength: 4000 }) },
      closed,
    ),
    files: Type.Array(
      Type.Object(
        {
          name: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$' }),
          sizeBytes: Type.Integer({ minimum: 1, maximum: 4e9 }),
          /** Base64, as in the feeds of electron-updater. */
          sha512: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
        },
        closed,
      ),
      { minItems: 1, maxItems: MAX_FILES },
    ),
  },
  closed,
);
export type ReleaseList = Static<typeof ReleaseList>;

const isReleaseList = checkerOf(ReleaseList);

/** The first bytes of an Ed25519 public key in DER (RFC 8410); the 32 bytes of the key follow. */
const ED25519_DER = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_BYTES = 64;

const isSigned = (bytes: Uint8Array, signature: Buffer, key: string): boolean =>
  verify(
    null,
    bytes,
    createPublicKey({
      key: Buffer.concat([ED25519_DER, Buffer.from(key, 'base64')]),
      format: 'der',
      type: 'spki',
    }),
    signature,
  );

const unsigned = (): IsolineError =>
  new IsolineError(
    'update_unsigned',
    'This is not a genuine release of Isoline: its signature is missing or wrong. Nothing was installed. Get it from where Isoline is published.',
  );

/** Parsed only after its signature held. */
function parseSigned(bytes: Uint8Array): ReleaseList {
  try {
    const list: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isReleaseList(list)) return list;
  } catch {
    // What was signed and cannot be read is told like any other list that cannot be.
  }
  throw new IsolineError(
    'update_unreadable',
    'This version of Isoline cannot read the list of the release. Install the new version by hand.',
  );
}

/**
 * @param keys Ed25519 public keys, 32 bytes in base64: the one in use and the next
 * @param signature base64
 * @throws IsolineError `update_unsigned`, `update_expired`, `update_unreadable`
 */
export function readReleaseList(
  bytes: Uint8Array,
  signature: string,
  keys: readonly string[],
  nowMs: number,
): Release {
  const signatureBytes = Buffer.from(signature.trim(), 'base64');
  if (signatureBytes.length !== SIGNATURE_BYTES || !keys.some((key) => isSigned(bytes, signatureBytes, key)))
    throw unsigned();
  const { version, minimumVersion, expiresAt, notes, files } = parseSigned(bytes);
  if (Date.parse(expiresAt) <= nowMs)
    throw new IsolineError(
      'update_expired',
      'The list of the release has expired. Check the date of this computer, and ask for a newer release.',
    );
  return { version, minimumVersion, notes, files };
}
