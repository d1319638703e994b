import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { nativeCompressors } from '../../../main/formats/compressed-delta/compression.ts';
import { readRecord } from '../../../main/formats/read-record.ts';
import { placeFrames } from '../../../main/formats/stream/place-frames.ts';
import type { DeltaStart } from '../../../main/signal/compressed-delta/decode-slots.ts';
import { deltaHeaderBytes } from '../../../main/signal/compressed-delta/header.ts';
import { INVALID_SAMPLE, type Recording, readAllSamples } from '../../../shared/signal/recording.ts';
import {
  INDEX_ENTRY_BYTES,
  type StreamFacts,
  streamFileEnd,
  streamFileHead,
  writeIndexEntry,
} from '../../../shared/signal/stream-file.ts';
import { frameChannels, heartbeat, makeFrame } from '../../support/make-frames.ts';
import { bytesFile } from '../../support/test-data.ts';

const RATE = 500;
const place = (frames: readonly (readonly [timestampMs: number, samples: number])[], rate = RATE) =>
  placeFrames(
    Float64Array.from(frames, ([ms]) => ms * 1000),
    Uint32Array.from(frames, ([, samples]) => samples),
    rate,
  );
const codes = ({ warnings }: { warnings: readonly { code: string }[] }): string[] =>
  warnings.map(({ code }) => code);

describe('placing of frames (D73, D82)', () => {
  test('what follows within four milliseconds is contiguous, also over a drifting clock', () => {
    const frames = Array.from({ length: 100 }, (_, i) => [i * 500.4, 250] as const);
    const placed = place(frames);
    expect([placed.sampleCount, placed.gaps, [...placed.starts].slice(0, 3)]).toEqual([
      25_000,
      [],
      [0, 250, 500],
    ]);
    expect(codes(place(Array.from({ length: 100 }, (_, i) => [i * 501, 250] as const)))).toEqual([
      'clock_drift',
    ]);
  });

  test('a position is rounded half up', () => {
    // 1.5 samples of 2 ms: the second frame begins at sample 2.
    expect(
      place([
        [0, 2],
        [3, 2],
      ]).gaps,
    ).toEqual([]);
    expect([
      ...place([
        [0, 100],
        [300, 100],
      ]).starts,
    ]).toEqual([0, 150]);
  });

  test('what comes later than that is a gap of its length', () => {
    const placed = place([
      [0, 250],
      [500, 250],
      [2000, 250],
    ]);
    expect([placed.gaps, placed.sampleCount]).toEqual([[[500, 1000]], 1250]);
  });

  test('an overlap drops the beginning of the later frame, and a frame inside another one whole', () => {
    const overlapping = place([
      [0, 250],
      [400, 250],
      [900, 250],
    ]);
    expect([
      [...overlapping.drops],
      [...overlapping.starts],
      overlapping.sampleCount,
      overlapping.gaps,
    ]).toEqual([[0, 50, 0], [0, 250, 450], 700, []]);
    const inside = place([
      [0, 1000],
      [200, 100],
      [2000, 250],
    ]);
    expect([[...inside.frames], inside.gaps, inside.sampleCount]).toEqual([[0, 2], [], 1250]);
    expect(codes(inside)).toEqual(['frames_overlap']);
  });

  test('timestamps that jitter with nothing lost place by count', () => {
    const frames = Array.from({ length: 60 }, (_, i) => [i * 500 + (i % 2 === 0 ? 0 : 40), 250] as const);
    const placed = place(frames);
    expect([placed.gaps, placed.sampleCount, codes(placed)]).toEqual([[], 15_000, ['irregular_timestamps']]);
  });

  test('a lost frame among few is a gap, however many of the borders it is', () => {
    expect(
      place([
        [0, 250],
        [1000, 250],
      ]).gaps,
    ).toEqual([[250, 500]]);
    const five = place([
      [0, 250],
      [500, 250],
      [1500, 250],
      [2000, 250],
      [2500, 250],
    ]);
    expect([five.gaps, codes(five)]).toEqual([[[500, 750]], []]);
  });

  test('small frames that come slightly early are all kept', () => {
    const pairs = Array.from({ length: 2500 }, (_, s) => [Math.floor(s / 2) * 8 + (s % 2), 1] as const);
    const bursts = place(pairs, 250);
    expect([bursts.sampleCount, bursts.gaps, codes(bursts)]).toEqual([2500, [], []]);
    const uneven = place(
      Array.from(
        { length: 60 },
        (_, i) => [Math.floor(i / 2) * 520 + (i % 2 === 0 ? 40 : 460), i % 2 === 0 ? 250 : 10] as const,
      ),
    );
    expect([uneven.sampleCount, codes(uneven)]).toEqual([7800, ['irregular_timestamps']]);
  });

  test('losses that add up are no jitter', () => {
    const placed = place(Array.from({ length: 20 }, (_, i) => [i * 1000, 250] as const));
    expect([placed.gaps.length, codes(placed)]).toEqual([19, []]);
  });

  test('a frame of another day is set aside', () => {
    const frames = Array.from({ length: 300 }, (_, i) => [i * 500, 250] as const);
    const late = place([...frames, [10 * 3_600_000, 250]]);
    expect([late.sampleCount, late.gaps, codes(late)]).toEqual([75_000, [], ['stray_frames']]);
    const early = place([
      [0, 250],
      ...frames.map(([ms, samples]) => [ms + 10 * 3_600_000, samples] as const),
    ]);
    expect([early.sampleCount, [...early.frames].slice(0, 2), codes(early)]).toEqual([
      75_000,
      [1, 2],
      ['stray_frames'],
    ]);
  });
});

const FACTS: StreamFacts = {
  sampleRateHz: RATE,
  leadCodes: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II'],
  startedMs: 1_000_000,
  localId: 'abcdefghijkl',
  scale: { digitalMinimum: -1000, digitalMaximum: 1000, physicalMinimumMv: -5, physicalMaximumMv: 5 },
};

function streamFile(
  frames: readonly { readonly timestampUs: number; readonly samples: number; readonly bytes: Uint8Array }[],
  facts = FACTS,
): Uint8Array {
  const head = streamFileHead(facts);
  const index = new Uint8Array(frames.length * INDEX_ENTRY_BYTES);
  const view = new DataView(index.buffer);
  let offsetBytes = head.length;
  for (const [i, { timestampUs, samples, bytes }] of frames.entries()) {
    writeIndexEntry(view, i * INDEX_ENTRY_BYTES, {
      timestampUs,
      offsetBytes,
      lengthBytes: bytes.length,
      samples,
      crc32: crc32(bytes),
    });
    offsetBytes += bytes.length;
  }
  return Buffer.concat([
    head,
    ...frames.map(({ bytes }) => bytes),
    index,
    streamFileEnd(offsetBytes, frames.length, crc32(index)),
  ]);
}

function read(bytes: Uint8Array): Recording {
  const file = bytesFile('stream', bytes);
  const result = readRecord(file, [file]);
  if (!result.ok) throw new Error(result.message);
  return result.recording;
}

/** Frames whose differences begin as a device may begin them. */
function oddFrame(
  from: number,
  samples: number,
  coding: 'delta' | 'doubleDelta',
  { isFirstRaw, isFirstDifferencePlain }: DeltaStart,
): Uint8Array {
  const channels = frameChannels({
    leads: 2,
    samples,
    from,
    signal: (sample, lead) => 400 + heartbeat(RATE)(sample, lead),
  });
  const coded = new DataView(new ArrayBuffer(2 * 2 * samples));
  for (const [lead, values] of channels.entries()) {
    let [last, lastDifference] = [0, 0];
    for (const [i, value] of values.entries()) {
      const difference = value - last;
      const slot = coding === 'delta' ? difference : difference - lastDifference;
      const folded = i === 0 && isFirstRaw ? value : (slot << 1) ^ (slot >> 31);
      coded.setInt16(2 * (lead * samples + i), folded, true);
      last = value;
      lastDifference = i === 0 && isFirstDifferencePlain ? 0 : difference;
    }
  }
  const block = nativeCompressors().zlib(new Uint8Array(coded.buffer));
  const head = deltaHeaderBytes({
    payloadBytes: block.length,
    channels: 2,
    samples,
    sampleRateHz: RATE,
    bitsPerSample: 16,
    coding,
    compressionNumber: 2,
  });
  return Buffer.concat([head, block]);
}

describe('the file of a stream', () => {
  const frame = (n: number, bytes = makeFrame({ leads: 2, from: n * 250 })) => ({
    timestampUs: n * 500_000,
    samples: 250,
    bytes,
  });

  test('reads as placed, with the scale of the start and the time of the first frame', () => {
    const recording = read(streamFile([frame(2), frame(3), frame(5)]));
    expect(recording.startTime).toEqual({ utcMs: 1_001_000, isZoneKnown: true });
    expect([
      recording.channels[0]!.label,
      recording.channels[0]!.scale,
      recording.channels[0]!.offset,
    ]).toEqual(['I', 0.005, 0]);
    expect(recording.gaps).toEqual([{ startSeconds: 1, endSeconds: 1.5 }]);
    const samples = readAllSamples(recording.channels[1]!);
    const signal = heartbeat(RATE);
    expect([samples[0], samples[499], samples[500], samples[750]]).toEqual([
      signal(500, 1),
      signal(999, 1),
      INVALID_SAMPLE,
      signal(1250, 1),
    ]);
    // From the middle, over borders.
    const part = new Int32Array(300);
    recording.channels[1]!.read(400, part);
    expect([part[0], part[99], part[100]]).toEqual([signal(900, 1), signal(999, 1), INVALID_SAMPLE]);
  });

  test('frames that overlap and differ are told', () => {
    const later = { timestampUs: 400_000, samples: 250, bytes: makeFrame({ leads: 2, from: 9000 }) };
    expect(codes(read(streamFile([frame(0), later])))).toEqual(['frames_overlap', 'overlapping_frames']);
    const same = { timestampUs: 400_000, samples: 250, bytes: makeFrame({ leads: 2, from: 200 }) };
    expect(codes(read(streamFile([frame(0), same])))).toEqual(['frames_overlap']);
  });

  test('a damaged frame reads as missing, and the check of the record tells', () => {
    const bytes = streamFile([frame(0), frame(1), frame(2)]);
    bytes[streamFileHead(FACTS).length + 100]! ^= 1;
    const recording = read(bytes);
    expect(
      readAllSamples(recording.channels[0]!)
        .subarray(0, 250)
        .every((sample) => sample === INVALID_SAMPLE),
    ).toBe(true);
    expect(codes({ warnings: recording.checkIntegrity!() })).toEqual(['frames_damaged']);
  });

  test('a frame inside another one that holds other samples is told, whatever lead differs', () => {
    const inside = {
      timestampUs: 100_000,
      samples: 50,
      bytes: makeFrame({ leads: 2, from: 7000, samples: 50 }),
    };
    expect(codes(read(streamFile([frame(0), inside, frame(1)])))).toEqual([
      'frames_overlap',
      'overlapping_frames',
    ]);
    const second = makeFrame({
      leads: 2,
      samples: 250,
      signal: (sample, lead) => heartbeat(RATE)(sample + 200, lead) + (lead === 1 ? 3 : 0),
    });
    expect(
      codes(read(streamFile([frame(0), { timestampUs: 400_000, samples: 250, bytes: second }]))),
    ).toContain('overlapping_frames');
  });

  test('a frame that unpacks to more than a frame may have is not unpacked', () => {
    const samples = 5_000_000;
    const block = nativeCompressors().zlib(new Uint8Array(2 * 2 * samples));
    const head = deltaHeaderBytes({
      payloadBytes: block.length,
      channels: 2,
      samples,
      sampleRateHz: RATE,
      bitsPerSample: 16,
      coding: 'twosComplement',
      compressionNumber: 2,
    });
    const recording = read(streamFile([{ timestampUs: 0, samples, bytes: Buffer.concat([head, block]) }]));
    expect(codes({ warnings: recording.checkIntegrity!() })).toEqual(['frames_damaged']);
  });

  test('cut off, or with a damaged index, it is refused', () => {
    const whole = streamFile([frame(0), frame(1)]);
    const damaged = whole.slice();
    damaged[damaged.length - 40]! ^= 1;
    for (const bytes of [whole.subarray(0, -1), whole.subarray(0, 20), damaged])
      expect(() => read(bytes)).toThrow(/damaged/);
  });

  test.each([
    ['delta', 'raw_first', { isFirstRaw: true, isFirstDifferencePlain: false }],
    ['doubleDelta', 'raw_first', { isFirstRaw: true, isFirstDifferencePlain: false }],
    ['doubleDelta', 'first_difference_second', { isFirstRaw: false, isFirstDifferencePlain: true }],
    [
      'doubleDelta',
      'raw_first_and_first_difference_second',
      { isFirstRaw: true, isFirstDifferencePlain: true },
    ],
    ['delta', undefined, { isFirstRaw: false, isFirstDifferencePlain: false }],
    ['doubleDelta', undefined, { isFirstRaw: false, isFirstDifferencePlain: false }],
  ] as const)(
    'a device that begins its %s frames as %s is understood from the signal',
    (coding, name, start) => {
      const samples = 90;
      const count = 40;
      const frames = Array.from({ length: count }, (_, n) => ({
        timestampUs: n * samples * 2000,
        samples,
        bytes: oddFrame(n * samples, samples, coding, start),
      }));
      const recording = read(streamFile(frames));
      expect(codes(recording)).toEqual(name === undefined ? [] : [`cmdt_convention:${name}`]);
      const expected = frameChannels({
        leads: 2,
        samples: count * samples,
        signal: (sample, lead) => 400 + heartbeat(RATE)(sample, lead),
      });
      expect(
        recording.channels.map((channel, lead) =>
          Buffer.compare(Buffer.from(readAllSamples(channel).buffer), Buffer.from(expected[lead]!.buffer)),
        ),
      ).toEqual([0, 0]);
    },
  );

  test('with too few borders to see, the device is read as it was before', () => {
    const start = { isFirstRaw: true, isFirstDifferencePlain: false };
    const frames = Array.from({ length: 8 }, (_, n) => ({
      timestampUs: n * 180_000,
      samples: 90,
      bytes: oddFrame(n * 90, 90, 'delta', start),
    }));
    expect(codes(read(streamFile(frames)))).toEqual([]);
    expect(codes(read(streamFile(frames, { ...FACTS, knownStart: 'raw_first' })))).toEqual([
      'cmdt_convention:raw_first',
    ]);
  });

  test('without scale the numbers are millivolts, or not calibrated where no heart has them', () => {
    const { scale: _scale, ...plain } = FACTS;
    const loud = read(streamFile([frame(0), frame(1), frame(2)], plain));
    expect([loud.channels[0]!.isCalibrated, codes(loud)]).toEqual([false, ['scale_unknown']]);
    const quiet = [0, 1, 2].map((n) =>
      frame(n, makeFrame({ leads: 2, from: n * 250, signal: (sample) => sample % 3 })),
    );
    expect(read(streamFile(quiet, plain)).channels[0]!.isCalibrated).toBe(true);
  });
});

test('a device that sent at another rate than it declares is read at the one that was measured, and that is said', () => {
  const device = {
    driver: 'openbci-cyton',
    variant: '',
    name: '',
    class: 'monitoring',
    isSimulated: false,
    isCalibrated: true,
    leadSet: '',
    highPassHz: 0,
    lowPassHz: 0,
    hasCounter: true,
  } as const;
  const frames = Array.from({ length: 10 }, (_, n) => ({
    timestampUs: n * 1e6,
    samples: RATE,
    bytes: makeFrame({ from: n * RATE, samples: RATE, leads: 2 }),
  }));
  const drift = (measuredHz: number) => ({
    nominalHz: RATE,
    measuredHz,
    driftPpm: 1e6 * (measuredHz / RATE - 1),
    uncertaintyPpm: 100,
    windowSeconds: 10,
  });
  const recorded = (measuredHz: number): Recording =>
    read(streamFile(frames, { ...FACTS, device: { ...device, drift: drift(measuredHz) } }));
  const twice = recorded(2 * RATE + 0.123);
  expect(twice.channels[0]?.rate).toEqual({ samples: 100_012, seconds: 100 });
  expect(twice.durationSeconds).toBeCloseTo(5, 2);
  expect(twice.warnings).toContainEqual(expect.objectContaining({ code: 'rate_corrected' }));
  // A clock that drifts as clocks do is no other rate.
  const usual = recorded(RATE * 1.0001);
  expect([usual.durationSeconds, codes(usual)]).toEqual([10, []]);
});
