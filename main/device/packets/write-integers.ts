// Integers as devices write them, the other way round: for simulated devices.

export function setInt24Be(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >> 16;
  bytes[at + 1] = value >> 8;
  bytes[at + 2] = value;
}

export function setUint16Be(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >> 8;
  bytes[at + 1] = value;
}

export function setInt16Le(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >> 8;
}

export function setInt24Le(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >> 8;
  bytes[at + 2] = value >> 16;
}

export function setInt32Le(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >> 8;
  bytes[at + 2] = value >> 16;
  bytes[at + 3] = value >> 24;
}
