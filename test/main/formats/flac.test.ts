import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../main/formats/read-record.ts';
import { INVALID_SAMPLE, readAllSamples } from '../../../shared/signal/recording.ts';
import { bytesFile, dataFolder, recordingFrom } from '../../support/test-data.ts';
import { channelOf, recordingOf, write } from '../../support/written-records.ts';

const file = (name: string): Uint8Array => Uint8Array.from(readFileSync(join(dataFolder, 'flac', name)));
const read = (bytes: Uint8Array) => readRecord(bytesFile('x', bytes), []);
const codes = (bytes: Uint8Array): string[] => {
  const result = read(bytes);
  return result.ok ? result.recording.warnings.map(({ code }) => code) : [result.reason];
};
const GOOD = file('ecg8_16bit_1000.flac');
const [first] = recordingFrom(join(dataFolder, 'flac', 'ecg8_16bit_1000.flac')).channels;
const SAMPLES = readAllSamples(first!);

describe('FLAC', () => {
  test('an announced number of samples that is too small drops none', () => {
    const bytes = Uint8Array.from(GOOD);
    bytes.set([0, 0, 3, 232], 22);
    const result = read(bytes);
    expect(result.ok && readAllSamples(result.recording.channels[0]!)).toEqual(SAMPLES);
    expect(codes(bytes)).toEqual(['sample_count']);
  });

  test('a damaged block is marked as missing, and what follows keeps its place', () => {
    const bytes = Uint8Array.from(GOOD);
    // Somewhere inside the second of the blocks.
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] as number) ^ 0xff;
    const result = read(bytes);
    if (!result.ok) throw new Error(result.message);
    const found = readAllSamples(result.recording.channels[0]!);
    expect(found).toHaveLength(SAMPLES.length);
    const missing = found.reduce((count, value) => count + (value === INVALID_SAMPLE ? 1 : 0), 0);
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThan(SAMPLES.length);
    expect(found.every((value, i) => value === INVALID_SAMPLE || value === SAMPLES[i])).toBe(true);
    expect(codes(bytes)).toContain('flac_damaged');
  });

  test('a wrong checksum of the whole stream is told', () => {
    const bytes = Uint8Array.from(GOOD);
    bytes[26] = (bytes[26] as number) ^ 1;
    expect(codes(bytes)).toEqual(['checksum']);
  });

  test('a tag of another program before the stream is skipped, however long', () => {
    const tag = new Uint8Array(10 + 6000);
    tag.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 6000 >> 7, 6000 & 127]);
    expect(read(Buffer.concat([tag, GOOD])).ok).toBe(true);
  });

  test('pieces one after another must be of one recording', () => {
    const labels = ['I', 'II', 'III', 'aVR', 'aVL', 'aVF', 'V1', 'V2', 'V3'];
    const piece = (scale: number): Uint8Array => {
      const given = recordingOf(
        labels.map((label) => channelOf(Int32Array.of(1, 2, 3, 4), { scale, label })),
      );
      const { source } = write(given, 'flac', 'x.oga').files[0]!;
      return source.read(0, source.sizeBytes);
    };
    const same = read(Buffer.concat([piece(0.005), piece(0.005)]));
    expect(same.ok && [...readAllSamples(same.recording.channels[8]!)]).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
    expect(read(Buffer.concat([piece(0.005), piece(0.0025)]))).toMatchObject({
      ok: false,
      reason: 'unsupported_format',
    });
  });
});
