// What is mutated for each reader: small good files of every kind that it reads, and what must be put right
// again after a mutation so that it reaches further than the first checksum.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeCompressors } from '../../main/formats/compressed-delta/compression.ts';
import { crcFlacFrame, crcFlacHeader, crcOgg } from '../../main/formats/crc.ts';
import { decodeFrame, parseFrameHeader, type StreamInfo } from '../../main/formats/flac/flac-frame.ts';
import { parseStreamInfo } from '../../main/formats/flac/flac-metadata.ts';
import { encodeCompressedDelta } from '../../main/signal/compressed-delta/write-frame.ts';
import {
  madeAlivecor,
  madeCardiosoft,
  madeMortara,
  madeMuse,
  madePhilips,
  madeSchiller,
} from '../support/made-carts.ts';
import { madeMat } from '../support/made-mat.ts';
import { makeAecg, makeDicom, makeIshne } from '../support/make-others.ts';
import { differences, longTermBody, makeScp, type ScpPacking } from '../support/make-scp.ts';
import { dataFolder } from '../support/test-data.ts';
import { channelOf, recordingOf, write } from '../support/written-records.ts';
import type { Chance } from './mutations.ts';
import { type Oddity, oddText, oddXml } from './oddities.ts';

export interface SeedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The main file first; any of them is mutated. */
export interface Seed {
  readonly files: readonly SeedFile[];
  /** Puts checksums right, sometimes. */
  readonly repair?: (bytes: Uint8Array, chance: Chance) => Uint8Array;
  /** The same file as another program might write it; half of the files are such, and read the same or not at all. */
  readonly odd?: Oddity;
}

const WAVE = Array.from({ length: 400 }, (_, i) =>
  Math.round(150 * Math.sin(i / 9) + 800 * Math.exp(-(((i % 130) - 60) ** 2) / 10)),
);
const RECORDING = recordingOf(
  [
    channelOf(Int32Array.from(WAVE), { label: 'II' }),
    channelOf(
      Int32Array.from(WAVE, (v) => -v),
      { label: 'V1' },
    ),
  ],
  {
    annotations: [
      { onsetSeconds: 0.3, text: 'N' },
      { onsetSeconds: 1, durationSeconds: 0.2, text: 'a remark' },
    ],
  },
);

const fromData = (folder: string, names: readonly string[], cut = 60_000): Seed => ({
  files: names.map((name) => ({
    name: name.replace(/^.*\//, ''),
    bytes: Uint8Array.from(readFileSync(join(dataFolder, folder, name)).subarray(0, cut)),
  })),
});

function written(format: string, fileName: string): Seed {
  const files = write(RECORDING, format, fileName).files.map(({ name, source }) => ({
    name,
    bytes: Uint8Array.from(source.read(0, source.sizeBytes)),
  }));
  return {
    files: files.sort(
      (a, b) =>
        Number(a.name.endsWith('.dat') || a.name.endsWith('.atr') || a.name.endsWith('.json')) -
        Number(b.name.endsWith('.dat') || b.name.endsWith('.atr') || b.name.endsWith('.json')),
    ),
  };
}

/** A FLAC file whose mutated frames get right checksums again. */
function flacSeed(seed: Seed): Seed {
  const { bytes } = seed.files[0] as SeedFile;
  const info = parseStreamInfo(bytes.subarray(8, 42)) as StreamInfo;
  const frames: { start: number; headerBytes: number; lengthBytes: number }[] = [];
  for (let at = bytes.indexOf(0xff, 42); at >= 0 && at < bytes.length; ) {
    const header = parseFrameHeader(bytes, at, info);
    const frame = header === undefined ? undefined : decodeFrame(bytes, at, info);
    if (header === undefined || frame === undefined) at = bytes.indexOf(0xff, at + 1);
    else {
      frames.push({ start: at, headerBytes: header.headerBytes, lengthBytes: frame.lengthBytes });
      at += frame.lengthBytes;
    }
  }
  return {
    ...seed,
    repair(mutated, chance) {
      if (mutated.length !== bytes.length || chance.below(4) === 0) return mutated;
      for (const { start, headerBytes, lengthBytes } of frames) {
        const crc8At = start + headerBytes - 1;
        mutated[crc8At] = crcFlacHeader(mutated, start, crc8At);
        const crc = crcFlacFrame(mutated, start, start + lengthBytes - 2);
        mutated[start + lengthBytes - 2] = crc >> 8;
        mutated[start + lengthBytes - 1] = crc;
      }
      return mutated;
    },
  };
}

/** An Ogg file whose mutated pages get right checksums again. */
function oggSeed(seed: Seed): Seed {
  return {
    ...seed,
    repair(mutated, chance) {
      if (chance.below(4) === 0) return mutated;
      const buffer = Buffer.from(mutated.buffer, mutated.byteOffset, mutated.length);
      for (
        let at = buffer.indexOf('OggS');
        at >= 0 && at + 27 < buffer.length;
        at = buffer.indexOf('OggS', at + 4)
      ) {
        const segments = buffer[at + 26] as number;
        const body = buffer.subarray(at + 27, at + 27 + segments).reduce((sum, value) => sum + value, 0);
        const end = Math.min(buffer.length, at + 27 + segments + body);
        buffer.fill(0, at + 22, at + 26);
        buffer.writeUInt32LE(crcOgg(mutated, at, end), at + 22);
      }
      return mutated;
    },
  };
}

const scpSeed = (bytes: Uint8Array): Seed => ({ files: [{ name: 'x.scp', bytes }] });
const scpLead = (id: number, encoding: 0 | 1 | 2) => ({
  id,
  first: 1,
  last: WAVE.length,
  stored: differences(WAVE, encoding),
  reference: differences(WAVE.slice(0, 100), encoding),
});
const scpSeeds = (['plain', 'default', 'own'] as ScpPacking[]).flatMap((packing) =>
  ([0, 1, 2] as const).map((encoding) =>
    scpSeed(
      makeScp({
        leads: [scpLead(1, encoding), scpLead(2, encoding)],
        packing,
        encoding,
        isSubtracted: true,
        referenceLengthMs: 200,
        fiducial: 40,
        zones: [
          [0, 11, 50, 110],
          [0, 200, 239, 299],
        ],
        protectedAreas: [
          [30, 70],
          [220, 260],
        ],
        isBimodal: encoding === 1,
        ...(encoding === 1 && { intervalUs: 8000, referenceIntervalUs: 2000 }),
      }),
    ),
  ),
);

const COMPRESSORS = nativeCompressors();
const deltaFrame = {
  channels: [Int32Array.from(WAVE), Int32Array.from(WAVE, (v) => -v)],
  sampleRateHz: 250,
  bitsPerSample: 16 as const,
};
const deltaSeeds = (['none', 'zlib', 'zstd'] as const).map(
  (compression): Seed => ({
    files: [
      {
        name: 'x.cmdt',
        bytes: encodeCompressedDelta(deltaFrame, { coding: 'doubleDelta', compression }, COMPRESSORS),
      },
    ],
  }),
);

const one = (name: string, bytes: Uint8Array): Seed => ({ files: [{ name, bytes }] });
const aecgLeads = ['I', 'II', 'V1'].map((name) => ({ code: `MDC_ECG_LEAD_${name}`, digits: WAVE.join(' ') }));
const dicomLeads = ['2:1', '2:2', '2:3'].map((code) => ({ code, samples: WAVE }));

const odd = (name: string, bytes: Uint8Array, oddity: Oddity): Seed => ({ ...one(name, bytes), odd: oddity });
const textOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const CART_LEADS = { I: WAVE, II: WAVE.map((value) => 2 * value), V1: WAVE.map((value) => 3 - value) };
const TWELVE = Object.fromEntries(
  ['I', 'II', 'III', 'aVR', 'aVL', 'aVF', 'V1', 'V2', 'V3', 'V4', 'V5', 'V6'].map((label, i) => [
    label,
    WAVE.map((value) => value + i),
  ]),
);
const APPLE = `Name,"Berg, Ada"\nDate of Birth,"May 2, 1951"\nRecorded Date,2024-03-01 14:20:05 +0100\nClassification,Sinus Rhythm\nSymptoms,\nSoftware Version,2.0\nDevice,"Watch6,1"\nSample Rate,256 hertz\n\n\nLead,Lead I\nUnit,µV\n\n${WAVE.map((value) => (value / 3).toFixed(3)).join('\n')}`;
const OPENBCI = `%OpenBCI Raw EXG Data\n%Number of channels = 8\n%Sample Rate = 250 Hz\n%Board = OpenBCI_GUI$BoardCytonSerial\nSample Index, EXG Channel 0, EXG Channel 1, Timestamp\n${WAVE.map((value, i) => `${i % 256}, ${value}, ${-value}, ${1709288430 + i / 250}`).join('\n')}\n`;
const TABLE = `Time (s),II (mV),V1 (mV)\n${WAVE.map((value, i) => `${i / 250},${value / 1000},${-value / 1000}`).join('\n')}\n`;

export const SEEDS: Readonly<Record<string, readonly Seed[]>> = {
  edf: [
    written('edf', 'x.edf'),
    fromData('edf', ['made_plusD_gaps.edf'], 20_000),
    fromData('edf', ['made_fractional_record.edf']),
    fromData('edf', ['made_tolerant.edf']),
    fromData('edf', ['made_ecg8.bdf'], 40_000),
    fromData('edf', ['test_edfann.edf'], 70_000),
  ],
  wfdb: [
    written('wfdb', 'x.hea'),
    fromData('wfdb', ['100_3chan.hea', '100_3chan.dat']),
    fromData('wfdb', ['binformats.hea', ...Array.from({ length: 10 }, (_, i) => `binformats.d${i}`)]),
    fromData('wfdb', ['flacformats.hea', 'flacformats.d0', 'flacformats.d1', 'flacformats.d2']),
    fromData('wfdb', ['test01_00s_skewframe.hea', 'test01_00s.dat'], 8000),
    fromData('wfdb/multi/041s', ['041s.hea', '041s01.hea', '041s01.dat', '041s02.hea', '041s02.dat'], 8000),
    fromData(
      'wfdb/multi/p000878',
      ['p000878-2137-10-26-16-57.hea', '3269321_layout.hea', '3269321_0001.hea', '3269321_0001.dat'],
      8000,
    ),
  ],
  scp: [
    ...scpSeeds,
    scpSeed(
      makeScp({ leads: [], longTerm: longTermBody(250, 2, [{ id: 1, nanovolts: 2500, samples: WAVE }]) }),
    ),
    scpSeed(makeScp({ leads: [scpLead(1, 0)], hasMark: false })),
  ],
  'compressed-delta': [...deltaSeeds, written('cmdt', 'y.cmdt')],
  flac: [
    flacSeed(written('flac', 'x.flac')),
    flacSeed(fromData('flac', ['ecg2_8bit.flac'])),
    flacSeed(fromData('flac', ['ecg1_lpc32_part8.flac'])),
    flacSeed(fromData('flac', ['noise_verbatim.flac'])),
  ],
  ogg: [
    oggSeed(fromData('flac', ['ecg12_multiplex.oga'], 110_000)),
    oggSeed(fromData('flac', ['ecg8_chained.oga'])),
  ],
  aecg: [
    odd(
      'x.xml',
      makeAecg([
        { start: '20240301102030', leads: aecgLeads },
        { start: '20240301102050', leads: aecgLeads },
      ]),
      oddXml,
    ),
  ],
  muse: [odd('x.xml', madeMuse(CART_LEADS), oddXml)],
  philips: [
    odd('x.xml', madePhilips(TWELVE, true), oddXml),
    odd('y.xml', madePhilips(TWELVE, false), oddXml),
  ],
  mortara: [odd('x.xml', madeMortara(CART_LEADS), oddXml)],
  cardiosoft: [odd('x.xml', madeCardiosoft(CART_LEADS), oddXml)],
  schiller: [odd('x.xml', madeSchiller(CART_LEADS), oddXml)],
  apple: [odd('ecg.csv', textOf(APPLE), oddText)],
  openbci: [odd('x.txt', textOf(OPENBCI), oddText)],
  alivecor: [one('x.atc', madeAlivecor([WAVE, WAVE.map((value) => -value)]))],
  matlab: [
    one(
      'x.mat',
      madeMat({ val: { matrix: [WAVE, WAVE] }, fs: { matrix: [[250]] }, leads: { texts: ['I', 'II'] } }),
    ),
    one('y.mat', madeMat({ ECG: { fields: { data: { matrix: [WAVE] }, fs: { matrix: [[250]] } } } }, true)),
  ],
  table: [
    odd('x.csv', textOf(TABLE), oddText),
    odd('y.csv', textOf(TABLE.replaceAll(',', ';').replaceAll('.', ',')), oddText),
    odd('z.txt', textOf(TABLE.replaceAll(',', '\t')), oddText),
  ],
  dicom: [
    one('x.dcm', makeDicom({ leads: dicomLeads })),
    one('y.dcm', makeDicom({ leads: dicomLeads, bits: 8, padding: 0 })),
  ],
  ishne: [
    one(
      'x.ecg',
      makeIshne({
        leads: [
          { code: 5, nanovolts: 2500, samples: WAVE },
          { code: 6, nanovolts: 2500, samples: WAVE },
        ],
      }),
    ),
  ],
};
