// `npm run test:sync -- --runs 100000 [--seed N]`: so many random histories of the sender against a model of
// the centre. The short form is in `npm test`.

import { parseArgs } from 'node:util';
import { checkHistories } from './histories.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const runs = Number(values.runs);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const startMs = performance.now();
const counts = checkHistories({ runs, seed });
const seconds = (performance.now() - startMs) / 1000;
process.stdout.write(
  `${runs} histories in ${seconds.toFixed(0)} s (seed ${seed}): ${counts.recordings} recordings, ${counts.calls} calls, ${counts.crashes} crashes, ${counts.restores} restored copies, ${counts.answers} answers of a person; no rule broken, everything arrived\n`,
);
