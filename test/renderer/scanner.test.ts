import { expect, test } from 'vitest';
import { ScannedCode } from '../../renderer/parts/scanner.ts';

/** @param gapMs between the keys */
function type(
  text: string,
  gapMs: number,
  end = 'Enter',
  code = new ScannedCode(),
  fromMs = 1000,
): string | undefined {
  let atMs = fromMs;
  for (const key of text) {
    expect(code.press(key, atMs)).toBeUndefined();
    atMs += gapMs;
  }
  return code.press(end, atMs);
}

test.each<[string, string, number, string, string | undefined]>([
  ['a scanner', '004817', 5, 'Enter', '004817'],
  ['one that ends with a tabulator', 'A-2026-1187', 30, 'Tab', 'A-2026-1187'],
  ['a person', '004817', 80, 'Enter', undefined],
  ['a few keys at once', '0048', 5, 'Enter', undefined],
  ['Enter alone', '', 5, 'Enter', undefined],
])('%s', (_name, text, gapMs, end, expected) => {
  expect(type(text, gapMs, end)).toBe(expected);
});

test('what was typed slowly before does not belong to the code, nor does a code to the next', () => {
  const code = new ScannedCode();
  code.press('e', 0);
  expect(type('123456', 5, 'Enter', code, 900)).toBe('123456');
  expect(type('', 5, 'Enter', code, 935)).toBeUndefined();
  expect(type('654321', 5, 'Enter', code, 2000)).toBe('654321');
});

test('capitals are typed with Shift', () => {
  const code = new ScannedCode();
  const keys = ['Shift', 'A', 'B', '1', '2', 'Shift', 'C', 'D'];
  for (const [i, key] of keys.entries()) code.press(key, 5 * i);
  expect(code.press('Enter', 5 * keys.length)).toBe('AB12CD');
});
