// Objects as an archive (PACS) knows them.

/** As DICOM names an object. */
export interface DicomObjectName {
  readonly classUid: string;
  readonly instanceUid: string;
  /** The archive takes no objects of this kind: it went without this one. */
  readonly isLeftOut?: true;
}

/** What an archive says that it keeps. */
export interface Commitment {
  readonly transactionUid: string;
  /** Instance UIDs. */
  readonly kept: readonly string[];
}
