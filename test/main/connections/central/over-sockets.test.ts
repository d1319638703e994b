// Random histories of a workstation and its centre over real sockets, a real database and real files: what
// the model promises holds there too.

import { expect, test } from 'vitest';
import { startPool } from '../../../../main/pool/pool.ts';
import { inLongForm } from '../../../support/long-form.ts';
import { FREE_OF_LIMITS, runWorkstation } from '../../../support/running-workstation.ts';
import { type HistoryFindings, runHistory } from './socket-history.ts';

const HISTORIES = Number(
  process.env.ISOLINE_HISTORIES ?? (process.env.ISOLINE_FAULTS_FULL === '1' ? 200 : inLongForm(2, 12)),
);

test(`${HISTORIES} histories over real sockets: everything arrives, nothing twice without a person's consent`, {
  timeout: 1_200_000,
}, async () => {
  await using centre = await runWorkstation({ overrides: FREE_OF_LIMITS });
  const token = (await centre.makeToken()).text;
  const pool = startPool({ workers: 1, timeLimitSeconds: 60, log: () => undefined });
  const seed = Number(process.env.ISOLINE_SEED ?? Math.floor(Math.random() * 2 ** 30));
  const sum = { recordings: 0, restarts: 0, answers: 0, calls: 0 };
  try {
    for (let n = 0; n < HISTORIES; n++) {
      const found: HistoryFindings = await runHistory(centre, token, pool, seed + n).catch((error: Error) => {
        throw new Error(`history with seed ${seed + n}: ${error.message}`, { cause: error });
      });
      for (const name of ['recordings', 'restarts', 'answers', 'calls'] as const) sum[name] += found[name];
    }
  } finally {
    await pool.close();
  }
  expect(sum.recordings).toBeGreaterThan(HISTORIES / 2);
  process.stdout.write(
    `  ${HISTORIES} histories (seed ${seed}): ${sum.recordings} recordings, ${sum.calls} requests, ${sum.restarts} restarts, ${sum.answers} answers of a person\n`,
  );
});
