// Builds zip and tar archives for tests, with every field free to lie.

import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  readonly name: string | Uint8Array;
  readonly content: Uint8Array;
  /** 0 stored, 8 deflated; any other number keeps the content as it is. */
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly sizeBytes?: number;
  readonly compressedBytes?: number;
  readonly externalAttributes?: number;
  /** What the local header says where it differs. */
  readonly local?: {
    readonly name?: string;
    readonly method?: number;
    readonly crc?: number;
    readonly sizeBytes?: number;
  };
  /** The directory points to the local header of another member. */
  readonly pointsTo?: number;
  /** The sizes follow the content instead of standing before it, with a signature or without. */
  readonly descriptor?: 'signed' | 'unsigned';
}

export interface ZipOptions {
  readonly comment?: Uint8Array;
  readonly prefix?: Uint8Array;
  readonly suffix?: Uint8Array;
  readonly entryCount?: number;
  readonly directoryBytes?: number;
  readonly diskNumber?: number;
}

const bytesOf = (name: string | Uint8Array): Uint8Array =>
  typeof name === 'string' ? new TextEncoder().encode(name) : name;

function localHeader(member: ZipMember, name: Uint8Array, crc: number, compressedBytes: number): Buffer {
  const { method = 0, flags = 0, local = {}, descriptor } = member;
  const localName = local.name === undefined ? name : bytesOf(local.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(flags | (descriptor === undefined ? 0 : 8), 6);
  header.writeUInt16LE(local.method ?? method, 8);
  const isDeferred = descriptor !== undefined;
  header.writeUInt32LE(isDeferred ? 0 : (local.crc ?? crc), 14);
  header.writeUInt32LE(isDeferred ? 0 : compressedBytes, 18);
  header.writeUInt32LE(isDeferred ? 0 : (local.sizeBytes ?? member.sizeBytes ?? member.content.length), 22);
  header.writeUInt16LE(localName.length, 26);
  return Buffer.concat([header, localName]);
}

export function makeZip(members: readonly ZipMember[], options: ZipOptions = {}): Uint8Array {
  const { comment = new Uint8Array(0), prefix = new Uint8Array(0), suffix = new Uint8Array(0) } = options;
  const parts: Buffer[] = [Buffer.from(prefix)];
  const offsets: number[] = [];
  const central: Buffer[] = [];
  let at = prefix.length;
  for (const member of members) {
    const { method = 0, flags = 0, descriptor, externalAttributes = 0 } = member;
    const name = bytesOf(member.name);
    const packed = method === 8 ? deflateRawSync(member.content) : Buffer.from(member.content);
    const crc = member.crc ?? crc32(member.content);
    const compressedBytes = member.compressedBytes ?? packed.length;
    const pieces = [localHeader(member, name, crc, compressedBytes), packed];
    if (descriptor !== undefined) {
      const fields = Buffer.alloc(12);
      fields.writeUInt32LE(crc, 0);
      fields.writeUInt32LE(compressedBytes, 4);
      fields.writeUInt32LE(member.content.length, 8);
      pieces.push(
        descriptor === 'signed' ? Buffer.concat([Buffer.from([0x50, 0x4b, 7, 8]), fields]) : fields,
      );
    }
    offsets.push(at);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(0x031e, 4);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(flags | (descriptor === undefined ? 0 : 8), 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(compressedBytes, 20);
    entry.writeUInt32LE(member.sizeBytes ?? member.content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(externalAttributes >>> 0, 38);
    entry.writeUInt32LE(offsets[member.pointsTo ?? offsets.length - 1] as number, 42);
    central.push(Buffer.concat([entry, name]));
    for (const piece of pieces) {
      parts.push(piece);
      at += piece.length;
    }
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(options.diskNumber ?? 0, 4);
  end.writeUInt16LE(options.entryCount ?? members.length, 8);
  end.writeUInt16LE(options.entryCount ?? members.length, 10);
  end.writeUInt32LE(options.directoryBytes ?? directory.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Uint8Array.from(Buffer.concat([...parts, directory, end, comment, suffix]));
}

export interface TarMember {
  readonly name: string;
  readonly content?: Uint8Array;
  readonly type?: string;
  /** The size field as it stands. */
  readonly size?: string;
  readonly checksum?: string;
}

export function makeTar(members: readonly TarMember[], tail: Uint8Array = new Uint8Array(1024)): Uint8Array {
  const parts = members.flatMap(({ name, content = new Uint8Array(0), type = '0', size, checksum }) => {
    const header = Buffer.alloc(512);
    header.write(name.slice(0, 100), 0, 'latin1');
    header.write('0000644\0', 100, 'latin1');
    header.write(size ?? `${content.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
    header.write('        ', 148, 'latin1');
    header.write(type, 156, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(checksum ?? `${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    const padded = Buffer.alloc(Math.ceil(content.length / 512) * 512);
    padded.set(content);
    return [header, padded];
  });
  return Uint8Array.from(Buffer.concat([...parts, tail]));
}
