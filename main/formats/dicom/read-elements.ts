// Values of a DICOM dataset that another program wrote: texts and numbers by tag, whatever its character set.

import dicomParser, { type DataSet } from 'dicom-parser';
import { parseDecimal } from '../text-field.ts';
import { decodeDicomText } from './dicom-text.ts';
import { EXPLICIT_LITTLE_ENDIAN, IMPLICIT_LITTLE_ENDIAN } from './dicom-uids.ts';

const CHARACTER_SET = 'x00080005';

/** By the bytes of a file, which its sequences share. */
const namedSets = new WeakMap<object, readonly string[]>();

/** To be called before texts are read, where the dataset names its character sets. */
export function noteCharacterSet(dataSet: DataSet): void {
  const terms = (dataSet.string(CHARACTER_SET) ?? '').split('\\');
  if (terms.some((term) => term.trim() !== '')) namedSets.set(dataSet.byteArray, terms);
}

/** Text in the file's character sets; UTF-8 where it is valid, and the usual one of the West, need not be named. */
export function textOf(dataSet: DataSet, tag: string): string {
  const element = dataSet.elements[tag];
  if (element === undefined) return '';
  const end = element.dataOffset + element.length;
  const bytes = dataSet.byteArray.subarray(element.dataOffset, end) as Uint8Array;
  return decodeDicomText(bytes, namedSets.get(dataSet.byteArray) ?? []);
}

export const decimalOf = (dataSet: DataSet, tag: string): number | undefined =>
  parseDecimal(textOf(dataSet, tag).split('\\')[0] ?? '');

export const itemsOf = (dataSet: DataSet, tag: string): DataSet[] =>
  (dataSet.elements[tag]?.items ?? []).map(({ dataSet: item }) => item).filter((item) => item !== undefined);

const META_LENGTH_AT = 140;
const META_AT = 144;

/** Where the dataset begins in a file: behind a head that tells its own length (PS3.10, 7.1). */
export const datasetStart = (file: Uint8Array): number =>
  META_AT + new DataView(file.buffer, file.byteOffset).getUint32(META_LENGTH_AT, true);

/** The head of a file, up to its dataset: that it is DICOM, and how the dataset is written (PS3.10, 7.1). */
function headOf(syntax: string): Buffer {
  const value = Buffer.from(syntax.length % 2 === 1 ? `${syntax}\0` : syntax, 'latin1');
  const head = Buffer.alloc(152 + value.length);
  head.write('DICM', 128);
  head.set([0x02, 0x00, 0x00, 0x00, 0x55, 0x4c, 0x04, 0x00], 132);
  head.writeUInt32LE(8 + value.length, 140);
  head.set([0x02, 0x00, 0x10, 0x00, 0x55, 0x49], 144);
  head.writeUInt16LE(value.length, 150);
  head.set(value, 152);
  return head;
}

/**
 * A dataset as it comes over a connection, without the head of a file.
 * @param sequences tags of those that a dataset without stated types does not announce as such
 * @throws whatever the library stumbles over, also strings
 */
export function parseBare(
  bytes: Uint8Array,
  isImplicit: boolean,
  sequences: ReadonlySet<string> = new Set(),
): DataSet {
  const file = Buffer.concat([headOf(isImplicit ? IMPLICIT_LITTLE_ENDIAN : EXPLICIT_LITTLE_ENDIAN), bytes]);
  const dataSet = dicomParser.parseDicom(file, {
    vrCallback: (tag: string) => (sequences.has(tag) ? 'SQ' : 'UN'),
  } as Parameters<typeof dicomParser.parseDicom>[1]);
  noteCharacterSet(dataSet);
  return dataSet;
}
