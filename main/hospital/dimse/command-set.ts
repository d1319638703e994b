// The commands of DICOM (PS3.7, 9.3, 10.3 and annex E): values ↔ bytes, which are always implicit little endian.

/** By name: element of group 0000, and how its value is written. */
const ELEMENTS = {
  affectedClass: [0x0002, 'UI'],
  requestedClass: [0x0003, 'UI'],
  field: [0x0100, 'US'],
  messageId: [0x0110, 'US'],
  answeredId: [0x0120, 'US'],
  priority: [0x0700, 'US'],
  datasetType: [0x0800, 'US'],
  status: [0x0900, 'US'],
  comment: [0x0902, 'LO'],
  affectedInstance: [0x1000, 'UI'],
  requestedInstance: [0x1001, 'UI'],
  eventType: [0x1002, 'US'],
  actionType: [0x1008, 'US'],
} as const satisfies Record<string, readonly [number, 'UI' | 'US' | 'LO']>;

type Name = keyof typeof ELEMENTS;
type ValueOf<N extends Name> = (typeof ELEMENTS)[N][1] extends 'US' ? number : string;
export type CommandSet = { readonly [N in Name]?: ValueOf<N> };

export const FIELD = {
  store: 0x0001,
  find: 0x0020,
  echo: 0x0030,
  event: 0x0100,
  action: 0x0130,
  cancel: 0x0fff,
} as const;
/** Added to the field of a request in its answer. */
export const ANSWER = 0x8000;

export const NO_DATASET = 0x0101;
export const WITH_DATASET = 0x0000;

const NAMES: ReadonlyMap<number, { readonly name: string; readonly type: 'UI' | 'US' | 'LO' }> = new Map(
  Object.entries(ELEMENTS).map(([name, [element, type]]) => [element, { name, type }]),
);
const HEAD_BYTES = 8;

function element(number: number, value: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt16LE(number, 2);
  head.writeUInt32LE(value.length, 4);
  return Buffer.concat([head, value]);
}

function encodeValue(value: number | string, type: 'UI' | 'US' | 'LO'): Buffer {
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(2);
    bytes.writeUInt16LE(value);
    return bytes;
  }
  const isOdd = value.length % 2 === 1;
  return Buffer.from(isOdd ? value + (type === 'UI' ? '\0' : ' ') : value, 'latin1');
}

export function encodeCommand(command: CommandSet): Buffer {
  const body = Buffer.concat(
    Object.entries(ELEMENTS).flatMap(([name, [number, type]]) => {
      const value = command[name as Name];
      return value === undefined ? [] : [element(number, encodeValue(value, type))];
    }),
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([element(0, length), body]);
}

/** What is not known here is passed by. @throws RangeError where it is cut off */
export function decodeCommand(bytes: Buffer): CommandSet {
  const command: Record<string, number | string> = {};
  for (let at = 0; at < bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) throw new RangeError('the command is cut off');
    const known = bytes.readUInt16LE(at) === 0 ? NAMES.get(bytes.readUInt16LE(at + 2)) : undefined;
    const value = bytes.subarray(at + HEAD_BYTES, end);
    if (known?.type === 'US') command[known.name] = value.readUInt16LE();
    else if (known !== undefined) command[known.name] = value.toString('latin1').replace(/[\0 ]+$/, '');
    at = end;
  }
  return command;
}
