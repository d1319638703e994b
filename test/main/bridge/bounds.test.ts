// What a hostile page can send (SEC12, SEC15): nothing of it reaches another thread, none of it costs more
// memory than it is long.

import { encode } from '@msgpack/msgpack';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { guarded } from '../../../main/bridge/guarded-port.ts';
import { isPackedWithinBounds, unpackMessage } from '../../../main/bridge/message-pack.ts';
import { portPair } from '../../../main/bridge/port-pair.ts';
import { isWithinBounds, MAX_MESSAGE_BYTES, MAX_NODES } from '../../../shared/bridge/bounds.ts';

const call = (input: unknown) => ({ kind: 'call', id: 7, name: 'task.list', input });

/** `count` times one byte behind the head of an array of that many. */
function arrayOf(count: number, item: number): Uint8Array {
  const bytes = new Uint8Array(5 + count).fill(item);
  bytes[0] = 0xdd;
  new DataView(bytes.buffer).setUint32(1, count);
  return bytes;
}

describe('a packed message (SEC12)', () => {
  test.each([
    ['sixteen million empty maps', arrayOf(16_000_000, 0x80)],
    ['a million empty arrays', arrayOf(1_000_000, 0x90)],
    ['an array that says it has four thousand million items', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff)],
    ['a map that says so', Uint8Array.of(0xdf, 0xff, 0xff, 0xff, 0xff)],
    ['a text that says it has four gigabytes', Uint8Array.of(0xdb, 0xff, 0xff, 0xff, 0xff)],
    ['arrays inside each other a thousand times', new Uint8Array(1000).fill(0x91)],
    ['an extension', Uint8Array.of(0xd4, 1, 0)],
    ['a code that does not exist', Uint8Array.of(0xc1)],
    ['nothing', new Uint8Array(0)],
    ['two messages in one', Uint8Array.of(0xc0, 0xc0)],
    ['a cut head', Uint8Array.of(0xdc, 0)],
  ])('that is %s is refused before it is unpacked', (_name, bytes) => {
    const before = process.memoryUsage().heapUsed;
    expect(isPackedWithinBounds(bytes)).toBe(false);
    expect(() => unpackMessage(bytes)).toThrow(RangeError);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(32 << 20);
  });

  test('of ours goes through as it was, also with a megabyte of bytes and the longest list', () => {
    const files = Array.from({ length: 10_000 }, (_, i) => ({ name: `record ${i}.hea`, sizeBytes: i }));
    for (const message of [
      call({ files }),
      call({ bytes: new Uint8Array(1 << 20).fill(7), offsetBytes: 2 ** 40 }),
      call({ a: [null, true, -1.5, 'ü'] }),
    ]) {
      const unpacked = unpackMessage(encode(message));
      expect(unpacked).toEqual(message);
      expect(isWithinBounds(unpacked)).toBe(true);
    }
  });

  test('of any shape is counted as what it unpacks to', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes('__proto__')),
        (value) => {
          expect(JSON.stringify(unpackMessage(encode(value)))).toBe(JSON.stringify(value));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('of random bytes is unpacked or refused, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          unpackMessage(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('an unpacked message, as Electron hands it on (SEC12)', () => {
  const shared = { list: Array.from({ length: 1000 }, () => 1) };
  test.each([
    ['a small object a thousand times', call(Array.from({ length: 1000 }, () => shared))],
    [
      'one that holds itself',
      (() => {
        const loop: Record<string, unknown> = {};
        loop.self = loop;
        return call(loop);
      })(),
    ],
    [
      'too many values',
      call(Array.from({ length: 11 }, () => Array.from({ length: MAX_NODES / 10 }, () => 0))),
    ],
    ['a map', call(new Map([[1, 2]]))],
    ['a buffer of another kind', call(new Float64Array(4))],
    ['too many bytes', call(new Uint8Array(MAX_MESSAGE_BYTES))],
    ['not a number', call(Number.NaN)],
  ])('with %s is refused', (_name, message) => {
    expect(isWithinBounds(message)).toBe(false);
  });
});

describe('a guarded port (SEC15)', () => {
  test('passes 200 messages a second on, and lets the others wait in their order', () => {
    vi.useFakeTimers();
    try {
      const [near, far] = portPair();
      const posted: unknown[] = [];
      const port = guarded(
        {
          ...near,
          post: (message) => posted.push(message),
          onMessage: () => undefined,
          onClose: () => undefined,
          close: () => undefined,
        },
        { nowMs: () => Date.now() },
      );
      for (let id = 1; id <= 1000; id++) port.post({ kind: 'cancel', id });
      expect(posted).toHaveLength(400);
      vi.advanceTimersByTime(1000);
      expect(Math.abs(posted.length - 600)).toBeLessThanOrEqual(12);
      vi.advanceTimersByTime(5000);
      expect(posted).toEqual(Array.from({ length: 1000 }, (_, i) => ({ kind: 'cancel', id: i + 1 })));
      far.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test('is closed for a page that does not stop', () => {
    const close = vi.fn();
    const port = guarded(
      { post: () => undefined, onMessage: () => undefined, onClose: () => undefined, close },
      { nowMs: () => 0 },
    );
    for (let id = 1; id <= 3000; id++) port.post({ kind: 'cancel', id });
    expect(close).toHaveBeenCalled();
  });

  test('answers what is too large with an error, and passes nothing of it on', () => {
    const posted: unknown[] = [];
    const answers: unknown[] = [];
    const port = guarded({
      post: (message) => posted.push(message),
      onMessage: () => undefined,
      onClose: () => undefined,
      close: () => undefined,
    });
    port.onMessage((message) => answers.push(message));
    port.post(call('x'.repeat(20_000)));
    expect(posted).toEqual([]);
    expect(answers).toMatchObject([{ kind: 'error', id: 7, error: { reason: 'invalid_message' } }]);
  });
});
