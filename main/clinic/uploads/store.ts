// What the domain needs of the store for uploads.

import type { ByteRange, Upload, UploadState } from './records.ts';

export interface UploadStore {
  byId(id: string): Upload | undefined;
  countOpen(organizationId: number): number;
  /** Whether bytes of any came since then. */
  isReceivingSince(sinceMs: number): boolean;
  /** Whether an upload that is complete and not expired has this content. */
  holdsContent(sha256: string): boolean;
  /** Bytes that open uploads may still bring. */
  bytesOwed(): number;
  add(upload: Upload): void;
  setState(id: string, state: UploadState, nowMs: number): void;
  ranges(id: string): ByteRange[];
  /** The ranges that overlap or border on one, in order. */
  rangesTouching(id: string, range: ByteRange): ByteRange[];
  countRanges(id: string): number;
  /** Adds a range and merges it with its neighbours. */
  addRange(id: string, range: ByteRange, nowMs: number): void;
  /** Uploads not touched since then that are still held. */
  staleSince(limitMs: number): Upload[];
  rememberRequest(uploadId: string, bodyHash: string, taskIds: readonly number[], nowMs: number): void;
  earlierRequest(uploadId: string, bodyHash: string, sinceMs: number): readonly number[] | undefined;
}
