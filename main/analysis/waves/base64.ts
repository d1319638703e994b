// Bytes that are kept in a module, so that the analysis reads no file.

/** @param text may have line breaks */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
