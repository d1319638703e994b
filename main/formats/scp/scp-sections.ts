// The frame of an SCP-ECG record: its checksum, its size, and the table that says where each section lies.
// Formats reference, section 3.1 (EN 1064, ISO 11073-91064).

import type { ByteSource } from '../byte-source.ts';
import { crcCcitt } from '../crc.ts';
import type { Deviations } from '../deviations.ts';

const RECORD_HEADER_BYTES = 6;
export const SECTION_HEADER_BYTES = 16;
const POINTER_BYTES = 10;
const MARK_OFFSET = 16;
const MARK = 'SCPECG';
const LONG_TERM_SECTION = 12;
/** Measurements and statements of other programs stand behind it; they are not read. */
const LAST_READ_SECTION = 6;
/** Sections but the long-term one are small; a larger one is a damaged length. */
const MAX_SECTION_BYTES = 64 * 2 ** 20;

export interface Section {
  /** Behind the section's header. */
  readonly body: Uint8Array;
}

export interface ScpSections {
  get(id: number): Section | undefined;
  /** Where section 12 lies in the file: it may be too large to be read in one piece. */
  readonly longTerm: { readonly offsetBytes: number; readonly lengthBytes: number } | undefined;
}

const hasMark = (head: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(head.subarray(MARK_OFFSET, MARK_OFFSET + MARK.length)) === MARK;

/** By the mark, or, since old writers left it out, by the checksum over the whole record. */
export function isScp(head: Uint8Array, source: ByteSource): boolean {
  if (head.length < RECORD_HEADER_BYTES + SECTION_HEADER_BYTES) return false;
  if (hasMark(head)) return true;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const sizeBytes = view.getUint32(2, true);
  const isPlausible =
    view.getUint16(8, true) === 0 &&
    sizeBytes >= 22 &&
    sizeBytes <= Math.min(source.sizeBytes, MAX_SECTION_BYTES);
  return isPlausible && crcCcitt(source.read(2, sizeBytes - 2)) === view.getUint16(0, true);
}

/** A vendor's files that call themselves SCP and are laid out otherwise (section 3.9, last point). */
export function isHealforce(head: Uint8Array, source: ByteSource): boolean {
  if (head.length < RECORD_HEADER_BYTES + SECTION_HEADER_BYTES || hasMark(head)) return false;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const versions = view.getUint16(14);
  return (
    view.getUint16(8, true) === 0 &&
    view.getUint32(10, true) === 76 &&
    versions === 0x0d0d &&
    view.getUint32(2, true) > source.sizeBytes
  );
}

interface Pointer {
  readonly id: number;
  readonly lengthBytes: number;
  readonly index: number;
}

function readPointers(source: ByteSource): Pointer[] {
  const section = source.read(RECORD_HEADER_BYTES, SECTION_HEADER_BYTES + 256 * POINTER_BYTES);
  const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
  const stated = section.length >= 8 ? view.getUint32(4, true) : 0;
  const end = Math.min(section.length, stated);
  const pointers: Pointer[] = [];
  for (let at = SECTION_HEADER_BYTES; at + POINTER_BYTES <= end; at += POINTER_BYTES)
    pointers.push({
      id: view.getUint16(at, true),
      lengthBytes: view.getUint32(at + 2, true),
      index: view.getUint32(at + 6, true),
    });
  return pointers;
}

const idAt = (source: ByteSource, offsetBytes: number): number => {
  const bytes = source.read(offsetBytes + 2, 2);
  return bytes.length === 2 ? (bytes[0] as number) | ((bytes[1] as number) << 8) : -1;
};

/** Positions count from 1; writers that count from 0 are told by the section ids at the places named. */
function startOf(pointer: Pointer, source: ByteSource, deviations: Deviations): number {
  const isRight = idAt(source, pointer.index - 1) === pointer.id;
  if (isRight || idAt(source, pointer.index) !== pointer.id) return pointer.index - 1;
  deviations.add('zero_based_pointers');
  return pointer.index;
}

function checkRecord(source: ByteSource, deviations: Deviations): void {
  const head = source.read(0, RECORD_HEADER_BYTES);
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const sizeBytes = view.getUint32(2, true);
  if (sizeBytes > source.sizeBytes)
    deviations.add('truncated.bytes', { present: source.sizeBytes, stated: sizeBytes });
  else if (sizeBytes < source.sizeBytes)
    deviations.add('extra_bytes.record', { count: source.sizeBytes - sizeBytes });
  if (
    sizeBytes >= 2 &&
    sizeBytes <= Math.min(source.sizeBytes, MAX_SECTION_BYTES) &&
    crcCcitt(source.read(2, sizeBytes - 2)) !== view.getUint16(0, true)
  )
    deviations.add('checksum.record');
}

function readSection(
  source: ByteSource,
  start: number,
  lengthBytes: number,
  id: number,
  deviations: Deviations,
): Section | undefined {
  if (
    start < 0 ||
    lengthBytes < SECTION_HEADER_BYTES ||
    lengthBytes > MAX_SECTION_BYTES ||
    start + SECTION_HEADER_BYTES > source.sizeBytes
  )
    return undefined;
  const bytes = source.read(start, lengthBytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < lengthBytes) deviations.add('truncated.section', { section: id });
  else if (crcCcitt(bytes.subarray(2)) !== view.getUint16(0, true))
    deviations.add('section_checksum', { section: id });
  return { body: bytes.subarray(SECTION_HEADER_BYTES) };
}

export function readSections(source: ByteSource, deviations: Deviations): ScpSections {
  checkRecord(source, deviations);
  const pointers = readPointers(source).filter((pointer) => pointer.id > 0 && pointer.lengthBytes > 0);
  const sections = new Map<number, Section>();
  let longTerm: ScpSections['longTerm'];
  for (const pointer of pointers) {
    const start = startOf(pointer, source, deviations);
    if (pointer.id === LONG_TERM_SECTION)
      longTerm ??= { offsetBytes: start, lengthBytes: pointer.lengthBytes };
    else if (pointer.id <= LAST_READ_SECTION && !sections.has(pointer.id)) {
      const section = readSection(source, start, pointer.lengthBytes, pointer.id, deviations);
      if (section !== undefined) sections.set(pointer.id, section);
    }
  }
  return { get: (id) => sections.get(id), longTerm };
}
