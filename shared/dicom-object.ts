// Objects as an archive (PACS) knows them.

/** As DICOM names an object. */
export interface DicomObjectName {
  readonly classUid: string;
  readonly instanceUid: string;
}

/** What an archive says that it keeps. */
export interface Commitment {
  readonly transactionUid: string;
  /** Instance UIDs. */
  readonly kept: readonly string[];
}
