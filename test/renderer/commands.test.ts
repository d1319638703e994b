import { expect, test } from 'vitest';
import { COMMANDS, keysOf, type Place, printedKeyOf, shownLines } from '../../renderer/parts/commands.ts';
import english from '../../renderer/text/en.json' with { type: 'json' };
import spanish from '../../renderer/text/es.json' with { type: 'json' };

const PLACES = Object.keys(COMMANDS) as Place[];

test('no key of a screen means two things, nor something else than it does everywhere', () => {
  const everywhere = [...keysOf('everywhere').values()];
  for (const place of PLACES) {
    const keys = [...keysOf(place).values()];
    expect(new Set(keys).size, place).toBe(keys.length);
    // On the entry of a patient, F3 goes on to the leads of that patient.
    if (place !== 'everywhere' && place !== 'patient')
      expect(keys.filter((key) => everywhere.includes(key))).toEqual([]);
  }
});

test('the list behind F1 has words for every line in both languages, and no others', () => {
  const lines = new Set(PLACES.flatMap((place) => shownLines(place).map(({ does }) => does)));
  for (const { keys } of [english, spanish]) expect(new Set(Object.keys(keys.does))).toEqual(lines);
});

test('keys are shown as they are printed', () => {
  const shown = (place: Place, does: string) => shownLines(place).find((line) => line.does === does)?.key;
  expect(shown('live', 'gain')).toBe('↑ ↓');
  expect(shown('review', 'redo')).toBe('Ctrl Shift Z');
  expect(shown('report', 'size')).toBe('+ −');
  expect(shown('worklist', 'search')).toBe('Ctrl K');
  expect(printedKeyOf('review.nextOpen')).toBe('Ctrl →');
  expect(printedKeyOf('live.discard')).toBe('Del');
});
