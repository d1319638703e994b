import { describe, expect, test } from 'vitest';
import { fuzz } from '../../fuzz/fuzz-reader.ts';
import { SEEDS } from '../../fuzz/seeds.ts';

/**
 * The short form of `npm run test:fuzz`. It asserts no times and no memory: those count only in a process of
 * its own.
 */
const FILES = 300;

describe('mutated files neither crash a reader nor make it say less than a sentence', () => {
  test.each(Object.keys(SEEDS))('%s', (reader) => {
    const { crashes, read, files } = fuzz(SEEDS[reader]!, FILES, 1_000_000);
    expect(crashes).toEqual([]);
    // Both kinds must occur, else the mutations would be too gentle or too rough to mean anything.
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(files);
  });
});
