// kill -9 while somebody reads a long recording: what was kept is there, as it was and in its order, and no step is there by half.

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Bridge } from '../../shared/bridge/contract.ts';
import type { Correction } from '../../shared/review/corrections.ts';
import { importRecording } from '../support/import-recording.ts';
import { madeDay } from '../support/made-day.ts';
import { openPage } from '../support/page-of-program.ts';
import { startIsoline } from '../support/run-isoline.ts';
import { whenAnalysed } from '../support/running-workstation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { randomFrom } from './kill-harness.ts';

const KILLS = Number(process.env.ISOLINE_KILLS ?? 4);
const MOST_STEPS = 40;

/** What a reader of a day does: a class for a thousand beats, a family, an episode, an event, the strips. */
function stepOf(random: () => number, samples: readonly number[]): Correction {
  const any = (): number => samples[Math.floor(random() * samples.length)] as number;
  const kinds: readonly (() => Correction)[] = [
    () => ({ kind: 'beats', samples: Array.from({ length: 1000 }, any), label: 'V' }),
    () => ({ kind: 'families', samples: [any()], label: 'N' }),
    () => ({ kind: 'episodeRejected', code: 'PAUSE', startSample: any(), endSample: any() }),
    () => ({ kind: 'eventAdded', sample: any(), text: 'Dizzy' }),
    () => ({ kind: 'strips', strips: [{ startSample: any(), kind: 'HAND', isByHand: true }] }),
  ];
  return (kinds[Math.floor(random() * kinds.length)] as () => Correction)();
}

const start = async (dataDir: string) => {
  const program = startIsoline('start', '--browser', '--data-dir', dataDir, '--service-port', '0');
  const page = await openPage((await program.match(/Isoline is open at (\S+)/))[1] as string);
  return { program, page };
};

const keptBy = async (bridge: Bridge, taskId: number): Promise<Correction[]> =>
  (await bridge.call('day.corrections', { taskId })).corrections.map(({ change }) => change);

test(`a day is read on over ${KILLS} kills: every step that was kept is there, and at most the last one beside`, async () => {
  const random = randomFrom(57);
  await using folder = await tempFolder();
  const dataDir = join(folder.path, 'data');
  let { program, page } = await start(dataDir);
  const { recording } = madeDay({ hours: 1.1, rateHz: 125, leads: ['MDC_ECG_LEAD_II'] });
  const taskId = await importRecording(page.bridge, recording, join(folder.path, 'day.edf'));
  await whenAnalysed(page.bridge, taskId);
  const { beatSamples } = await page.bridge.call('day.get', { taskId });
  const samples = [...new Uint32Array(Uint8Array.from(beatSamples).buffer)];
  let kept: Correction[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const steps = 1 + Math.floor(random() * MOST_STEPS);
    for (let step = 0; step < steps; step++) {
      const change = stepOf(random, samples);
      await page.bridge.call('review.correct', { taskId, change });
      kept.push(change);
    }
    const last = stepOf(random, samples);
    void page.bridge.call('review.correct', { taskId, change: last }).catch(() => undefined);
    await wait(8 * random());
    program.child.kill('SIGKILL');
    await program.stop();
    page.close();
    ({ program, page } = await start(dataDir));
    const found = await keptBy(page.bridge, taskId);
    expect(found.slice(0, kept.length)).toEqual(kept);
    expect([[], [last]]).toContainEqual(found.slice(kept.length));
    kept = found;
  }
  // What was undone before a kill stays undone, and can be done again behind it.
  const { version } = await page.bridge.call('day.corrections', { taskId });
  await page.bridge.call('review.undo', { taskId, version });
  program.child.kill('SIGKILL');
  await program.stop();
  page.close();
  ({ program, page } = await start(dataDir));
  const after = await page.bridge.call('day.corrections', { taskId });
  expect([after.corrections.length, after.undoneCount]).toEqual([kept.length - 1, 1]);
  page.close();
  await program.stop();
  console.log(`${kept.length} steps over ${KILLS + 1} kills: none lost`);
}, 300_000);
