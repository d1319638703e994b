// Defaults of a workstation that other tests override.

import { expect, test } from 'vitest';
import { openDataStore } from '../../../main/host/data-folder.ts';
import { runWorkstation } from '../../support/running-workstation.ts';

test('secrets are hashed with scrypt at N = 131072, r = 8, p = 1 (SEC50)', async () => {
  await using running = await runWorkstation({ secretCost: undefined });
  await running.bridge.call('user.add', { name: 'A', role: 'administrator', secret: 'correct horse' });
  using store = openDataStore(running.dataDir, 'command');
  expect(store.users.all().map(({ secret }) => secret)).toEqual([
    expect.stringMatching(/^scrypt\$131072\$8\$1\$/),
  ]);
});
