// What is seen in a piece of a channel: heartbeats, which way they point, a flat line.

import { describe, expect, test } from 'vitest';
import { lookAtChannel } from '../../../../main/signal/channels/channel-signal.ts';
import { seededRandom } from '../../../../main/signal/synthetic/random.ts';
import { readMillivolts } from '../../../../shared/signal/recording.ts';
import { toRecording, twelveLeads } from '../../../support/synthetic-recording.ts';

const RATE_HZ = 250;
const made = (value: (seconds: number) => number): Float32Array =>
  Float32Array.from({ length: 20 * RATE_HZ }, (_, i) => value(i / RATE_HZ));
const ecg = toRecording(twelveLeads({ sampleRateHz: RATE_HZ, durationSeconds: 20 }));
const leadOf = (label: string): Float32Array => {
  const channel = ecg.channels.find((each) => each.label === label)!;
  return readMillivolts(channel, 0, channel.sampleCount);
};

describe('a piece of a channel', () => {
  test.each(['I', 'II', 'V5'])('lead %s has heartbeats that point up, in whatever unit', (label) => {
    const upright = lookAtChannel(leadOf(label), RATE_HZ);
    expect(upright).toMatchObject({ isFlat: false, isDownward: false });
    expect(upright.beatsPerMinute).toBeGreaterThan(40);
    expect(
      lookAtChannel(
        leadOf(label).map((mv) => 512 + 200 * mv),
        RATE_HZ,
      ),
    ).toEqual(upright);
  });

  test('an upside-down lead points down', () => {
    expect(
      lookAtChannel(
        leadOf('II').map((mv) => -mv),
        RATE_HZ,
      ).isDownward,
    ).toBe(true);
  });

  test('a flat line is flat', () => {
    expect(
      lookAtChannel(
        made(() => 3),
        RATE_HZ,
      ),
    ).toEqual({ isFlat: true });
  });

  const random = seededRandom(3);
  test.each([
    ['breathing', (s: number) => Math.sin(2 * Math.PI * 0.25 * s)],
    ['a pulse wave', (s: number) => Math.max(0, Math.sin(2 * Math.PI * 1.2 * s)) ** 3],
    ['muscle', () => random() - 0.5],
    ['mains', (s: number) => Math.sin(2 * Math.PI * 50 * s)],
  ])('%s shows no heartbeats', (_name, value) => {
    expect(lookAtChannel(made(value), RATE_HZ)).toEqual({ isFlat: false });
  });
});
