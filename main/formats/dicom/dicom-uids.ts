// The objects of DICOM that hold ECGs (PS3.4, annex B.5; PS3.3, A.34.3 to A.34.5), and names for new ones.

import type { Hash } from 'node:crypto';

export const TWELVE_LEAD_ECG = '1.2.840.10008.5.1.4.1.1.9.1.1';
export const GENERAL_ECG = '1.2.840.10008.5.1.4.1.1.9.1.2';
export const AMBULATORY_ECG = '1.2.840.10008.5.1.4.1.1.9.1.3';
/** A report, as a PDF (PS3.3, A.45.1). */
export const ENCAPSULATED_PDF = '1.2.840.10008.5.1.4.1.1.104.1';
/** A report, as numbers and findings (PS3.3, A.35.2). */
export const ENHANCED_SR = '1.2.840.10008.5.1.4.1.1.88.22';
export const IMPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2';
export const EXPLICIT_LITTLE_ENDIAN = '1.2.840.10008.1.2.1';
/** The UID of this program, as a UUID under 2.25. */
export const IMPLEMENTATION = '2.25.268714853049237415190341227498350617204';

const UUID_BITS = 128n;

/** A name that nobody registers (PS3.5, B.2): 128 bits of what it stands for, as a decimal number under 2.25. */
export function uidOf(hash: Hash): string {
  const value = BigInt.asUintN(Number(UUID_BITS), BigInt(`0x${hash.digest('hex').slice(0, 32)}`));
  return `2.25.${value}`;
}

/** The number of a lead that has none of its own; what it is called stands beside it. */
export const UNSPECIFIED_LEAD = 0;
export const UNSPECIFIED_WORDS = 'Unspecified lead';
