// Whether a frame of a stream can be unpacked to what its header states (D74).

import { openFrame } from '../../../shared/signal/compressed-delta/read-frame.ts';
import { NATIVE_DECOMPRESSORS } from './native-compression.ts';

/** @returns a sentence where it can't. */
export function checkFrame(bytes: Uint8Array): string | undefined {
  const opened = openFrame(bytes, NATIVE_DECOMPRESSORS);
  return opened.ok ? undefined : opened.message;
}
