// The derived vector against the leads of Frank that were recorded beside the twelve: record s0010 of the PTB Diagnostic ECG
// Database, where the reference shelf is.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  angleDeg,
  VECTOR_AXES,
  VECTOR_SOURCES,
  vectorLeads,
} from '../../renderer/screens/review/vector/vector-leads.ts';
import type { Channel, Recording } from '../../shared/signal/recording.ts';
import { recordingFrom, shelfFolder } from '../support/test-data.ts';

const samplesOf = (channel: Channel | undefined): Float64Array => {
  if (channel === undefined) throw new Error('the record has no such lead');
  const samples = new Int32Array(channel.sampleCount);
  channel.read(0, samples);
  return Float64Array.from(samples, (value) => channel.scale * (value - channel.offset));
};

/** Over steps of 20 ms, so that the wandering of the skin, which is another for each electrode, tells nothing. */
function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const step = 20;
  let [aa, bb, ab] = [0, 0, 0];
  for (let i = step; i < Math.min(a.length, b.length); i++) {
    const [x, y] = [a[i]! - a[i - step]!, b[i]! - b[i - step]!];
    aa += x * x;
    bb += y * y;
    ab += x * y;
  }
  return ab / Math.sqrt(aa * bb);
}

const formats = shelfFolder('formats');

describe('the derived vector', () => {
  test.skipIf(formats === undefined)(
    `is like the one that was recorded${formats === undefined ? ' (left out: no reference shelf beside the project)' : ''}`,
    () => {
      const recording: Recording = recordingFrom(join(formats!, 'wfdb', 's0010_re.hea'));
      const sources = VECTOR_SOURCES.map((code) =>
        samplesOf(recording.channels.find(({ lead }) => lead?.code === code)),
      );
      const derived = vectorLeads(sources);
      const likeness = VECTOR_AXES.map((axis) =>
        correlation(
          derived[axis],
          samplesOf(recording.channels.find(({ label }) => label.toLowerCase() === `v${axis.toLowerCase()}`)),
        ),
      );
      // One weight with the wrong sign brings an axis below this.
      for (const each of likeness) expect(each).toBeGreaterThan(0.9);
    },
  );

  test('has no sample where a lead has none', () => {
    const sources = VECTOR_SOURCES.map(() => Float32Array.of(1, 1));
    sources[3]![1] = Number.NaN;
    const { X, Y, Z } = vectorLeads(sources);
    expect([X[1], Y[1], Z[1]]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(X[0]).toBeCloseTo(0.96, 5);
  });

  test('knows the angle between two vectors, and none of one without a length', () => {
    expect(angleDeg([1, 0, 0], [0, 2, 0])).toBeCloseTo(90);
    expect(angleDeg([1, 1, 0], [-3, -3, 0])).toBeCloseTo(180);
    expect(angleDeg([0, 0, 0], [0, 2, 0])).toBeUndefined();
  });
});
