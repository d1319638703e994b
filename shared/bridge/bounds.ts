// Bounds that hold for every message of a page, whatever its schema says (SEC12). Checked on the main thread
// before a message is passed on: what a hostile page sends must not cost another thread its memory.

/** Byte arrays of a message from a page; files come in pieces of 1 MiB. */
export const MAX_BRIDGE_BUFFER_BYTES = 1 << 20;
/** A whole message, packed. */
export const MAX_MESSAGE_BYTES = MAX_BRIDGE_BUFFER_BYTES + (1 << 16);
export const MAX_TEXT_LENGTH = 10_000;
export const MAX_LIST_LENGTH = 10_000;
export const MAX_DEPTH = 8;
/** Values in a message, keys included: a list of 10,000 events of a recording has 70,000. */
export const MAX_NODES = 100_000;

/** An object that stands in two places counts twice, so that a small message cannot stand for a huge one. */
export function isWithinBounds(message: unknown): boolean {
  let nodes = 0;
  const visit = (value: unknown, depth: number): boolean => {
    if (++nodes > MAX_NODES || depth > MAX_DEPTH) return false;
    if (typeof value === 'string') return value.length <= MAX_TEXT_LENGTH;
    if (typeof value === 'number') return Number.isFinite(value);
    if (value === null || typeof value === 'boolean' || value === undefined) return true;
    if (value instanceof Uint8Array) return value.length <= MAX_BRIDGE_BUFFER_BYTES;
    if (typeof value !== 'object' || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return false;
    if (Array.isArray(value))
      return value.length <= MAX_LIST_LENGTH && value.every((item) => visit(item, depth + 1));
    // Maps, sets and dates are objects without keys of their own: nothing of ours has any.
    const prototype = Object.getPrototypeOf(value) as unknown;
    if (prototype !== Object.prototype && prototype !== null) return false;
    const keys = Object.keys(value);
    nodes += keys.length;
    if (keys.length > MAX_LIST_LENGTH || keys.includes('__proto__') || keys.includes('constructor'))
      return false;
    return Object.values(value).every((item) => visit(item, depth + 1));
  };
  return visit(message, 0);
}

/** So many tasks can be asked for before all others. */
export const MOST_FIRST = 50;
