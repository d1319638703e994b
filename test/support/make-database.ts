// Makes the small filled database of the present schema for test/data/databases: `node
// test/support/make-database.ts`. Run once when a migration is released; the file is then kept for ever, so
// that later versions prove that they can open it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { MIGRATIONS } from '../../main/store/database/migrate.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import { eventually, runWorkstation } from './running-workstation.ts';
import { dataFolder } from './test-data.ts';

await using running = await runWorkstation();
await running.makeToken();
const files = ['1.hea', '1.dat'].map((name) => ({
  name,
  bytes: Uint8Array.from(readFileSync(join(dataFolder, 'wfdb', name))),
}));
const bridge = new BridgeClient(running.workstation.connect());
const { importId } = await bridge.call('import.open', {
  files: files.map(({ name, bytes }) => ({ name, sizeBytes: bytes.length })),
});
for (const [fileIndex, { bytes }] of files.entries())
  await bridge.call('import.write', { importId, fileIndex, offsetBytes: 0, bytes });
await bridge.call('import.finish', { importId, autoComplete: true });
await eventually(
  async () =>
    (await bridge.call('task.list', { limit: 1 })).rows[0]?.state === 'COMPLETED' ? true : undefined,
  'the report',
);
const source = new Database(join(running.dataDir, 'isoline.sqlite'), { readonly: true });
const name = `${String(MIGRATIONS.at(-1)?.id).padStart(3, '0')}.sqlite`;
await source.backup(join(dataFolder, 'databases', name));
source.close();
const copy = new Database(join(dataFolder, 'databases', name));
copy.pragma('journal_mode = DELETE');
copy.exec('VACUUM');
copy.close();
process.stdout.write(`${name}\n`);
