// Random access to the bytes of one file, without saying where they are. Readers ask for what they need, so
// that a recording of a gigabyte is never in memory as a whole.

export interface ByteSource {
  readonly sizeBytes: number;
  /**
   * The bytes [offset, offset + length), fewer where the source ends earlier. The result must not be changed.
   */
  read(offsetBytes: number, lengthBytes: number): Uint8Array;
}

/**
 * A file of a record with the name under which other files of the record refer to it. A name is data, never a
 * path.
 */
export interface RecordFile {
  readonly name: string;
  readonly source: ByteSource;
}

export function bufferSource(bytes: Uint8Array): ByteSource {
  return {
    sizeBytes: bytes.length,
    read: (offsetBytes, lengthBytes) => bytes.subarray(offsetBytes, offsetBytes + lengthBytes),
  };
}

/** Remembers the last block read, so that many small neighbouring reads cost one. */
export function blockCached(source: ByteSource, blockBytes = 1 << 20): ByteSource {
  let blockStart = -1;
  let block: Uint8Array = new Uint8Array(0);
  return {
    sizeBytes: source.sizeBytes,
    read(offsetBytes, lengthBytes) {
      if (lengthBytes > blockBytes) return source.read(offsetBytes, lengthBytes);
      if (
        blockStart < 0 ||
        offsetBytes < blockStart ||
        offsetBytes + lengthBytes > blockStart + block.length
      ) {
        blockStart = offsetBytes;
        block = source.read(offsetBytes, blockBytes);
      }
      return block.subarray(offsetBytes - blockStart, offsetBytes - blockStart + lengthBytes);
    },
  };
}

/** Part of a source as a source of its own. */
export function sliceSource(source: ByteSource, offsetBytes: number, lengthBytes: number): ByteSource {
  const sizeBytes = Math.max(0, Math.min(lengthBytes, source.sizeBytes - offsetBytes));
  return {
    sizeBytes,
    read: (offset, length) =>
      source.read(offsetBytes + offset, Math.max(0, Math.min(length, sizeBytes - offset))),
  };
}
