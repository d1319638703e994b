// MATLAB 5 files, made by a writer of our own.

import { deflateSync } from 'node:zlib';

const MI = {
  int8: 1,
  uint16: 4,
  int16: 3,
  int32: 5,
  uint32: 6,
  double: 9,
  matrix: 14,
  compressed: 15,
} as const;
const CLASS = { cell: 1, struct: 2, char: 4, double: 6, int16: 10 } as const;

export type MatValue =
  | { readonly matrix: readonly (readonly number[])[]; readonly isInt16?: boolean }
  | { readonly text: string }
  | { readonly texts: readonly string[] }
  | { readonly fields: Readonly<Record<string, MatValue>> };

function element(type: number, data: Buffer): Buffer {
  const tag = Buffer.alloc(8);
  tag.writeUInt32LE(type, 0);
  tag.writeUInt32LE(data.length, 4);
  return Buffer.concat([tag, data, Buffer.alloc((8 - (data.length % 8)) % 8)]);
}

const words = (type: number, values: readonly number[]): Buffer =>
  element(type, Buffer.from(Int32Array.from(values).buffer));

function matrix(
  name: string,
  kind: number,
  rows: number,
  columns: number,
  ...parts: readonly Buffer[]
): Buffer {
  return element(
    MI.matrix,
    Buffer.concat([
      words(MI.uint32, [kind, 0]),
      words(MI.int32, [rows, columns]),
      element(MI.int8, Buffer.from(name, 'latin1')),
      ...parts,
    ]),
  );
}

function variable(name: string, value: MatValue): Buffer {
  if ('text' in value)
    return matrix(
      name,
      CLASS.char,
      1,
      value.text.length,
      element(MI.uint16, Buffer.from(value.text, 'utf16le')),
    );
  if ('texts' in value)
    return matrix(
      name,
      CLASS.cell,
      1,
      value.texts.length,
      ...value.texts.map((text) => variable('', { text })),
    );
  if ('fields' in value) {
    const names = Object.keys(value.fields);
    const padded = Buffer.concat(names.map((each) => Buffer.from(each.padEnd(32, '\0'), 'latin1')));
    return matrix(
      name,
      CLASS.struct,
      1,
      1,
      words(MI.int32, [32]),
      element(MI.int8, padded),
      ...Object.values(value.fields).map((each) => variable('', each)),
    );
  }
  const rows = value.matrix.length;
  const columns = value.matrix[0]?.length ?? 0;
  const byColumn = Array.from(
    { length: rows * columns },
    (_, i) => value.matrix[i % rows]?.[Math.floor(i / rows)] ?? 0,
  );
  return value.isInt16 === true
    ? matrix(
        name,
        CLASS.int16,
        rows,
        columns,
        element(MI.int16, Buffer.from(Int16Array.from(byColumn).buffer)),
      )
    : matrix(
        name,
        CLASS.double,
        rows,
        columns,
        element(MI.double, Buffer.from(Float64Array.from(byColumn).buffer)),
      );
}

export function madeMat(variables: Readonly<Record<string, MatValue>>, isCompressed = false): Uint8Array {
  const head = Buffer.alloc(128, ' ');
  head.write('MATLAB 5.0 MAT-file', 'latin1');
  head.writeUInt16LE(0x0100, 124);
  head.write('IM', 126, 'latin1');
  const all = Object.entries(variables).map(([name, value]) => variable(name, value));
  const stored = isCompressed
    ? all.map((one) => {
        const data = deflateSync(one);
        const tag = Buffer.alloc(8);
        tag.writeUInt32LE(MI.compressed, 0);
        tag.writeUInt32LE(data.length, 4);
        return Buffer.concat([tag, data]);
      })
    : all;
  return Buffer.concat([head, ...stored]);
}
