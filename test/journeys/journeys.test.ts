// Days at the desk: the short form of `npm run test:journeys`.

import { expect, test } from 'vitest';
import { inLongForm } from '../support/long-form.ts';
import { runDays } from './journeys.ts';

const DAYS = inLongForm(100, 1000);

test(`in ${DAYS} random days everything stays with whom it is about`, { timeout: 600_000 }, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  await expect(runDays({ days: DAYS, seed }), `seed ${seed}`).resolves.toBeUndefined();
});
