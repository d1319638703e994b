// What the workstation of a clinic has that those of other tests have not.

import { expect, test } from 'vitest';
import { openDataStore } from '../../../main/host/data-folder.ts';
import { runWorkstation } from '../../support/running-workstation.ts';

test('passwords cost a third of a second and 128 MB each (SEC50)', async () => {
  await using running = await runWorkstation({ secretCost: undefined });
  await running.bridge.call('user.add', { name: 'A', role: 'administrator', secret: 'correct horse' });
  using store = openDataStore(running.dataDir, 'command');
  expect(store.users.all().map(({ secret }) => secret)).toEqual([
    expect.stringMatching(/^scrypt\$131072\$8\$1\$/),
  ]);
});
