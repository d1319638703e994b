// The real worker pool: what an analysis tells of itself while it runs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPool } from '../../../main/pool/pool.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { dataFolder } from '../../support/test-data.ts';

const files = ['100.hea', '100.dat'].map((name) => ({ name, path: join(dataFolder, 'wfdb', name) }));

test('each of two analyses at once tells its own stages, in their order', async () => {
  const pool = startPool({ workers: 2, timeLimitSeconds: 60, log: () => undefined });
  try {
    const seen = [new Set<string>(), new Set<string>()];
    await Promise.all(
      seen.map((stages) => pool.analyse({ files, patient: {} }, undefined, ({ stage }) => stages.add(stage))),
    );
    expect(seen.map((stages) => [...stages])).toEqual([
      ['reading', 'beats', 'measuring'],
      ['reading', 'beats', 'measuring'],
    ]);
  } finally {
    await pool.close();
  }
});

test('what is short goes beside long analyses, and waits for none of them', async () => {
  const pool = startPool({ workers: 2, timeLimitSeconds: 60, log: () => undefined });
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  await using folder = await tempFolder();
  const path = join(folder.path, 'packed');
  writeFileSync(path, '');
  try {
    await Promise.all([
      ...['day 1', 'day 2', 'day 3'].map((name) =>
        pool
          .analyse({ files, patient: {} }, undefined, undefined, { lane: 'live', isLong: true })
          .then(note(name)),
      ),
      pool.hash(join(dataFolder, 'wfdb', '100.dat')).then(note('hash')),
      pool
        .pack({ files, into: 'zip', patient: {}, path }, undefined, { lane: 'import', isLong: false })
        .then(note('pack')),
    ]);
    for (const short of ['hash', 'pack']) expect(ended.indexOf(short)).toBeLessThan(ended.indexOf('day 2'));
  } finally {
    await pool.close();
  }
});

test('a signal says which leads are what they are called: MLII has the code of lead II, and is another one', async () => {
  const pool = startPool({ workers: 1, timeLimitSeconds: 60, log: () => undefined });
  try {
    const { leads } = await pool.signal({ files, patient: {} }, { startSample: 0, sampleCount: 360 });
    expect(leads.map(({ name, isStandard }) => [name, isStandard])).toEqual([
      ['MDC_ECG_LEAD_II', false],
      ['MDC_ECG_LEAD_V5', true],
    ]);
  } finally {
    await pool.close();
  }
});
