// The two decoders that come without types; what of them is used.

declare module 'unbzip2-stream' {
  /** An old-style stream of both kinds: compressed bytes in, plain ones out. */
  function unbzip2(): NodeJS.ReadWriteStream;
  export = unbzip2;
}

declare module 'lzma' {
  /** The content of a `.lzma` file. Bytes as numbers, or, where they happen to be valid UTF-8, a text. */
  export function decompress(file: Uint8Array): string | number[];
}
