import { expect, test } from 'vitest';
import { readLiveSettings } from '../../renderer/screens/live/live-settings.ts';

const USUAL = {
  speedMmPerS: 25,
  gainMmPerMv: 10,
  kind: '6x2',
  mode: 'sweep',
  order: 'classic',
  isToneOn: false,
};

test('how somebody looks at the leads is kept; what is not a choice, and one lead alone, is not', () => {
  const kept = {
    speedMmPerS: 50,
    gainMmPerMv: 20,
    kind: '3x4',
    mode: 'scroll',
    order: 'cabrera',
    isToneOn: true,
  };
  expect(readLiveSettings(JSON.stringify(kept))).toEqual(kept);
  expect(
    readLiveSettings(
      JSON.stringify({
        speedMmPerS: '50',
        gainMmPerMv: 0,
        kind: 'single',
        mode: 1,
        order: null,
        isToneOn: 'yes',
      }),
    ),
  ).toEqual(USUAL);
  for (const text of ['', '{', 'null', '[]', '"6x2"', '5'])
    expect(readLiveSettings(text), text).toEqual(USUAL);
});
