// Sealed content: whatever its length it comes back as it was, and whatever is done to it is found.

import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { SEGMENT_BYTES, seal, sealedLength, unseal } from '../../../../main/store/backup/sealed-segments.ts';

const key = randomBytes(32);

async function* parts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function all(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}
const sealed = (bytes: Uint8Array, size = 700_001): Promise<Buffer> => all(seal(parts(bytes, size), key));
const opened = (bytes: Uint8Array, size = 300_007, with_ = key): Promise<Buffer> =>
  all(unseal(parts(bytes, size), with_));

test.each([0, 1, SEGMENT_BYTES - 1, SEGMENT_BYTES, SEGMENT_BYTES + 1, 3 * SEGMENT_BYTES, 3_500_000])(
  '%d bytes come back, and are as long as foreseen',
  async (length) => {
    const bytes = randomBytes(length);
    const made = await sealed(bytes);
    expect(made.length).toBe(sealedLength(length));
    for (const size of [100_003, SEGMENT_BYTES, 5_000_000])
      expect(Buffer.compare(await opened(made, size), bytes)).toBe(0);
  },
);

test('the same content is sealed in another way each time', async () => {
  const bytes = randomBytes(1000);
  expect(Buffer.compare(await sealed(bytes), await sealed(bytes))).not.toBe(0);
});

describe('what was done to it is found', () => {
  const bytes = randomBytes(3 * SEGMENT_BYTES + 5000);
  const segment = SEGMENT_BYTES + 16;
  const head = sealedLength(0) - 16;
  const damagedBy = async (change: (made: Buffer) => Buffer): Promise<void> => {
    await expect(opened(change(await sealed(bytes)))).rejects.toMatchObject({ reason: 'backup_damaged' });
  };

  test('one bit anywhere: in the header, in a segment, in a mark of authenticity', async () => {
    const made = await sealed(bytes);
    const places = [0, 7, 8, 39, head, head + segment - 1, head + segment, made.length - 1];
    for (let i = 0; i < 40; i++) places.push(Math.floor((i * made.length) / 40));
    for (const place of places) {
      const changed = Buffer.from(made);
      changed[place] = changed[place]! ^ (1 << (place % 8));
      await expect(opened(changed), `byte ${place}`).rejects.toMatchObject({ reason: 'backup_damaged' });
    }
  });

  test('a cut end, at any place and between segments', async () => {
    for (const length of [0, 5, head, head + 15, head + segment, head + 3 * segment, head + 3 * segment + 17])
      await damagedBy((made) => made.subarray(0, length));
  });

  test('segments that were swapped, repeated, left out, or appended', async () => {
    const nth = (made: Buffer, n: number): Buffer =>
      made.subarray(head + n * segment, head + (n + 1) * segment);
    await damagedBy((made) =>
      Buffer.concat([made.subarray(0, head), nth(made, 1), nth(made, 0), nth(made, 2), nth(made, 3)]),
    );
    await damagedBy((made) =>
      Buffer.concat([made.subarray(0, head + segment), nth(made, 0), nth(made, 2), nth(made, 3)]),
    );
    await damagedBy((made) =>
      Buffer.concat([made.subarray(0, head), nth(made, 1), nth(made, 2), nth(made, 3)]),
    );
    await damagedBy((made) => Buffer.concat([made, Buffer.from([0])]));
  });

  test('another key, and a segment of another content', async () => {
    await expect(opened(await sealed(bytes), 300_007, randomBytes(32))).rejects.toMatchObject({
      reason: 'backup_damaged',
    });
    const other = await sealed(bytes);
    await damagedBy((made) =>
      Buffer.concat([made.subarray(0, head + segment), other.subarray(head + segment)]),
    );
  });
});
