// A dataset as the bytes of a DICOM file, by dcmjs, which is loaded only where somebody writes one: it takes as long to load
// as all of the formats together.

import { data } from 'dcmjs';
import type { Dataset } from './dicom-dataset.ts';
import { EXPLICIT_LITTLE_ENDIAN, IMPLEMENTATION } from './dicom-uids.ts';
import { datasetStart } from './read-elements.ts';

/** Tag and type of the value that is left empty, for the samples: WaveformData, OW. */
const SAMPLES_HEADER = Buffer.from([0x00, 0x54, 0x10, 0x10, 0x4f, 0x57, 0x00, 0x00]);
const LENGTH_BYTES = 4;

export interface EncodedDataset {
  /** To where the length of the samples stands. */
  readonly head: Uint8Array;
  /** Behind the samples. */
  readonly tail: Uint8Array;
}

/** A dataset alone, in explicit little endian. */
export function encodeBare(dataset: Dataset): Uint8Array {
  const file = encodeFile(dataset);
  return file.subarray(datasetStart(file));
}

/** @param dataset with empty `WaveformData`, the last of its values */
export function encodeDataset(dataset: Dataset): EncodedDataset {
  const bytes = encodeFile(dataset);
  const place = bytes.lastIndexOf(SAMPLES_HEADER) + SAMPLES_HEADER.length;
  return { head: bytes.subarray(0, place), tail: bytes.subarray(place + LENGTH_BYTES) };
}

/** With its head. */
export function encodeFile(dataset: Dataset): Buffer {
  const { denaturalizeDataset } = data.DicomMetaDictionary;
  const file = new data.DicomDict(
    denaturalizeDataset({
      FileMetaInformationVersion: Uint8Array.of(0, 1).buffer,
      MediaStorageSOPClassUID: dataset.SOPClassUID,
      MediaStorageSOPInstanceUID: dataset.SOPInstanceUID,
      TransferSyntaxUID: EXPLICIT_LITTLE_ENDIAN,
      ImplementationClassUID: IMPLEMENTATION,
      ImplementationVersionName: 'ISOLINE',
    }),
  );
  file.dict = denaturalizeDataset(dataset);
  return Buffer.from(file.write());
}
