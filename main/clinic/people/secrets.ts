// PINs and passwords: what they must be, and how they are kept (SEC50).

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { civilDateMs } from '../../../shared/civil-time.ts';

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
);

/** The cost parameters of scrypt (RFC 7914). */
export interface SecretCost {
  readonly n: number;
  readonly r: number;
  readonly p: number;
}

/** A third of a second and 128 MB. */
export const SECRET_COST: SecretCost = { n: 131_072, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MOST_MEMORY_BYTES = 256 << 20;
const STORED = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)$/;

const PIN = /^\d{6,8}$/;
const LEAST_CHARACTERS = 10;

const isDay = (year: string, month: string, day: string): boolean =>
  civilDateMs(Number(year), Number(month), Number(day)) !== undefined;

/**
 * Birthdays are what is tried first: in every order of day, month and year, with two digits of the year or
 * four.
 */
function isDate(pin: string): boolean {
  const at = (from: number, length: number): string => pin.slice(from, from + length);
  if (pin.length === 6)
    return (
      isDay(`20${at(4, 2)}`, at(2, 2), at(0, 2)) ||
      isDay(`20${at(4, 2)}`, at(0, 2), at(2, 2)) ||
      isDay(`20${at(0, 2)}`, at(2, 2), at(4, 2))
    );
  const years = /^(19|20)/;
  return (
    pin.length === 8 &&
    ((years.test(at(4, 4)) && (isDay(at(4, 4), at(2, 2), at(0, 2)) || isDay(at(4, 4), at(0, 2), at(2, 2)))) ||
      (years.test(at(0, 4)) && isDay(at(0, 4), at(4, 2), at(6, 2))))
  );
}

/** 123456, 987654, 890123: each digit next to the one before. */
function isSequence(pin: string): boolean {
  const digits = [...pin].map(Number);
  return [1, 9].some((step) =>
    digits.every((digit, i) => i === 0 || digit === ((digits[i - 1] as number) + step) % 10),
  );
}

/** 111111, 121212, 123123, 12341234. */
const isRepetition = (secret: string): boolean => /^(.{1,4})\1+$/su.test(secret);

/** Six to eight digits that are not the first that somebody tries, or ten characters and more. */
export function isGoodSecret(secret: string): boolean {
  if (isRepetition(secret)) return false;
  if (PIN.test(secret)) return !isSequence(secret) && !isDate(secret);
  return [...secret].length >= LEAST_CHARACTERS;
}

const hash = (secret: string, salt: Buffer, { n, r, p }: SecretCost, length: number): Promise<Buffer> =>
  derive(secret.normalize('NFC'), salt, length, { N: n, r, p, maxmem: MOST_MEMORY_BYTES });

/** @returns `scrypt$N$r$p$salt$hash` */
export async function hashSecret(secret: string, cost: SecretCost): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const digest = await hash(secret, salt, cost, HASH_BYTES);
  return ['scrypt', cost.n, cost.r, cost.p, salt.toString('base64'), digest.toString('base64')].join('$');
}

/** Nothing of it where it was not written by `hashSecret`. */
function readStored(stored: string): { cost: SecretCost; salt: Buffer; digest: Buffer } {
  const [, n, r, p, salt = '', digest = ''] = STORED.exec(stored) ?? [];
  return {
    cost: { n: Number(n), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    digest: Buffer.from(digest, 'base64'),
  };
}

/** @returns false for a wrong secret and for what was stored by nobody */
export async function isSecret(secret: string, stored: string): Promise<boolean> {
  const { cost, salt, digest } = readStored(stored);
  if (digest.length === 0) return false;
  return timingSafeEqual(await hash(secret, salt, cost, digest.length), digest);
}

/** Whether a stored secret was hashed at a lower cost than this. */
export function isCheaper(stored: string, { n, r, p }: SecretCost): boolean {
  const { cost } = readStored(stored);
  return cost.n * cost.r * cost.p < n * r * p;
}
