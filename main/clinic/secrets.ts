// PINs and passwords: what they must be, and how they are kept (SEC50).

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

interface Cost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

const COST: Cost = { n: 131_072, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MOST_MEMORY_BYTES = 256 << 20;
const STORED = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

/** Six to eight digits, or ten characters and more. */
export const isGoodSecret = (secret: string): boolean => /^\d{6,8}$/.test(secret) || [...secret].length >= 10;

const hash = (secret: string, salt: Buffer, { n, r, p }: Cost, length: number): Promise<Buffer> =>
  derive(secret.normalize('NFC'), salt, length, { N: n, r, p, maxmem: MOST_MEMORY_BYTES });

/** @returns `scrypt$N$r$p$salt$hash` */
export async function hashSecret(secret: string, cost: Cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const digest = await hash(secret, salt, cost, HASH_BYTES);
  return ['scrypt', cost.n, cost.r, cost.p, salt.toString('base64'), digest.toString('base64')].join('$');
}

/** @returns false for a wrong secret and for what was stored by nobody */
export async function isSecret(secret: string, stored: string): Promise<boolean> {
  const [, n, r, p, salt = '', digest = ''] = STORED.exec(stored) ?? [];
  const expected = Buffer.from(digest, 'base64');
  if (n === undefined || expected.length === 0) return false;
  const found = await hash(secret, Buffer.from(salt, 'base64'), { n: Number(n), r: Number(r), p: Number(p) }, expected.length);
  return timingSafeEqual(found, expected);
}
