// Bytes that are coming in.

export type UploadState = 'receiving' | 'complete' | 'failed' | 'expired';

export interface Upload {
  readonly id: string;
  readonly organizationId: number;
  readonly totalSizeBytes: number;
  /** SHA-256 of the whole, lower-case hexadecimal. */
  readonly sha256: string;
  readonly state: UploadState;
  readonly createdMs: number;
  readonly touchedMs: number;
}

/** What of an upload is there. */
export interface ArrivedBytes extends Pick<Upload, 'state' | 'totalSizeBytes'> {
  /** In order. */
  readonly ranges: readonly ByteRange[];
  readonly expiresMs: number;
}

/** [start, end) of bytes that are acknowledged. */
export type ByteRange = readonly [start: number, end: number];
