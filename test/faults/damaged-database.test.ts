// A database that is damaged, and a disk that is full, when the workstation starts and while it runs: the right sentence, and
// whoever needs an ECG gets one.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { openDesk } from '../../main/host/desk-host.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import { importTestFiles } from '../support/import-test-files.ts';
import {
  eventually,
  NEW_THREAD,
  type RunningWorkstation,
  runWorkstation,
} from '../support/running-workstation.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { smallEdf } from '../support/varied-edf.ts';
import { mountSmallDisk, smallDiskMissing } from './small-disk.ts';

const DATABASE = 'isoline.sqlite';

/** A folder with one recording, closed in order. */
async function makeFolder(path: string): Promise<void> {
  await using running = await runWorkstation({ dataDir: path, ...NEW_THREAD });
  await importTestFiles(running.bridge, [{ name: 'a.edf', bytes: smallEdf(1) }]);
}

const about = (running: RunningWorkstation) => running.bridge.call('workstation.about', {});
const rows = async (running: RunningWorkstation) =>
  (await running.bridge.call('task.list', { limit: 10 })).rows;
const logged = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'logs')).flatMap((name) =>
    readFileSync(join(dataDir, 'logs', name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { event: string }).event),
  );

/** Two seconds of the simulator, of nobody. */
async function recordEmergency(running: RunningWorkstation): Promise<number> {
  const desk = await openDesk(running.workstation, { isWatching: false });
  try {
    const id = await desk.connect('simulator:isoline-idp');
    await desk.device(id).record({});
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return (await desk.device(id).stop()).taskId;
  } finally {
    await desk.close();
  }
}

/** Once the clinic thread is there again. */
const inFreshFolder = ({ workstation }: RunningWorkstation): Promise<BridgeClient> =>
  eventually(async () => {
    const client = new BridgeClient(workstation.connect());
    return client.call('workstation.about', {}).then(
      ({ storageTrouble }) => (storageTrouble === 'databaseDamaged' ? client : undefined),
      () => undefined,
    );
  }, 'the fresh folder');

interface Root {
  readonly name: string;
  readonly page: number;
}

/** The pages that everything of a table or an index hangs on, the schema's among them. */
function rootsOf(path: string): { roots: Root[]; pageBytes: number } {
  const db = new Database(path, { readonly: true });
  const roots = db
    .prepare<[], Root>('SELECT name, rootpage AS page FROM sqlite_schema WHERE rootpage > 0 ORDER BY page')
    .all();
  const pageBytes = db.pragma('page_size', { simple: true }) as number;
  db.close();
  return { roots: [{ name: 'sqlite_schema', page: 1 }, ...roots], pageBytes };
}

function overwrite(path: string, pages: readonly number[], pageBytes: number): void {
  const bytes = readFileSync(path);
  for (const page of pages) bytes.fill(0xa5, (page - 1) * pageBytes, page * pageBytes);
  writeFileSync(path, bytes);
}

describe('a damaged database', () => {
  test('with any root page overwritten: it is said, an emergency is recorded, and nothing of the old one is changed', async () => {
    await using folder = await tempFolder();
    const whole = join(folder.path, 'whole');
    await makeFolder(whole);
    const { roots, pageBytes } = rootsOf(join(whole, DATABASE));
    expect(roots.length).toBeGreaterThan(40);
    const unseen: string[] = [];
    for (const [i, { name, page }] of roots.entries()) {
      const dataDir = join(folder.path, `damaged-${i}`);
      await mkdir(dataDir);
      await cp(join(whole, DATABASE), join(dataDir, DATABASE));
      overwrite(join(dataDir, DATABASE), [page], pageBytes);
      const before = readFileSync(join(dataDir, DATABASE));
      await using running = await runWorkstation({ dataDir });
      const { storageTrouble } = await about(running);
      if (storageTrouble !== 'databaseDamaged') unseen.push(name);
      expect(logged(dataDir).filter((event) => event === 'clinic.database_damaged')).toHaveLength(1);
      expect(await rows(running)).toEqual([]);
      await running.stop();
      expect(readFileSync(join(dataDir, DATABASE)).equals(before)).toBe(true);
      rmSync(dataDir, { recursive: true });
    }
    expect(unseen).toEqual([]);
  });

  test('with four pages overwritten: what is recorded meanwhile joins the others when the database is whole again', async () => {
    await using folder = await tempFolder();
    const dataDir = join(folder.path, 'data');
    await makeFolder(dataDir);
    const kept = readFileSync(join(dataDir, DATABASE));
    const { roots, pageBytes } = rootsOf(join(dataDir, DATABASE));
    overwrite(
      join(dataDir, DATABASE),
      roots.slice(2, 6).map(({ page }) => page),
      pageBytes,
    );
    {
      await using running = await runWorkstation({ dataDir, ...NEW_THREAD });
      expect(await about(running)).toMatchObject({ storageTrouble: 'databaseDamaged' });
      const taskId = await recordEmergency(running);
      await eventually(
        async () => (await rows(running)).find((row) => row.state === 'AWAITING_APPROVAL'),
        'the analysis of the emergency',
      );
      expect(await rows(running)).toMatchObject([{ taskId, isPatientMissing: true }]);
    }
    // As from a backup.
    for (const name of readdirSync(dataDir)) if (name.startsWith(DATABASE)) rmSync(join(dataDir, name));
    writeFileSync(join(dataDir, DATABASE), kept);
    await using running = await runWorkstation({ dataDir, ...NEW_THREAD });
    expect((await about(running)).storageTrouble).toBeUndefined();
    const [emergency, earlier, ...others] = await rows(running);
    expect(others).toEqual([]);
    expect(emergency).toMatchObject({ isPatientMissing: true, isSimulated: true });
    expect(earlier?.isPatientMissing).toBeUndefined();
    expect(existsSync(join(dataDir, 'emergency'))).toBe(false);
  });

  test('with a page gone bad where nobody reads: a large one is looked through behind the work, and it is said', async () => {
    await using folder = await tempFolder();
    const dataDir = join(folder.path, 'data');
    await makeFolder(dataDir);
    const path = join(dataDir, DATABASE);
    // More than is looked through at a start, in rows of a table of which only the root is read.
    const db = new Database(path);
    db.exec('CREATE TABLE filler (bytes BLOB)');
    db.exec(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO filler SELECT zeroblob(3500) FROM n',
    );
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    {
      await using running = await runWorkstation({ dataDir, ...NEW_THREAD, lookAfterMs: 200 });
      await eventually(
        async () => (logged(dataDir).includes('clinic.database_looked_through') ? true : undefined),
        'the look through what is whole',
      );
      expect((await about(running)).storageTrouble).toBeUndefined();
    }
    const { pageBytes } = rootsOf(path);
    const pages = readFileSync(path).length / pageBytes;
    overwrite(path, [pages - 1000], pageBytes);
    await using running = await runWorkstation({ dataDir, ...NEW_THREAD, lookAfterMs: 1000 });
    expect((await about(running)).storageTrouble).toBeUndefined();
    expect(await rows(running)).toHaveLength(1);
    await inFreshFolder(running);
    expect(logged(dataDir).filter((event) => event === 'clinic.database_damaged')).not.toHaveLength(0);
  });

  test('that turns out so while a recording runs: the recording goes on in a fresh folder, with its name', async () => {
    await using folder = await tempFolder();
    const dataDir = join(folder.path, 'data');
    await makeFolder(dataDir);
    await using running = await runWorkstation({ dataDir, ...NEW_THREAD });
    const desk = await openDesk(running.workstation, { isWatching: false });
    const id = await desk.connect('simulator:isoline-idp');
    const entry = {
      fields: { patient_last_name: 'Hoffmann', patient_id: '4817' },
      identity: { name: 'said', birth: 'said' },
    } as const;
    const first = await desk.device(id).record({ entry });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { roots, pageBytes } = rootsOf(join(dataDir, DATABASE));
    // Under its feet, and out of its cache.
    overwrite(join(dataDir, DATABASE), roots.map(({ page }) => page).slice(1), pageBytes);
    rmSync(join(dataDir, `${DATABASE}-wal`), { force: true });
    await running.workstation.crash();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    const { taskId } = await desk.device(id).stop();
    await desk.close();
    const bridge = await inFreshFolder(running);
    const row = await eventually(
      async () =>
        (await bridge.call('task.list', { limit: 5 })).rows.find((each) => each.durationMs !== undefined),
      'the end of the recording',
    );
    expect(row).toMatchObject({ taskId, patient: { lastName: 'Hoffmann', id: '4817' } });
    expect(row.durationMs).toBeGreaterThan(1500);
    expect(first).toBeGreaterThan(0);
  });
});

test.skipIf(smallDiskMissing !== undefined)(
  `a disk that is full when it starts: it starts, says so, reads, and records an emergency${smallDiskMissing === undefined ? '' : ` (left out: ${smallDiskMissing})`}`,
  async () => {
    await using disk = await mountSmallDisk(90);
    const dataDir = join(disk.path, 'data');
    await makeFolder(dataDir);
    // What was kept for ending a recording in order; a disk this small gets none of its own accord.
    writeFileSync(join(dataDir, 'reserve.bin'), Buffer.alloc(40 << 20, 0xa5));
    const filler = join(disk.path, 'filler');
    try {
      for (let size = 32 << 20; size >= 512; size /= 2)
        for (let i = 0; i < 3; i++) writeFileSync(`${filler}${size}-${i}`, Buffer.alloc(size));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
    await using running = await runWorkstation({ dataDir, ...NEW_THREAD });
    expect(await about(running)).toMatchObject({ storageTrouble: 'diskFull' });
    expect(await rows(running)).toHaveLength(1);
    const taskId = await recordEmergency(running);
    expect((await rows(running)).map((row) => row.taskId)).toContain(taskId);
  },
);
