// `npm run test:journeys -- --days 10000 [--seed N]`: so many random days. The short form is in `npm test`.

import { parseArgs } from 'node:util';
import { runDays } from './journeys.ts';

const { values } = parseArgs({
  options: { days: { type: 'string', default: '10000' }, seed: { type: 'string' } },
});
const days = Number(values.days);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const startMs = performance.now();
await runDays({ days, seed });
const seconds = (performance.now() - startMs) / 1000;
process.stdout.write(`${days} days in ${seconds.toFixed(0)} s (seed ${seed}): no rule broken\n`);
