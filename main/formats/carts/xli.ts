// XLI, the compression of Philips' ECG files: the samples of each lead as second differences, high bytes before low ones, packed by LZW
// with codes of ten bits (facts from the public description in the wiki of sierra-ecg-tools and its samples).

const CODE_BITS = 10;
/** The last code of ten bits ends nothing and is never given. */
const MOST_CODES = (1 << CODE_BITS) - 1;
const BYTE_CODES = 256;
const HEADER_BYTES = 8;
const BIAS = 64;
const MOST_LEADS = 128;

/** LZW with codes of one width (Welch 1984, Computer 17(6):8-19); the table stays as it is when it is full. */
function unpackLzw(packed: Uint8Array, mostBytes: number): Uint8Array | undefined {
  // Each string is one byte behind another string.
  const before = new Int16Array(MOST_CODES);
  const last = Uint8Array.from({ length: MOST_CODES }, (_, code) => code & 0xff);
  const lengths = new Int32Array(MOST_CODES).fill(1, 0, BYTE_CODES);
  const firsts = Uint8Array.from(last);
  const out = new Uint8Array(mostBytes);
  let [next, previous, size, buffer, bits] = [BYTE_CODES, -1, 0, 0, 0];
  for (const byte of packed) {
    buffer = ((buffer << 8) | byte) & 0xfffff;
    bits += 8;
    if (bits < CODE_BITS) continue;
    bits -= CODE_BITS;
    const code = (buffer >> bits) & MOST_CODES;
    if (code >= MOST_CODES) break;
    if (code > next || (code === next && previous < 0)) return undefined;
    if (previous >= 0 && next < MOST_CODES) {
      before[next] = previous;
      firsts[next] = firsts[previous] as number;
      last[next] = (code === next ? firsts[previous] : firsts[code]) as number;
      lengths[next] = (lengths[previous] as number) + 1;
      next++;
    } else if (code >= next) return undefined;
    const length = lengths[code] as number;
    if (size + length > mostBytes) return undefined;
    for (let at = size + length - 1, own = code; at >= size; at--, own = before[own] as number)
      out[at] = last[own] as number;
    size += length;
    previous = code;
  }
  return out.subarray(0, size);
}

/** From second differences to samples. @param first the offset of the third sample */
function addUp(bytes: Uint8Array, first: number): Int32Array {
  const count = Math.ceil(bytes.length / 2);
  const samples = Int32Array.from(
    { length: count },
    (_, i) => ((((bytes[i] as number) << 8) | (bytes[count + i] ?? 0)) << 16) >> 16,
  );
  let lastOffset = first;
  for (let i = 2; i < count; i++) {
    const value = 2 * (samples[i - 1] as number) - (samples[i - 2] as number) - lastOffset;
    lastOffset = (samples[i] as number) - BIAS;
    samples[i] = (value << 16) >> 16;
  }
  return samples;
}

/** Limb leads are stored as what is left when they are computed from those before them. */
function restoreLimbLeads([one, two, three, avr, avl, avf]: readonly Int32Array[]): void {
  if (one === undefined || two === undefined || three === undefined) return;
  for (let i = 0; i < three.length; i++) {
    const [a = 0, b = 0] = [one[i], two[i]];
    const c = b - a - (three[i] as number);
    three[i] = c;
    if (avr !== undefined) avr[i] = -(avr[i] as number) - Math.floor((a + b) / 2);
    if (avl !== undefined) avl[i] = Math.floor((a - c) / 2) - (avl[i] as number);
    if (avf !== undefined) avf[i] = Math.floor((b + c) / 2) - (avf[i] as number);
  }
}

/** @param sampleCount of each lead @returns one array a lead, in the order of the file, or undefined where it is damaged */
export function decodeXli(bytes: Uint8Array, sampleCount: number): Int32Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const leads: Int32Array[] = [];
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const [size, first] = [view.getInt32(at, true), view.getInt16(at + 6, true)];
    const start = at + HEADER_BYTES;
    if (size <= 0 || start + size > bytes.length) return undefined;
    if (leads.length === MOST_LEADS) return undefined;
    // A code of ten bits stands for no more bytes than the table has entries.
    const mostBytes = Math.min(2 * sampleCount + 2, size * MOST_CODES);
    const unpacked = unpackLzw(bytes.subarray(start, start + size), mostBytes);
    if (unpacked === undefined) return undefined;
    leads.push(addUp(unpacked, first));
    at = start + size;
  }
  restoreLimbLeads(leads);
  return leads;
}
