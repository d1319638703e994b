import { expect, test } from 'vitest';
import { BodyPace } from '../../../main/service/body-pace.ts';

const LIMIT_MS = 120_000;

/** Whether the sender is cut off. @param steps `wait` for a part of so many bytes, or `work` without asking */
function isCutOff(
  ...steps: readonly (readonly ['wait', ms: number, bytes: number] | readonly ['work', ms: number])[]
) {
  let nowMs = 1000;
  let isSlow = false;
  const pace = new BodyPace(
    LIMIT_MS,
    () => (isSlow = true),
    () => nowMs,
  );
  for (const [what, ms, bytes] of steps) {
    if (what === 'wait') pace.ask();
    nowMs += ms;
    pace.check(nowMs);
    if (what === 'wait') pace.received(bytes as number);
  }
  return isSlow;
}

const KB = 1024;

const FAST_START = ['wait', 1, 500 * KB] as const;
const FIVE_PARTS = Array.from({ length: 5 }, () => ['wait', 24_000, KB] as const);

test.each([
  ['next to nothing within the first ten seconds', [['wait', 9_999, 1]], false],
  ['next to nothing for longer', [['wait', 10_001, 1]], true],
  [
    'a kilobyte a second on average',
    [
      ['wait', 9_000, 20 * KB],
      ['wait', 11_000, 1],
    ],
    false,
  ],
  [
    'less than that',
    [
      ['wait', 9_000, 20 * KB],
      ['wait', 11_001, 1],
    ],
    true,
  ],
  ['a pause of thirty seconds', [FAST_START, ['wait', 30_000, 1]], false],
  ['a longer one', [FAST_START, ['wait', 30_001, 1]], true],
  ['a minute in which nobody asked', [FAST_START, ['work', 60_000], ['wait', 1000, KB]], false],
  ['nearly as long as the whole may take', [FAST_START, ...FIVE_PARTS.slice(1)], false],
  ['longer', [FAST_START, ...FIVE_PARTS, ['wait', 1, KB]], true],
] as const)('%s', (_, steps, expected) => {
  expect(isCutOff(...steps)).toBe(expected);
});
