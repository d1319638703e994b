// Ogg pages into packets, stream by stream. RFC 3533; formats reference, section 4.2.

import type { ByteSource } from '../byte-source.ts';
import { crcOgg } from '../crc.ts';
import type { Deviations } from '../deviations.ts';

const CAPTURE = [0x4f, 0x67, 0x67, 0x53];
const HEADER_BYTES = 27;
const LONGEST_PAGE_BYTES = HEADER_BYTES + 255 + 255 * 255;
const CONTINUED = 1;
const FIRST = 2;
const LAST = 4;
const MAX_STREAMS = 128;

/** Pieces of a packet in the file, in pairs of offset and length. */
type PacketPieces = number[];

/** One logical stream: the packets between its first and its last page. */
export interface LogicalStream {
  readonly serial: number;
  readonly packetCount: number;
  packet(index: number): Uint8Array;
}

interface OpenStream extends LogicalStream {
  readonly packets: PacketPieces[];
  partial: PacketPieces | undefined;
  sequence: number;
  isEnded: boolean;
}

interface Page {
  readonly flags: number;
  readonly serial: number;
  readonly sequence: number;
  readonly lacing: Uint8Array;
  readonly bodyStart: number;
  readonly lengthBytes: number;
}

function readPage(source: ByteSource, at: number): Page | undefined {
  const head = source.read(at, HEADER_BYTES + 255);
  if (head.length < HEADER_BYTES || CAPTURE.some((byte, i) => head[i] !== byte) || head[4] !== 0)
    return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const lacing = head.slice(HEADER_BYTES, HEADER_BYTES + (head[26] as number));
  const bodyStart = HEADER_BYTES + (head[26] as number);
  const lengthBytes = bodyStart + lacing.reduce((sum, value) => sum + value, 0);
  const page = Uint8Array.from(source.read(at, lengthBytes));
  if (page.length < lengthBytes) return undefined;
  page.fill(0, 22, 26);
  if (crcOgg(page) !== view.getUint32(22, true)) return undefined;
  return {
    flags: head[5] as number,
    serial: view.getUint32(14, true),
    sequence: view.getUint32(18, true),
    lacing,
    bodyStart,
    lengthBytes,
  };
}

function findCapture(source: ByteSource, from: number): number {
  for (let at = from; at < source.sizeBytes; at += LONGEST_PAGE_BYTES - 3) {
    const bytes = source.read(at, LONGEST_PAGE_BYTES);
    for (
      let i = bytes.indexOf(CAPTURE[0] as number);
      i >= 0;
      i = bytes.indexOf(CAPTURE[0] as number, i + 1)
    ) {
      if (CAPTURE.every((byte, k) => bytes[i + k] === byte)) return at + i;
    }
  }
  return source.sizeBytes;
}

function openStream(serial: number, source: ByteSource): OpenStream {
  const packets: PacketPieces[] = [];
  return {
    serial,
    packets,
    partial: undefined,
    sequence: -1,
    isEnded: false,
    get packetCount() {
      return packets.length;
    },
    packet(index) {
      const pieces = packets[index] ?? [];
      if (pieces.length === 2) return source.read(pieces[0] as number, pieces[1] as number);
      const parts: Uint8Array[] = [];
      for (let i = 0; i < pieces.length; i += 2)
        parts.push(source.read(pieces[i] as number, pieces[i + 1] as number));
      const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    },
  };
}

/** Adds a page's body to its stream's packets. */
function takePage(stream: OpenStream, page: Page, pageStart: number, deviations: Deviations): void {
  if (stream.sequence >= 0 && page.sequence !== stream.sequence + 1) {
    deviations.add('ogg_page_lost');
    stream.partial = undefined;
  }
  stream.sequence = page.sequence;
  let pieces: PacketPieces | undefined = (page.flags & CONTINUED) !== 0 ? stream.partial : [];
  let start = pageStart + page.bodyStart;
  let length = 0;
  const close = (): void => {
    if (length > 0) pieces?.push(start, length);
    start += length;
    length = 0;
  };
  for (const lace of page.lacing) {
    length += lace;
    if (lace === 255) continue;
    close();
    if (pieces !== undefined && pieces.length > 0) stream.packets.push(pieces);
    pieces = [];
  }
  close();
  stream.partial = pieces;
  stream.isEnded = (page.flags & LAST) !== 0;
}

/**
 * The links of the file, one after another in time; each with the logical streams that run side by side in
 * it, in the order of their first pages.
 */
export function readOggLinks(source: ByteSource, deviations: Deviations): LogicalStream[][] {
  const links: OpenStream[][] = [];
  let open: OpenStream[] = [];
  let isInData = true;
  for (let at = findCapture(source, 0); at < source.sizeBytes; ) {
    const page = readPage(source, at);
    if (page === undefined) {
      deviations.add('ogg_page_damaged');
      at = findCapture(source, at + 1);
      continue;
    }
    if ((page.flags & FIRST) !== 0) {
      if (isInData) {
        open = [];
        links.push(open);
        isInData = false;
      }
      if (links.reduce((sum, link) => sum + link.length, 0) >= MAX_STREAMS) break;
      open.push(openStream(page.serial, source));
    } else isInData = true;
    const stream = open.findLast(({ serial }) => serial === page.serial);
    if (stream !== undefined) takePage(stream, page, at, deviations);
    at += page.lengthBytes;
  }
  if (links.some((link) => link.some((stream) => !stream.isEnded))) deviations.add('truncated.ogg');
  return links;
}
