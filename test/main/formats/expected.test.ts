import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bufferSource } from '../../../main/formats/byte-source.ts';
import { Deviations } from '../../../main/formats/deviations.ts';
import { SCP } from '../../../main/formats/scp/scp.ts';
import { readSections } from '../../../main/formats/scp/scp-sections.ts';
import { parseWfdbAnnotations } from '../../../main/formats/wfdb/wfdb-annotations.ts';
import { rateHz, readAllSamples } from '../../../shared/signal/recording.ts';
import { type Expected, measure } from '../../support/expected-values.ts';
import { bytesFile, dataFolder, readFrom, recordingFrom, shelfFolder } from '../../support/test-data.ts';

const load = (path: string): Expected => JSON.parse(readFileSync(path, 'utf8'));

/** Files with expected values below a folder: [path of the recording, path of its values]. */
function pairs(folder: string, kind: string): [name: string, path: string, expected: Expected][] {
  const expectedFolder = join(folder, kind, 'expected');
  if (!existsSync(expectedFolder)) return [];
  return readdirSync(expectedFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => load(join(expectedFolder, name)))
    .filter((expected) => expected.sha256 !== undefined || expected.streams !== undefined)
    .filter(
      (expected) => existsSync(join(folder, kind, expected.file)) && !expected.format.includes('annotations'),
    )
    .map((expected) => [`${kind}/${expected.file}`, join(folder, kind, expected.file), expected]);
}

/** A record of which only the first pieces are there; the values cover these alone. */
const PARTIAL_FRAMES: Readonly<Record<string, number>> = {
  'multi/p000878/p000878-2137-10-26-16-57.hea': 7500,
};

const NANOVOLTS_PER_UNIT = 5000;

/**
 * What the WFDB package's converter makes of a record with reference beats, in its units of 5 µV: it smooths
 * the residual outside of the beats before it puts them back, and derives four leads (formats reference,
 * section 3.7).
 */
function converterOutput(path: string): Int16Array {
  const bytes = readFileSync(path);
  const source = bufferSource(bytes);
  const sections = readSections(source, new Deviations());
  const view = (id: number): DataView => {
    const { body } = sections.get(id)!;
    return new DataView(body.buffer, body.byteOffset, body.byteLength);
  };
  const beats = view(4);
  const zones = Array.from({ length: beats.getUint16(4, true) }, (_, i) => ({
    type: beats.getUint16(6 + 14 * i, true),
    first: beats.getUint32(8 + 14 * i, true),
    last: beats.getUint32(16 + 14 * i, true),
  })).filter(({ type, last }) => type === 0 && last > 0);
  const whole = recordingFrom(path).channels.map((channel) => readAllSamples(channel));
  // With every beat marked as one that was not taken away, the file reads as the residual alone.
  const marked = Uint8Array.from(bytes);
  const beatsAt = Buffer.from(bytes).indexOf(sections.get(4)!.body);
  for (let i = 0; i < beats.getUint16(4, true); i++)
    new DataView(marked.buffer).setUint16(beatsAt + 6 + 14 * i, 1, true);
  const read = SCP.read(bytesFile('test.scp', marked), []);
  if (!read.ok) throw new Error(read.message);
  const residual = read.recording.channels.map((channel) => readAllSamples(channel));
  const leads = whole.map((samples, lead) => {
    const x = residual[lead]!.map((value) => value / NANOVOLTS_PER_UNIT);
    const y = x.map((value, i) => {
      if (i === 0 || i === x.length - 1) return value;
      const sum = x[i - 1]! + value + x[i + 1]!;
      return Math.sign(sum) * Math.floor((Math.abs(sum) + 2) / 3);
    });
    for (const { first, last } of zones) for (let i = first - 1; i <= last + 1; i++) y[i] = x[i]!;
    for (const { first, last } of zones)
      for (let s = first; s <= last; s++)
        y[s - 1] = y[s - 1]! + (samples[s - 1]! - residual[lead]![s - 1]!) / NANOVOLTS_PER_UNIT;
    return y;
  });
  const [i, ii] = leads as [Int32Array, Int32Array];
  const iii = ii.map((value, n) => value - i[n]!);
  const avr = i.map((value, n) => Math.trunc(-(value + ii[n]!) / 2));
  const avf = i.map((value, n) => Math.trunc(value / 2) + iii[n]!);
  const avl = ii.map((value, n) => Math.trunc(value / 2) - iii[n]!);
  const ordered = [i, ii, iii, avr, avf, avl, ...leads.slice(2)];
  return Int16Array.from({ length: 12 * i.length }, (_, at) => ordered[at % 12]![Math.floor(at / 12)]!);
}

/** MIT annotation files with expected values: the lines that were hashed are made again. */
function annotationFiles(
  folder: string,
): [name: string, path: string, expected: Expected & { count: number }][] {
  const expectedFolder = join(folder, 'wfdb', 'expected');
  return readdirSync(expectedFolder)
    .map((name) => load(join(expectedFolder, name)) as Expected & { count: number })
    .filter(
      (expected) =>
        expected.format.includes('annotations') && existsSync(join(folder, 'wfdb', expected.file)),
    )
    .map((expected) => [expected.file, join(folder, 'wfdb', expected.file), expected]);
}

function sweep(folder: string): void {
  test.each(annotationFiles(folder))('%s gives every annotation as expected', (_, path, expected) => {
    const parsed = parseWfdbAnnotations(readFileSync(path));
    if (!parsed.ok) throw new Error(parsed.message);
    const lines = parsed.annotations.map(({ sample, symbol, subtype, channel, number, text }) =>
      [sample, symbol, subtype, channel, number, text].join(' '),
    );
    expect(lines).toHaveLength(expected.count);
    expect(createHash('sha256').update(lines.join('\n')).digest('hex')).toBe(expected.sha256);
  });

  test.each([...pairs(folder, 'edf'), ...pairs(folder, 'wfdb'), ...pairs(folder, 'scp')])(
    '%s gives every sample as expected',
    (_, path, expected) => {
      const recording = recordingFrom(path);
      const isGapStored = recording.format !== 'WFDB';
      const found = measure(recording, isGapStored, PARTIAL_FRAMES[expected.file]);
      const signals = expected.signals ?? [];
      expect(found.signals.map(({ samples }) => samples)).toEqual(signals.map(({ samples }) => samples));
      expect(found.sha256).toBe(expected.sha256);
      for (const [index, signal] of signals.entries()) {
        const channel = recording.channels[index]!;
        expect(rateHz(channel.rate)).toBeCloseTo(signal.rateHz, 9);
        expect(channel.scale / signal.scale).toBeCloseTo(1, 9);
        expect(Math.abs(channel.offset - signal.offset)).toBeLessThan(
          1e-6 * Math.max(1, Math.abs(signal.offset)),
        );
        expect(channel.label).toBe(signal.label);
      }
    },
  );

  test.each(pairs(folder, 'flac'))(
    '%s gives every sample of every stream as expected',
    (_, path, expected) => {
      const recording = recordingFrom(path);
      const isChained = expected.note?.includes('one after the other') === true;
      let channel = 0;
      let start = 0;
      for (const stream of expected.streams ?? []) {
        const part = recording.channels.slice(channel, channel + stream.signals.length).map((each) => ({
          ...each,
          sampleCount: stream.signals[0]!.samples,
          read: (from: number, target: Int32Array) => each.read(start + from, target),
        }));
        expect(measure({ ...recording, channels: part }, true).sha256).toBe(stream.sha256);
        if (isChained) start += stream.signals[0]!.samples;
        else channel += stream.signals.length;
      }
      expect(recording.warnings.filter(({ code }) => code !== 'scale_unknown')).toEqual([]);
    },
  );
}

describe('recordings of the repository, against values that independent programs gave', () =>
  sweep(dataFolder));

const shelf = shelfFolder('formats');
describe.skipIf(shelf === undefined)(
  'recordings of the shelf (left out where the shelf is not beside the project)',
  () => {
    if (shelf === undefined) return;
    sweep(shelf);

    test('the files without expected values are refused by name', () => {
      for (const name of ['healforce62.scp', 'healforce63.scp'])
        expect(readFrom(join(shelf, 'scp', name))).toMatchObject({
          ok: false,
          reason: 'unsupported_format',
          message: expect.stringContaining('Healforce'),
        });
    });

    test('the converter of the WFDB package is reproduced from test.scp by its recipe, all 60,000 values', () => {
      const path = join(shelf, 'scp', 'test.scp');
      const found = converterOutput(path);
      const dat = readFileSync(join(shelf, 'scp', 'expected', 'test.dat'));
      const expected = new Int16Array(dat.buffer.slice(dat.byteOffset, dat.byteOffset + dat.length));
      expect(found).toHaveLength(60_000);
      expect(Buffer.compare(Buffer.from(found.buffer), Buffer.from(expected.buffer))).toBe(0);
    });
  },
);
