// MessagePack from a page, counted before it is unpacked: sixteen million empty maps are sixteen megabytes on
// the wire and gigabytes in memory. Layout: the MessagePack specification (msgpack/msgpack, spec.md).

import { decode } from '@msgpack/msgpack';
import {
  MAX_BRIDGE_BUFFER_BYTES,
  MAX_DEPTH,
  MAX_LIST_LENGTH,
  MAX_MESSAGE_BYTES,
  MAX_NODES,
  MAX_TEXT_LENGTH,
} from '../../shared/bridge/bounds.ts';

interface Item {
  /** Bytes of the item's head and of its own content. */
  readonly bytes: number;
  /** Items that follow and belong to it. */
  readonly children: number;
}

const leaf = (bytes: number): Item => ({ bytes, children: 0 });

/** The values of nil, booleans and numbers with a head of their own. */
const FIXED: Readonly<Record<number, number>> = {
  192: 1, // nil
  194: 1, // false
  195: 1, // true
  202: 5, // float 32
  203: 9, // float 64
  204: 2, // uint 8 … 64
  205: 3,
  206: 5,
  207: 9,
  208: 2, // int 8 … 64
  209: 3,
  210: 5,
  211: 9,
};

/** @returns undefined for what no message of ours holds: extensions, and codes that do not exist. */
function itemAt(view: DataView, at: number): Item | undefined {
  const head = view.getUint8(at);
  if (head < 0x80 || head >= 0xe0) return leaf(1);
  if (head < 0x90) return { bytes: 1, children: 2 * (head & 15) };
  if (head < 0xa0) return { bytes: 1, children: head & 15 };
  if (head < 0xc0) return leaf(1 + (head & 31));
  const fixed = FIXED[head];
  if (fixed !== undefined) return leaf(fixed);
  switch (head) {
    case 0xc4: // bin 8, str 8
    case 0xd9:
      return leaf(2 + view.getUint8(at + 1));
    case 0xc5: // bin 16, str 16
    case 0xda:
      return leaf(3 + view.getUint16(at + 1));
    case 0xc6: // bin 32, str 32
    case 0xdb:
      return leaf(5 + view.getUint32(at + 1));
    case 0xdc: // array 16, 32
      return { bytes: 3, children: view.getUint16(at + 1) };
    case 0xdd:
      return { bytes: 5, children: view.getUint32(at + 1) };
    case 0xde: // map 16, 32
      return { bytes: 3, children: 2 * view.getUint16(at + 1) };
    case 0xdf:
      return { bytes: 5, children: 2 * view.getUint32(at + 1) };
    default:
      return undefined;
  }
}

/** Whether a message has no more values than ours have, before any of them is made. */
export function isPackedWithinBounds(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.length > MAX_MESSAGE_BYTES) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  /** Items still to come, of each container that is open. */
  const open: number[] = [1];
  let at = 0;
  let nodes = 0;
  while (open.length > 0) {
    const left = open[open.length - 1] as number;
    if (left === 0) {
      open.pop();
      continue;
    }
    open[open.length - 1] = left - 1;
    if (++nodes > MAX_NODES || at >= bytes.length) return false;
    let item: Item | undefined;
    try {
      item = itemAt(view, at);
    } catch {
      // The head says more than there is.
      return false;
    }
    if (item === undefined || item.children > MAX_NODES) return false;
    at += item.bytes;
    if (at > bytes.length) return false;
    if (item.children > 0) {
      open.push(item.children);
      if (open.length > MAX_DEPTH + 2) return false;
    }
  }
  return at === bytes.length;
}

/** @throws where the bytes are no message within the bounds. */
export function unpackMessage(bytes: Uint8Array): unknown {
  if (!isPackedWithinBounds(bytes)) throw new RangeError('not a message of the bridge');
  return decode(bytes, {
    maxStrLength: 4 * MAX_TEXT_LENGTH,
    maxBinLength: MAX_BRIDGE_BUFFER_BYTES,
    maxArrayLength: MAX_LIST_LENGTH,
    maxMapLength: MAX_LIST_LENGTH,
    maxExtLength: 0,
  });
}
