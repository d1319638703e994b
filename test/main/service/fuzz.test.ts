import { expect, test } from 'vitest';
import { fuzzService } from '../../fuzz/fuzz-service.ts';

test('generated requests get no 500 (D106), no silence, and no status that the specification does not list', async () => {
  const seed = Number(process.env.ISOLINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const { faults, requests, statuses } = await fuzzService(2000, seed);
  expect(faults, `seed ${seed}`).toEqual([]);
  expect(requests).toBe(2000);
  // They get far enough to mean something.
  for (const status of ['200', '400', '401', '404', '409', '415'])
    expect(statuses[status], status).toBeGreaterThan(5);
});
