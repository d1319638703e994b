// Cyclic redundancy checks, most significant bit first, without reflection and without final XOR: the family
// that SCP-ECG, ISHNE, FLAC and Ogg use.

type CrcWidth = 8 | 16 | 32;

export type Crc = (bytes: Uint8Array, start?: number, end?: number) => number;

function makeCrc(width: CrcWidth, polynomial: number, initial: number): Crc {
  const shift = width - 8;
  const mask = width === 32 ? 0xffffffff : (1 << width) - 1;
  const top = 2 ** (width - 1);
  const table = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte * 2 ** shift;
    for (let bit = 0; bit < 8; bit++) value = ((value * 2) ^ ((value & top) === 0 ? 0 : polynomial)) & mask;
    return value >>> 0;
  });
  return (bytes, start = 0, end = bytes.length) => {
    let crc = initial;
    for (let i = start; i < end; i++) {
      crc =
        ((width === 8 ? 0 : crc << 8) ^ (table[((crc >>> shift) ^ (bytes[i] as number)) & 0xff] as number)) &
        mask;
    }
    return crc >>> 0;
  };
}

/** CRC-CCITT with initial value 0xFFFF, of SCP-ECG and ISHNE; "123456789" gives 0x29B1. */
export const crcCcitt = makeCrc(16, 0x1021, 0xffff);
/** The check sum of FLAC frame headers (RFC 9639, section 9.1.8). */
export const crcFlacHeader = makeCrc(8, 0x07, 0);
/** The check sum of whole FLAC frames (RFC 9639, section 9.3). */
export const crcFlacFrame = makeCrc(16, 0x8005, 0);
/** The check sum of Ogg pages (RFC 3533, section 6). */
export const crcOgg = makeCrc(32, 0x04c11db7, 0);
