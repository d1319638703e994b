// Frames that could not be kept, and recordings that go on in another task.

import { expect, test } from 'vitest';
import { type BuiltFrame, FrameBuilder, laterBy } from '../../../main/device/recorder/frame-builder.ts';
import { nativeCompressors } from '../../../main/formats/compressed-delta/compression.ts';

const RATE_HZ = 500;
const BASE = 1000;

function build(frames: BuiltFrame[]): FrameBuilder {
  const scale = {
    leadCodes: ['MDC_ECG_LEAD_II'],
    rateHz: RATE_HZ,
    lsbUv: 1,
    digitalMinimum: -1000,
    digitalMaximum: 1000,
  } as const;
  return new FrameBuilder({
    scale,
    frameMs: 500,
    base: BASE,
    compressors: nativeCompressors(),
    onFrame: (frame) => void frames.push(frame),
  });
}

const second = (firstSample: number) => ({
  firstSample,
  count: RATE_HZ,
  leads: [new Int32Array(RATE_HZ)],
  arrivalMs: undefined,
  gap: undefined,
  events: [],
  saturated: 0,
});

test('an hour that could not be stored is one gap', () => {
  const frames: BuiltFrame[] = [];
  const builder = build(frames);
  for (let n = 0; n < 3600; n++) builder.add(second(BASE + n * RATE_HZ));
  for (const frame of frames) builder.dropped(frame);
  expect(builder.takeEvents()).toEqual([{ sample: 0, kind: 'gap.store', value: 3600 * RATE_HZ }]);
  expect([builder.samples, builder.lost]).toEqual([0, 3600 * RATE_HZ]);
});

test('a frame of a recording that begins later keeps its place, what holds on, and none of what was before', () => {
  const frames: BuiltFrame[] = [];
  const builder = build(frames);
  builder.note('anchor', BASE, 1e12);
  builder.note('leadOff', BASE, 4);
  builder.note('gap.counter', BASE + 300, 320);
  builder.add(second(BASE + 320));
  const [frame] = frames;
  const later = laterBy(320, frame!, RATE_HZ);
  expect(later.timestampUs).toBe(0);
  expect(later.events).toEqual([{ sample: 0, kind: 'leadOff', value: 4 }]);
  expect(laterBy(0, frame!, RATE_HZ)).toBe(frame);
});
