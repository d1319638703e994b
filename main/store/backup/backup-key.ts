// The key of an encrypted backup: from a passphrase by scrypt, or from a file of 32 random bytes (SEC63). One key for the
// content, another for the names, so that a name tells nothing of what lies under it.

import { createHmac, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { IsolineError } from '../../../shared/errors.ts';

/** OWASP's least for scrypt: 128 MiB of memory for each try. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 } as const;
const SALT_BYTES = 32;
const KEY_BYTES = 32;
const LEAST_PASSPHRASE = 10;

export const KeyKindSchema = Type.Union([
  Type.Object({ kind: Type.Literal('none') }, { additionalProperties: false }),
  Type.Object(
    {
      kind: Type.Literal('scrypt'),
      salt: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      N: Type.Literal(SCRYPT.N),
      r: Type.Literal(SCRYPT.r),
      p: Type.Literal(SCRYPT.p),
    },
    { additionalProperties: false },
  ),
  Type.Object({ kind: Type.Literal('keyFile') }, { additionalProperties: false }),
]);
export type KeyKind = Static<typeof KeyKindSchema>;

/** What somebody gives to open a backup. */
export type KeySource =
  | { readonly kind: 'none' }
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | { readonly kind: 'keyFile'; readonly key: Uint8Array };

export interface BackupKey {
  /** The key for content. */
  readonly content: Uint8Array;
  /** The name under which content with this SHA-256 lies. */
  nameOf(sha256: string): string;
  /** Proves that it is the right one, and tells nothing of it. */
  readonly check: string;
}

const derive = (master: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', master, new Uint8Array(), `isoline backup ${purpose}`, KEY_BYTES));

function keyOf(master: Uint8Array): BackupKey {
  const names = derive(master, 'names');
  return {
    content: derive(master, 'content'),
    nameOf: (sha256) => createHmac('sha256', names).update(sha256).digest('hex'),
    check: Buffer.from(derive(master, 'check')).toString('hex'),
  };
}

/** @throws IsolineError `backup_key_wrong` for a passphrase that is too short to protect anything */
export function newKeyKind(source: KeySource): KeyKind {
  if (source.kind === 'none') return { kind: 'none' };
  if (source.kind === 'keyFile') return { kind: 'keyFile' };
  if (source.passphrase.length < LEAST_PASSPHRASE)
    throw new IsolineError(
      'backup_key_wrong',
      `Choose a passphrase of at least ${LEAST_PASSPHRASE} characters for the backup.`,
    );
  const { N, r, p } = SCRYPT;
  return { kind: 'scrypt', salt: randomBytes(SALT_BYTES).toString('hex'), N, r, p };
}

/**
 * @returns undefined where the backup is not encrypted
 * @throws IsolineError `backup_key_wrong` where something else opens it
 */
export function openKey(kind: KeyKind, source: KeySource): BackupKey | undefined {
  switch (kind.kind) {
    case 'none':
      // Whoever gives a key must not believe that it was used.
      if (source.kind !== 'none')
        throw new IsolineError(
          'backup_key_wrong',
          'The backup in this folder is not encrypted. Choose another folder for one that is.',
        );
      return undefined;
    case 'scrypt': {
      if (source.kind !== 'passphrase')
        throw new IsolineError('backup_key_wrong', 'This backup is encrypted. Its passphrase is needed.');
      const { N, r, p, salt } = kind;
      const options = { N, r, p, maxmem: SCRYPT.maxmem };
      // The same letters may be typed in more than one way.
      const passphrase = source.passphrase.normalize('NFKC');
      return keyOf(scryptSync(passphrase, Buffer.from(salt, 'hex'), KEY_BYTES, options));
    }
    case 'keyFile':
      if (source.kind !== 'keyFile')
        throw new IsolineError('backup_key_wrong', 'This backup is encrypted. Its key file is needed.');
      return keyOf(source.key);
  }
}

/** The text of a key file: 32 bytes in hexadecimal. */
export const makeKeyFile = (): string => `${randomBytes(KEY_BYTES).toString('hex')}\n`;

/** @throws IsolineError `backup_key_wrong` for what is no key file */
export function readKeyFile(text: string): KeySource {
  const hex = text.trim();
  if (!/^[0-9a-f]{64}$/.test(hex))
    throw new IsolineError('backup_key_wrong', 'This is not a key file: it has no key of 32 bytes.');
  return { kind: 'keyFile', key: Uint8Array.from(Buffer.from(hex, 'hex')) };
}
