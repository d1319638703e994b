// A raw capture as a transport, `replay:FILE`: the bytes of a device as they once came, for support. After
// their end the device is away. `replay:FILE?bytesPerSecond=N` tells how fast they came; else they come as
// fast as the line could carry them. The file is read on the main thread, once, when it is opened: a command
// of its own does this, beside which no device is read.

import { readFile, stat } from 'node:fs/promises';
import { IsolineError } from '../../../shared/errors.ts';
import type { OpenTransport } from './transport.ts';

const SCHEME = 'replay:';
const TICK_MS = 15;
const LARGEST_BYTES = 2 ** 30;
/** A byte on a serial line: start, eight bits, stop. */
const BITS_PER_BYTE = 10;

export const isReplayPath = (path: string): boolean => path.startsWith(SCHEME);

async function readCapture(file: string): Promise<Uint8Array> {
  const facts = await stat(file).catch(() => undefined);
  if (facts === undefined)
    throw new IsolineError('device_not_found', `The capture ${file} does not exist. Check the path.`);
  if (!facts.isFile() || facts.size === 0 || facts.size > LARGEST_BYTES)
    throw new IsolineError(
      'device_not_found',
      `${file} is not a device capture. Choose a file between 1 byte and 1 GB.`,
    );
  return readFile(file);
}

export const openReplay: OpenTransport = async (path, { baud }, events) => {
  const [file = '', query = ''] = path.slice(SCHEME.length).split('?');
  const bytesPerSecond = Number(new URLSearchParams(query).get('bytesPerSecond') ?? baud / BITS_PER_BYTE);
  if (!(bytesPerSecond > 0))
    throw new IsolineError(
      'device_not_found',
      'The replay speed must be a number of bytes per second above 0.',
    );
  const capture = await readCapture(file);
  const startMs = performance.now();
  let at = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const piece = capture.subarray(at, Math.ceil(((nowMs - startMs) * bytesPerSecond) / 1000));
    at += piece.length;
    if (piece.length > 0) events.onBytes(piece, nowMs);
    if (at < capture.length) return;
    clearInterval(timer);
    events.onGone();
  }, TICK_MS);
  return {
    isDeaf: true,
    write: async () => undefined,
    setBaud: async () => undefined,
    discard: async () => undefined,
    close: async () => clearInterval(timer),
  };
};
