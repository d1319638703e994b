// The strips that the program chooses, and what could stand in their places.

import { expect, test } from 'vitest';
import type { Episode } from '../../../shared/analysis-result.ts';
import {
  programStrips,
  STRIP_SECONDS,
  type StripSource,
  shownOn,
  stripPlaces,
} from '../../../shared/long/strips.ts';

const RATE_HZ = 100;
const SECONDS = 3600;
const at = (second: number): number => second * RATE_HZ;

const episode = (code: Episode['code'], from: number, to: number, bpm?: number): Episode => ({
  code,
  startSample: at(from),
  endSample: at(to),
  ...(bpm !== undefined && { bpm }),
  strip: [at(from), at(from) + 1000],
  isBest: false,
});

/** A beat a second. @param letters of some, by their second */
function sourceOf(letters: Readonly<Record<number, string>>, parts: Partial<StripSource> = {}): StripSource {
  return {
    sampleRateHz: RATE_HZ,
    sampleCount: at(SECONDS),
    beats: {
      samples: Uint32Array.from({ length: SECONDS }, (_, i) => at(i)),
      labels: Uint8Array.from({ length: SECONDS }, (_, i) => (letters[i] ?? 'N').charCodeAt(0)),
    },
    episodes: [],
    unknown: [],
    ...parts,
  };
}

const kinds = (source: StripSource): string[] => programStrips(source).map(({ kind }) => kind);

test('the usual rhythm stands first, then what is grave, then single beats and rates', () => {
  const source = sourceOf(
    { 100: 'V', 200: 'S' },
    { episodes: [episode('AFIB', 1000, 1600), episode('PAUSE', 2000, 2003), episode('PAUSE', 2500, 2504)] },
  );
  expect(kinds(source)).toEqual(['FIRST', 'PAUSE', 'AFIB', 'V', 'S', 'FASTEST', 'SLOWEST']);
  // The longest of each kind.
  expect(programStrips(source)[1]).toMatchObject({ ofSample: at(2500) });
  expect(stripPlaces(source, 'PAUSE').map(({ ofSample }) => ofSample)).toEqual([at(2500), at(2000)]);
});

test('the usual rhythm shows usual beats alone, and nothing unread', () => {
  const source = sourceOf({ 2: 'V', 30: 'V' }, { unknown: [[at(40), at(50)]] });
  const [usual] = stripPlaces(source, 'FIRST');
  const [start, end] = [usual?.startSample ?? 0, (usual?.startSample ?? 0) + STRIP_SECONDS * RATE_HZ];
  for (const second of [2, 30]) expect(at(second) >= start && at(second) < end).toBe(false);
  for (const { startSample } of stripPlaces(source, 'FIRST'))
    expect(startSample < at(50) && startSample + STRIP_SECONDS * RATE_HZ > at(40)).toBe(false);
});

test('no strip lies beyond an end', () => {
  const source = sourceOf(
    {},
    { episodes: [episode('PAUSE', SECONDS - 2, SECONDS - 1), episode('VT', 0, 3, 140)] },
  );
  for (const { startSample } of programStrips(source)) {
    expect(startSample).toBeGreaterThanOrEqual(0);
    expect(startSample + STRIP_SECONDS * RATE_HZ).toBeLessThanOrEqual(at(SECONDS));
  }
});

test('an event is shown where an arrhythmia is near it', () => {
  const source = sourceOf({}, { episodes: [episode('AFIB', 1000, 1600)], events: [at(980), at(3000)] });
  expect(programStrips(source).filter(({ kind }) => kind === 'EVENT')).toMatchObject([{ ofSample: at(980) }]);
  expect(stripPlaces(source, 'EVENT')).toHaveLength(2);
});

test('a strip is called by what lies in it now: where that was rejected, somebody chose it, and nothing more is said', () => {
  const source = sourceOf({ 100: 'V' }, { episodes: [episode('VT', 1000, 1004)] });
  const shown = (kind: string, second: number): string =>
    shownOn({ kind, startSample: at(second) }, source.episodes, source.beats, RATE_HZ).kind;
  expect([shown('VT', 998), shown('VT', 1002), shown('VT', 900)]).toEqual(['VT', 'VT', 'HAND']);
  expect([shown('V', 98), shown('V', 300), shown('S', 98)]).toEqual(['V', 'HAND', 'HAND']);
  expect(shown('FIRST', 500)).toBe('FIRST');
});
