// The real worker pool: what an analysis tells of itself while it runs.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startPool } from '../../../main/pool/pool.ts';
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
