// What comes without types, and what of it is used.

declare module 'pdfjs-dist/legacy/build/pdf.min.mjs' {
  export * from 'pdfjs-dist/legacy/build/pdf.mjs';
}

declare module 'pdfjs-dist/legacy/build/pdf.worker.min.mjs' {
  /** Loaded for what it leaves behind: a worker in the thread that loads it. */
  export const WorkerMessageHandler: unknown;
}

declare module 'unbzip2-stream' {
  /** An old-style stream of both kinds: compressed bytes in, plain ones out. */
  function unbzip2(): NodeJS.ReadWriteStream;
  export = unbzip2;
}
