// A barcode scanner that types: many keys in a moment, ended by Enter or Tab (screens, 1.2; E8). What a
// person types comes slower.

const MOST_GAP_MS = 35;
const LEAST_CHARACTERS = 6;

export class ScannedCode {
  #text = '';
  #lastMs = Number.NEGATIVE_INFINITY;

  /**
   * @param atMs when the key was pressed
   * @returns the code that this key ends
   */
  press(key: string, atMs: number): string | undefined {
    const isFast = atMs - this.#lastMs <= MOST_GAP_MS;
    this.#lastMs = atMs;
    const text = isFast ? this.#text : '';
    if (key === 'Enter' || key === 'Tab') {
      this.#text = '';
      return text.length >= LEAST_CHARACTERS ? text : undefined;
    }
    // Shift and the like are pressed between the characters.
    this.#text = key.length === 1 ? text + key : text;
    return undefined;
  }
}

/** A key of one letter waits so long for the next one before it acts. */
export const SCAN_PATIENCE_MS = MOST_GAP_MS + 10;
