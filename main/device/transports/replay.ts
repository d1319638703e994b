// A raw capture as a transport: the bytes of a device as they once came, at the speed of their baud or as fast as they are taken.

import type { OpenTransport, Transport } from './transport.ts';

const TICK_MS = 10;

export interface ReplayOptions {
  /** Undefined: all at once, in pieces. */
  readonly bytesPerSecond?: number;
  readonly pieceBytes?: number;
  readonly onEnd?: () => void;
}

export function replayOf(capture: Uint8Array, { bytesPerSecond, pieceBytes = 4096, onEnd }: ReplayOptions = {}): OpenTransport {
  return async (_path, _options, events): Promise<Transport> => {
    const perTick = bytesPerSecond === undefined ? pieceBytes : Math.max(1, Math.round((bytesPerSecond * TICK_MS) / 1000));
    let at = 0;
    const timer = setInterval(
      () => {
        if (at >= capture.length) {
          clearInterval(timer);
          onEnd?.();
          return;
        }
        const piece = capture.subarray(at, at + perTick);
        at += piece.length;
        events.onBytes(piece, performance.now());
      },
      bytesPerSecond === undefined ? 0 : TICK_MS,
    );
    return {
      write: async () => undefined,
      setBaud: async () => undefined,
      discard: async () => undefined,
      close: async () => clearInterval(timer),
    };
  };
}
