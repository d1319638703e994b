// Alarms of the rate, from beats and signal that are made for it.

import { expect, test } from 'vitest';
import { RateWatch } from '../../../shared/signal/live/rate-watch.ts';

const RATE_HZ = 250;

interface Made {
  /** All that is steep, in seconds and millivolts. */
  readonly spikes: readonly (readonly [atSeconds: number, mv: number])[];
  /** The beats that are told. */
  readonly beats: readonly number[];
  readonly seconds: number;
  readonly leads?: number;
}

/** The alarm at each whole second. @param bpm what the rate is said to be */
function alarms({ spikes, beats, seconds, leads = 1 }: Made, bpm?: number): (string | undefined)[] {
  const watch = new RateWatch(RATE_HZ, leads);
  const told: (string | undefined)[] = [];
  const mv = new Float64Array(leads);
  for (let i = 0; i < seconds * RATE_HZ; i++) {
    const at = i / RATE_HZ;
    // The first lead has the signal; others have none.
    mv[0] = spikes.reduce((sum, [from, height]) => sum + (Math.abs(at - from) < 0.03 ? height : 0), 0);
    watch.next(mv, i);
    // A beat is told a quarter of a second after it.
    for (const beat of beats)
      if (i === Math.round((beat + 0.25) * RATE_HZ)) watch.beat(Math.round(beat * RATE_HZ));
    if ((i + 1) % RATE_HZ === 0) told.push(watch.alarm(i, bpm));
  }
  return told;
}

const REGULAR = [1, 2, 3, 4, 5, 6, 7, 8];
const beatsAt = (seconds: readonly number[]) => seconds.map((at) => [at, 1] as const);
/** Small waves of atria that go on beating. */
const P_WAVES = Array.from({ length: 22 }, (_, i) => [9 + i, 0.15] as const);

test('a pause is an alarm from three seconds on for as long as it lasts, and ten seconds longer', () => {
  const beats = [...REGULAR, ...Array.from({ length: 14 }, (_, i) => 31 + i)];
  const told = alarms({ spikes: [...beatsAt(beats), ...P_WAVES], beats, seconds: 45, leads: 3 });
  const from = told.indexOf('pause') + 1;
  expect(from).toBe(12);
  expect(told.slice(from - 1, 41).every((alarm) => alarm === 'pause')).toBe(true);
  expect(told.slice(42)).toEqual([undefined, undefined, undefined]);
});

test('what is half as steep as a beat and was not told as one makes no pause; neither do gaps', () => {
  const missed = alarms({
    spikes: beatsAt([...REGULAR, 9, 10, 11, 12, 13]),
    beats: [...REGULAR, 13],
    seconds: 16,
  });
  expect(missed).not.toContain('pause');
  const slow = [1, 3.5, 6, 8.5, 12];
  expect(alarms({ spikes: beatsAt(slow), beats: slow, seconds: 14 })).not.toContain('pause');
});

test('rates beyond the limits, and none where no rate is valid', () => {
  const made = { spikes: beatsAt(REGULAR), beats: REGULAR, seconds: 8 };
  expect([34, 35, 180, 181, undefined].map((bpm) => alarms(made, bpm).at(-1))).toEqual([
    'verySlow',
    undefined,
    undefined,
    'veryFast',
    undefined,
  ]);
});
