// What a workstation that sends to its centre does not lose, and does not send twice, whatever ends it.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PLACES } from '../../main/clinic/outbox/choose.ts';
import { inLongForm } from '../support/long-form.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { killWhileSending } from './kill-sync.ts';

const KILLS = Number(
  process.env.ISOLINE_KILLS ?? (process.env.ISOLINE_FAULTS_FULL === '1' ? 100 : inLongForm(2, 4)),
);

test(`kill -9 at ${KILLS} random moments while it sends`, { timeout: 900_000 }, async () => {
  await using folder = await tempFolder();
  const seed = Number(process.env.ISOLINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const found = await killWhileSending(join(folder.path, 'data'), KILLS, seed);
  expect(found.faults, `seed ${seed}`).toEqual([]);
  expect(found.recordings).toBeGreaterThan(KILLS / 2);
  // Several uploads go side by side; each kill costs each of them the chunk that was under way, and no more.
  expect(found.mostAgainOfUpload, `seed ${seed}`).toBeLessThanOrEqual(1);
  expect(found.mostAgainOfKill, `seed ${seed}`).toBeLessThanOrEqual(PLACES.upload);
  process.stdout.write(
    `  ${found.recordings} recordings, ${found.kills} kills: each there once; ${found.questions} questions to a person, ${found.chunksAgain} chunks sent again\n`,
  );
});
