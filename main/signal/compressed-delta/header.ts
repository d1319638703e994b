// Compressed Delta ("cMdT"): the frame of the central service's streams and its file. A header of 28 bytes and
// one block of samples, channel after channel, as they are, as differences, or as differences of differences,
// compressed or not. Layout: the central service's public page, sections 4 and 5 (A1 to A5 are the assumptions
// named there). No I/O: compression comes from the caller, so that all of it runs in Node and in the browser.
// This file: the header.

export const HEADER_BYTES = 28;

const MAGIC = 0x54644d63;

export const CODINGS = ['twosComplement', 'delta', 'doubleDelta'] as const;

export type Coding = (typeof CODINGS)[number];

export const COMPRESSIONS = ['none', 'zstd', 'zlib'] as const;

export type Compression = (typeof COMPRESSIONS)[number];

export type BitsPerSample = 8 | 16 | 24 | 32;

/** How the compressions are numbered in byte 27: assumed (A5), changeable by the settings of an upstream. */
export type CompressionNumbers = Readonly<Record<Compression, number>>;

export const COMPRESSION_NUMBERS: CompressionNumbers = { none: 0, zstd: 1, zlib: 2 };

export interface DeltaHeader {
  readonly payloadBytes: number;
  readonly channels: number;
  /** Per channel. */
  readonly samples: number;
  readonly sampleRateHz: number;
  readonly bitsPerSample: BitsPerSample;
  readonly coding: Coding;
  readonly compressionNumber: number;
}

/** Bytes of the decoded block. */
export const blockBytes = (header: Pick<DeltaHeader, 'channels' | 'samples' | 'bitsPerSample'>): number =>
  (header.channels * header.samples * header.bitsPerSample) / 8;

export type HeaderResult =
  | { readonly ok: true; readonly header: DeltaHeader }
  | { readonly ok: false; readonly message: string };

export const fault = (message: string): { ok: false; message: string } => ({ ok: false, message });

/** @param sizeBytes of the whole frame or file, which the header must account for. */
export function parseDeltaHeader(head: Uint8Array, sizeBytes: number): HeaderResult {
  if (head.length < HEADER_BYTES) return fault('It is shorter than its header.');
  const view = new DataView(head.buffer, head.byteOffset, HEADER_BYTES);
  if (view.getUint32(0, true) !== MAGIC) return fault('It does not begin with the mark "cMdT".');
  const payloadBytes = view.getUint32(4, true) + view.getUint32(8, true) * 2 ** 32;
  const bitsPerSample = head[25] as number;
  const coding = CODINGS[head[26] as number];
  const [channels, samples, sampleRateHz] = [
    head[12] as number,
    view.getUint32(13, true),
    view.getFloat64(17, true),
  ];
  if (payloadBytes !== sizeBytes - HEADER_BYTES)
    return fault(`It announces ${payloadBytes} bytes of samples and holds ${sizeBytes - HEADER_BYTES}.`);
  if (channels === 0) return fault('It states no channels.');
  if (samples === 0) return fault('It states no samples.');
  if (!Number.isFinite(sampleRateHz) || sampleRateHz <= 0)
    return fault('Its sample rate is not a positive number.');
  if (bitsPerSample !== 8 && bitsPerSample !== 16 && bitsPerSample !== 24 && bitsPerSample !== 32)
    return fault(`It states ${bitsPerSample} bits a sample, which is none of 8, 16, 24 and 32.`);
  if (coding === undefined) return fault(`It states the coding ${head[26]}, which is none of 0, 1 and 2.`);
  return {
    ok: true,
    header: {
      payloadBytes,
      channels,
      samples,
      sampleRateHz,
      bitsPerSample,
      coding,
      compressionNumber: head[27] as number,
    },
  };
}

export function deltaHeaderBytes(header: DeltaHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, header.payloadBytes % 2 ** 32, true);
  view.setUint32(8, Math.floor(header.payloadBytes / 2 ** 32), true);
  view.setUint8(12, header.channels);
  view.setUint32(13, header.samples, true);
  view.setFloat64(17, header.sampleRateHz, true);
  view.setUint8(25, header.bitsPerSample);
  view.setUint8(26, CODINGS.indexOf(header.coding));
  view.setUint8(27, header.compressionNumber);
  return bytes;
}
