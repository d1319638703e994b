// How far a reading is, in one place: every way out takes it from here, in the words of its standard.

const READING_STATUSES = ['unread', 'approved', 'amended'] as const;
/** `unread`: made by the program, and given out without a physician. */
export type ReadingStatus = (typeof READING_STATUSES)[number];

export interface ReadingStatusWords {
  /** HL7 v2, tables 0123 and 0085: preliminary, final, correction of a final one. */
  readonly hl7: 'P' | 'F' | 'C';
  /** FHIR R4 DiagnosticReport and Observation. */
  readonly fhir: 'preliminary' | 'final' | 'corrected';
  /** FHIR R4 DocumentReference. */
  readonly fhirDocument: 'preliminary' | 'final' | 'amended';
}

export const READING_STATUS_WORDS: Readonly<Record<ReadingStatus, ReadingStatusWords>> = {
  unread: { hl7: 'P', fhir: 'preliminary', fhirDocument: 'preliminary' },
  approved: { hl7: 'F', fhir: 'final', fhirDocument: 'final' },
  amended: { hl7: 'C', fhir: 'corrected', fhirDocument: 'amended' },
};

/**
 * @param isByPhysician a physician has signed it
 * @param wasApproved an earlier one was signed: what was final is in place of it now
 */
export function readingStatusOf(isByPhysician: boolean, wasApproved: boolean): ReadingStatus {
  if (!isByPhysician) return 'unread';
  return wasApproved ? 'amended' : 'approved';
}
