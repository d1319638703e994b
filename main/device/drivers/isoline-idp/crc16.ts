// CRC-16/CCITT-FALSE: polynomial 1021, initial FFFF, nothing reflected; "123456789" gives 29B1.

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

/** The same, for a byte that another one follows: two bytes are taken in one step. */
const BEFORE_ANOTHER = TABLE.map((crc) => ((crc << 8) & 0xffff) ^ (TABLE[crc >> 8] as number));

export function crc16(bytes: Uint8Array, length: number): number {
  let crc = 0xffff;
  let i = 0;
  for (; i + 1 < length; i += 2)
    crc =
      (BEFORE_ANOTHER[(crc >> 8) ^ (bytes[i] as number)] as number) ^
      (TABLE[(crc & 0xff) ^ (bytes[i + 1] as number)] as number);
  if (i < length) crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ (bytes[i] as number)] as number);
  return crc;
}
