// Consistent Overhead Byte Stuffing (Cheshire & Baker 1999): bytes without zeros, so that a zero can stand
// between packets.

/**
 * @returns how many bytes were written to `target`, or −1 where the bytes are no COBS. `source` holds no
 * zeros.
 */
export function decodeCobs(source: Uint8Array, from: number, to: number, target: Uint8Array): number {
  let [at, length] = [from, 0];
  while (at < to) {
    const code = source[at++] as number;
    const end = at + code - 1;
    if (end > to) return -1;
    while (at < end) target[length++] = source[at++] as number;
    if (code < 0xff && at < to) target[length++] = 0;
  }
  return length;
}

/** With a zero before and behind. */
export function encodeCobs(body: Uint8Array): Uint8Array {
  const wire = new Uint8Array(body.length + Math.ceil((body.length + 1) / 254) + 2);
  let [length, codeAt, code] = [2, 1, 1];
  for (const [i, byte] of body.entries()) {
    if (byte !== 0) {
      wire[length++] = byte;
      code++;
    }
    if (byte === 0 || (code === 0xff && i < body.length - 1)) {
      wire[codeAt] = code;
      codeAt = length++;
      code = 1;
    }
  }
  wire[codeAt] = code;
  return wire.subarray(0, length + 1);
}
