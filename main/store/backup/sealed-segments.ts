// Content in segments of 1 MiB, each sealed by itself (SEC63): a changed, swapped, repeated or missing segment is found, and so
// is a cut end. Every piece of content has a key of its own, so that no two segments ever share a key and a nonce, however many
// there are; a random start of each nonce, as the reference has it, would meet itself again after some ten thousand files.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { IsolineError } from '../../../shared/errors.ts';

const MAGIC = Buffer.from('ISOBAK1\n', 'latin1');
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
export const SEGMENT_BYTES = 2 ** 20;
const HEADER_BYTES = MAGIC.length + SALT_BYTES;
const SEALED_BYTES = SEGMENT_BYTES + TAG_BYTES;
const CIPHER = 'aes-256-gcm';

const damaged = (): IsolineError =>
  new IsolineError('backup_damaged', 'A file of the backup is damaged or was changed.');

const ownKey = (key: Uint8Array, salt: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, salt, 'isoline backup segment', 32));

/** The number of the segment; no key has more than one content. */
function nonceOf(index: number): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(index), NONCE_BYTES - 8);
  return nonce;
}

const isLastByte = (isLast: boolean): Buffer => Buffer.from([isLast ? 1 : 0]);

/** Cuts what comes into pieces of one size; the last one may be shorter, and is empty only where nothing came. */
async function* cut(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ bytes: Uint8Array; isLast: boolean }> {
  const present = new Uint8Array(size);
  let length = 0;
  for await (const part of source)
    for (let at = 0; at < part.length; ) {
      // A full one stays until it is known whether more comes.
      if (length === size) {
        yield { bytes: present, isLast: false };
        length = 0;
      }
      const taken = Math.min(size - length, part.length - at);
      present.set(part.subarray(at, at + taken), length);
      length += taken;
      at += taken;
    }
  yield { bytes: present.subarray(0, length), isLast: true };
}

/** How long content is once it is sealed. */
export const sealedLength = (lengthBytes: number): number =>
  HEADER_BYTES + lengthBytes + TAG_BYTES * Math.max(1, Math.ceil(lengthBytes / SEGMENT_BYTES));

export async function* seal(source: AsyncIterable<Uint8Array>, key: Uint8Array): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(SALT_BYTES);
  const own = ownKey(key, salt);
  yield Buffer.concat([MAGIC, salt]);
  let index = 0;
  for await (const { bytes, isLast } of cut(source, SEGMENT_BYTES)) {
    const cipher = createCipheriv(CIPHER, own, nonceOf(index++));
    cipher.setAAD(isLastByte(isLast));
    yield cipher.update(bytes);
    yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
  }
}

function openSegment(own: Uint8Array, index: number, bytes: Uint8Array, isLast: boolean): Uint8Array {
  if (bytes.length < TAG_BYTES) throw damaged();
  const decipher = createDecipheriv(CIPHER, own, nonceOf(index), { authTagLength: TAG_BYTES });
  decipher.setAAD(isLastByte(isLast));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    const plain = decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES));
    // Nothing is given out before its mark was found right; in this mode nothing is left over.
    decipher.final();
    return plain;
  } catch {
    throw damaged();
  }
}

/** @throws IsolineError `backup_damaged` for what was not sealed with this key, or not so */
export async function* unseal(
  source: AsyncIterable<Uint8Array>,
  key: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let own: Uint8Array | undefined;
  let index = 0;
  for await (const { bytes, isLast } of cut(
    withoutHeader(source, (salt) => {
      own = ownKey(key, salt);
    }),
    SEALED_BYTES,
  )) {
    if (own === undefined) throw damaged();
    yield openSegment(own, index++, bytes, isLast);
  }
}

/** The header may come in pieces. */
async function* withoutHeader(
  source: AsyncIterable<Uint8Array>,
  onSalt: (salt: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  let isRead = false;
  for await (const part of source) {
    if (isRead) {
      yield part;
      continue;
    }
    head = Buffer.concat([head, part]);
    if (head.length < HEADER_BYTES) continue;
    if (!head.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged();
    isRead = true;
    onSalt(head.subarray(MAGIC.length, HEADER_BYTES));
    yield head.subarray(HEADER_BYTES);
  }
  if (!isRead) throw damaged();
}
