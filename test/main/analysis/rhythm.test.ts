import { describe, expect, test } from 'vitest';
import { findAtrialFibrillation } from '../../../main/analysis/rhythm.ts';
import type { Range } from '../../../main/analysis/time-base.ts';
import type { Beat } from '../../../shared/analysis-result.ts';
import { seededRandom } from '../../../shared/signal/synthetic/random.ts';

const RATE_HZ = 250;

/** Groups of beats with irregular intervals, `apartSeconds` between them. */
function groups(count: number, beatsEach: number, apartSeconds: number) {
  const beats: Beat[] = [];
  const between: Range[] = [];
  const random = seededRandom(7);
  let at = RATE_HZ;
  for (let group = 0; group < count; group++) {
    const size = Math.round(beatsEach * (0.5 + random() / 2));
    for (let i = 0; i < size; i++) {
      beats.push({ sample: at, label: 'N' });
      at += Math.round(RATE_HZ * (0.6 + 0.4 * random()));
    }
    between.push([at, at + RATE_HZ * apartSeconds - 50]);
    at += RATE_HZ * apartSeconds;
  }
  const time = { sampleRateHz: RATE_HZ, sampleCount: at + RATE_HZ, gaps: [] };
  const noP = { perBeat: new Float32Array(beats.length), share: 0, coherence: 0 };
  const unmarked = new Int8Array(beats.length).fill(-1);
  return { beats, between, time, noP, unmarked };
}

describe('atrial fibrillation', () => {
  test('is irregular beats without P waves', () => {
    const { beats, time, noP, unmarked } = groups(1, 60, 1);
    const [[start, end] = [0, 0], ...others] = findAtrialFibrillation(beats, noP, unmarked, time, []);
    expect(others).toEqual([]);
    expect(end - start).toBeGreaterThan(20 * RATE_HZ);
  });

  test.each(['fibrillation of the ventricles', 'missing samples'])('does not run across %s', (what) => {
    const { beats, between, time, noP, unmarked } = groups(9, 7, 3);
    const isGap = what === 'missing samples';
    expect(
      findAtrialFibrillation(
        beats,
        noP,
        unmarked,
        { ...time, gaps: isGap ? between : [] },
        isGap ? [] : between,
      ),
    ).toEqual([]);
    expect(findAtrialFibrillation(beats, noP, unmarked, time, [])).not.toEqual([]);
  });
});
