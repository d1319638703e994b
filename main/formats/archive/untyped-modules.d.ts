// The two decoders that come without types; what of them is used.

declare module 'unbzip2-stream' {
  /** An old-style stream of both kinds: compressed bytes in, plain ones out. */
  function unbzip2(): NodeJS.ReadWriteStream;
  export = unbzip2;
}
