// Integers as devices write them.

export const int16Le = (bytes: Uint8Array, at: number): number =>
  (((bytes[at + 1] as number) << 24) >> 16) | (bytes[at] as number);

export const uint16Be = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] as number) << 8) | (bytes[at + 1] as number);

export const uint16Le = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) | ((bytes[at + 1] as number) << 8);

export const int24Be = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) >> 8) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);

export const int24Le = (bytes: Uint8Array, at: number): number =>
  (((bytes[at + 2] as number) << 24) >> 8) | ((bytes[at + 1] as number) << 8) | (bytes[at] as number);

export const int32Le = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) |
  ((bytes[at + 1] as number) << 8) |
  ((bytes[at + 2] as number) << 16) |
  ((bytes[at + 3] as number) << 24);

export const uint32Le = (bytes: Uint8Array, at: number): number => int32Le(bytes, at) >>> 0;
