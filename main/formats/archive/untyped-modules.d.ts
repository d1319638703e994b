// What comes without types, and what of it is used.

declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export * from 'pdfjs-dist/legacy/build/pdf.mjs';
}

declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs' {
  /** Loaded for what it leaves behind: a worker in the thread that loads it. */
  export const WorkerMessageHandler: unknown;
}

declare module 'unbzip2-stream/lib/bzip2.js' {
  namespace blocks {
    interface BitReader {
      (bits: number | null): number;
      readonly bytesRead: number;
    }
    /** The size of blocks, in hundreds of thousands of bytes. Throws where no stream begins. */
    function header(bits: BitReader): number;
    /** Gives the plain bytes of one block to `add`. Returns the checksum so far, or null behind the last block. */
    function decompress(
      bits: BitReader,
      add: (byte: number) => void,
      buffer: Int32Array,
      size: number,
      checksum: number,
    ): number | null;
  }
  export = blocks;
}

declare module 'unbzip2-stream/lib/bit_iterator.js' {
  import type blocks from 'unbzip2-stream/lib/bzip2.js';

  function bitIterator(next: () => Uint8Array | undefined): blocks.BitReader;
  export = bitIterator;
}
