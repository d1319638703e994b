// Updates with electron-updater's own code over real HTTP: what a good release becomes, and what a lying, cut, slow or old
// one does not.

import { createPrivateKey } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeReleaseKeys, signRelease } from '../../../../build/release/sign-release.ts';
import type { BackupMaker } from '../../../../main/clinic/ports.ts';
import { compareVersions } from '../../../../main/clinic/updates/records.ts';
import { electronInstaller } from '../../../../main/host/electron/updates.ts';
import { openReleases } from '../../../../main/updates/releases.ts';
import { ScriptedPool } from '../../../doubles/pool.ts';
import {
  appImageName,
  type MadeRelease,
  makeRelease,
  RELEASE_PAIR,
  writeAppImage,
  writeFeed,
} from '../../../support/made-release.ts';
import { openTestClinic, type TestClinic } from '../../../support/open-clinic.ts';
import { plainUpdater } from '../../../support/plain-updater.ts';
import { RECORDED_DEVICE } from '../../../support/recorded-device.ts';
import { type ReleaseServer, serveRelease } from '../../../support/release-server.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';

const DAY = 86_400_000;
const INSTALLED = '9.0.0';
const NEW = '9.1.0';
/** Longer than a busy machine pauses; a test of a server that says nothing takes the short one. */
const PATIENCE_MS = 60_000;
const SHORT_PATIENCE_MS = 1500;

let folder: TempFolder;
let open: TestClinic;
let server: ReleaseServer;
let nowMs = 0;
let whileBackingUp: () => Promise<unknown>;
let closed = 0;
let relaunched = 0;
let isRecordingAtHost = false;

const path = (...names: string[]): string => join(folder.path, ...names);
const release = (): string => path('release');
const program = (): string => path('program', 'Isoline.AppImage');

const maker: BackupMaker = {
  open: async () => undefined,
  make: async () => {
    await whileBackingUp();
    return { files: 1, sizeBytes: 1, lost: 0 };
  },
  verify: async () => ({ files: 1, sizeBytes: 1, lost: 0 }),
  restore: async () => ({ files: 1, sizeBytes: 1, lost: 0 }),
  dropRestored: async () => undefined,
};

async function start(
  productVersion = INSTALLED,
  keys: readonly string[] = [RELEASE_PAIR.publicKey],
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const installer = electronInstaller({
    updater: plainUpdater({ version: productVersion, folder: path('updater') }),
    fetch: (url, init) => fetch(url, init),
    isRecording: () => isRecordingAtHost,
    close: async () => void closed++,
    relaunch: () => void relaunched++,
    patienceMs,
  });
  const releases = openReleases({
    dataDir: path('data'),
    keys,
    nowMs: () => nowMs,
    fetchBytes: installer.read,
  });
  open = await openTestClinic(
    path('data'),
    new ScriptedPool(),
    () => nowMs,
    [['updates.server', server.url]],
    {
      productVersion,
      updating: { installer, releases },
      backupMaker: maker,
    },
  );
}

/** Again, with as much patience for a silent server as a test has. */
async function startImpatient(): Promise<void> {
  await open.close();
  await start(INSTALLED, undefined, SHORT_PATIENCE_MS);
}

beforeEach(async () => {
  nowMs = Date.now();
  closed = 0;
  relaunched = 0;
  isRecordingAtHost = false;
  whileBackingUp = async () => undefined;
  folder = await tempFolder();
  for (const name of ['data', 'updater', 'program', 'release']) mkdirSync(path(name));
  writeAppImage(program(), INSTALLED);
  vi.stubEnv('APPIMAGE', program());
  server = await serveRelease(release());
  await start();
});
afterEach(async () => {
  await open.close();
  await server[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
  await folder.remove();
});

const publish = (made: MadeRelease = {}): void => makeRelease(release(), { nowMs, version: NEW, ...made });
const updates = (): TestClinic['clinic']['updates'] => open.clinic.updates;

/** @returns why nothing came of it */
const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    ({ reason }: { reason: string }) => reason,
  );

async function fetched(): Promise<unknown> {
  updates().fetch();
  await updates().settled();
  return (await updates().state()).failed?.reason;
}

/** What runs from here on is the old program, and nothing of the new one lies where it could be started. */
async function expectNothingInstalled(): Promise<void> {
  expect(readFileSync(program(), 'utf8')).toContain(`echo ${INSTALLED}`);
  expect(existsSync(`${program()}.started`)).toBe(false);
  expect([closed, relaunched]).toEqual([0, 0]);
  expect(open.store.updates.last()).toBeUndefined();
}

async function installed(): Promise<void> {
  await updates().install('test');
  await updates().settled();
}

describe('a good release', () => {
  test('is found, fetched, checked, installed after a backup, and started', async () => {
    publish();
    await updates().look(undefined);
    expect(await updates().state()).toMatchObject({
      version: INSTALLED,
      release: { version: NEW, isFetched: false, notes: { en: 'Measures QT on more leads.' } },
      verifiedMs: nowMs,
    });
    expect(await fetched()).toBeUndefined();
    expect(await updates().state()).toMatchObject({ release: { isFetched: true } });
    await expectNothingInstalled();

    open.store.settings.set('backup.folder', path('backups'), nowMs);
    let isBackedUp = false;
    whileBackingUp = async () => {
      isBackedUp = true;
      expect(readFileSync(program(), 'utf8')).toContain(`echo ${INSTALLED}`);
    };
    await installed();
    await vi.waitFor(() => expect(readFileSync(`${program()}.started`, 'utf8')).toBe(`${NEW}\n`));
    expect([isBackedUp, closed, relaunched]).toEqual([true, 1, 0]);
    expect(readFileSync(program(), 'utf8')).toContain(`echo ${NEW}`);

    // The new version finds its place, and knows where the one before it is kept.
    await open.close();
    await start(NEW);
    expect((await updates().state()).last).toMatchObject({
      version: NEW,
      fromVersion: INSTALLED,
      isInstalled: true,
    });
    expect(readdirSync(path('data', 'updates'))).toEqual([NEW]);
    expect(readdirSync(path('data', 'updates', NEW))).toEqual([appImageName(NEW)]);
    expect(open.store.audit.of('program').map(({ action }) => action)).toEqual([
      'update.begun',
      'update.installed',
    ]);
  });

  test('that could not be put in its place leaves the old one, starts that, and says so', async () => {
    publish();
    await updates().look(undefined);
    await fetched();
    // Whatever electron-updater meets at the last moment, here a program that is not there any more.
    vi.stubEnv('APPIMAGE', path('program', 'gone.AppImage'));
    await installed();
    await vi.waitFor(() => expect([closed, relaunched]).toEqual([1, 1]));
    expect(readFileSync(program(), 'utf8')).toContain(`echo ${INSTALLED}`);
    await open.close();
    await start(INSTALLED);
    expect((await updates().state()).last).toMatchObject({ version: NEW, isInstalled: false });
    expect(open.store.audit.of('program').at(-1)?.action).toBe('update.failed');
  });

  test('is followed by another one; the installer of the version before is kept, and no other', async () => {
    publish();
    await updates().look(undefined);
    await fetched();
    await installed();
    await vi.waitFor(() => expect(closed).toBe(1));
    await open.close();
    await start(NEW);
    expect((await updates().state()).last?.wayBack).toBeUndefined();
    // One that fails takes nothing away.
    publish({ version: '9.2.0' });
    await updates().look(undefined);
    await fetched();
    isRecordingAtHost = true;
    await installed();
    isRecordingAtHost = false;
    expect((await updates().state()).failed?.reason).toBe('update_blocked');
    publish({ version: '9.3.0' });
    await updates().look(undefined);
    await fetched();
    await installed();
    await open.close();
    await start('9.3.0');
    expect(readdirSync(path('data', 'updates')).sort()).toEqual([NEW, '9.3.0']);
    expect((await updates().state()).last).toMatchObject({
      fromVersion: NEW,
      wayBack: path('data', 'updates', NEW, appImageName(NEW)),
    });
  });

  test('comes from a folder without any network', async () => {
    publish();
    await server[Symbol.asyncDispose]();
    await updates().look(release());
    expect((await updates().state()).release).toMatchObject({ version: NEW });
    expect(await fetched()).toBeUndefined();
    expect((await updates().state()).release).toMatchObject({ isFetched: true });
    expect(await outcomeOf(updates().look(path('data')))).toBe('update_unreachable');
    expect((await updates().state()).outcome).toBeUndefined();
  });

  test('tells the server nothing by which it could know this computer', async () => {
    publish();
    await updates().look(undefined);
    await fetched();
    expect(server.requests.length).toBeGreaterThan(3);
    for (const { headers } of server.requests)
      expect([undefined, 'none']).toContain(headers['x-user-staging-id']);
  });

  test('is looked for once a day, as long as an address is set', async () => {
    publish();
    updates().lookIfDue();
    await updates().settled();
    expect(server.requests).toEqual([]);
    nowMs += 3_600_000;
    updates().lookIfDue();
    await vi.waitFor(async () => expect((await updates().state()).release?.version).toBe(NEW));
    const asked = server.requests.length;
    nowMs += DAY - 60_000;
    updates().lookIfDue();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(server.requests.length).toBe(asked);
    open.store.settings.set('updates.server', '', nowMs);
    nowMs += DAY;
    updates().lookIfDue();
    await updates().settled();
    expect([server.requests.length, (await updates().state()).failed]).toEqual([asked, undefined]);
  });

  test('that is held back from some clinics is not offered to them, and nothing says that theirs is the newest', async () => {
    publish({ feed: 'stagingPercentage: 0\n' });
    expect(await updates().look(undefined)).toEqual({ outcome: 'heldBack' });
    expect(await updates().state()).toMatchObject({ outcome: 'heldBack' });
    expect((await updates().state()).release).toBeUndefined();
  });
});

test('only a look at the server says that what runs is the newest; an old stick says nothing', async () => {
  const stick = path('stick');
  makeRelease(stick, { nowMs, version: '8.0.0' });
  expect(await updates().look(stick)).toEqual({ outcome: 'newest' });
  expect((await updates().state()).outcome).toBeUndefined();
  publish();
  expect(await updates().look(undefined)).toEqual({ outcome: 'newer' });
  // What the server has stays found.
  await updates().look(stick);
  expect((await updates().state()).release?.version).toBe(NEW);
  publish({ version: INSTALLED });
  expect(await updates().look(undefined)).toEqual({ outcome: 'newest' });
  expect(await updates().state()).toMatchObject({ outcome: 'newest' });
  // Another server was never asked.
  open.store.settings.set('updates.server', 'http://127.0.0.1:9/other', nowMs);
  expect((await updates().state()).outcome).toBeUndefined();
  await outcomeOf(updates().look(undefined));
  expect((await updates().state()).outcome).toBeUndefined();
});

describe('nothing is installed', () => {
  test.each<[string, () => void, string | undefined]>([
    ['signed by somebody else', () => publish({ keys: makeReleaseKeys() }), 'update_unsigned'],
    [
      'whose list was changed by one byte',
      () => {
        publish();
        const list = join(release(), 'release.json');
        writeFileSync(list, readFileSync(list, 'utf8').replace('more leads', 'more leadz'));
      },
      'update_unsigned',
    ],
    [
      'without a signature',
      () => {
        publish();
        rmSync(join(release(), 'release.json.sig'));
      },
      'update_unreachable',
    ],
    [
      'whose signature is text',
      () => {
        publish();
        writeFileSync(join(release(), 'release.json.sig'), 'trust me');
      },
      'update_unsigned',
    ],
    ['that has expired', () => publish({ nowMs: nowMs - 31 * DAY }), 'update_expired'],
    ['that needs a version between', () => publish({ minimumVersion: '9.0.5' }), 'update_unsuitable'],
    [
      'of another program',
      () => {
        publish();
        const facts = { version: NEW, minimumVersion: 'x', notes: { en: '', es: '' }, nowMs, lifeDays: 1 };
        signRelease(release(), facts, createPrivateKey(RELEASE_PAIR.privateKey));
      },
      'update_unreadable',
    ],
    [
      'whose feed has another file under the signed name',
      () => {
        publish();
        writeAppImage(join(release(), appImageName(NEW)), 'evil');
        writeFeed(release(), NEW);
      },
      'update_damaged',
    ],
    [
      'whose feed has another version than the list',
      () => {
        publish();
        writeAppImage(join(release(), appImageName('9.2.0')), '9.2.0');
        writeFeed(release(), '9.2.0');
      },
      'update_damaged',
    ],
    ['that is as old as what runs', () => publish({ version: INSTALLED }), undefined],
    ['that is older', () => publish({ version: '8.9.9' }), undefined],
    [
      'whose feed goes back to an older one',
      () => {
        publish();
        writeAppImage(join(release(), appImageName('8.0.0')), '8.0.0');
        writeFeed(release(), '8.0.0');
      },
      undefined,
    ],
    ['of which there is no feed', () => publishWithout('latest-linux.yml'), 'update_unreachable'],
  ])('of a release %s', async (_name, prepare, reason) => {
    prepare();
    expect(await outcomeOf(updates().look(undefined))).toBe(reason);
    expect((await updates().state()).release).toBeUndefined();
    // By itself, it stays on the screen.
    nowMs += DAY;
    updates().lookIfDue();
    await updates().settled();
    expect((await updates().state()).failed?.reason).toBe(reason);
    expect(await outcomeOf((async () => updates().fetch())())).toBe('update_unreachable');
    expect(await outcomeOf(updates().install('test'))).toBe('update_unreachable');
    await expectNothingInstalled();
  });

  const publishWithout = (name: string): void => {
    publish();
    rmSync(join(release(), name));
  };

  test.each([
    ['changed by one byte on the way', 'update_damaged'],
    ['cut off', 'update_damaged'],
    ['that stops coming', 'update_unreachable'],
    ['that is gone', 'update_unreachable'],
  ] as const)('of a file %s', async (how, reason) => {
    if (how === 'that stops coming') await startImpatient();
    publish({ paddingBytes: 1e6 });
    await updates().look(undefined);
    const file = join(release(), appImageName(NEW));
    const bytes = readFileSync(file);
    if (how.startsWith('changed')) {
      bytes[500_000] = 0x20;
      writeFileSync(file, bytes);
    } else if (how === 'cut off') writeFileSync(file, bytes.subarray(0, 500_000));
    else if (how === 'that is gone') rmSync(file);
    else server.breakAt = { ending: '.AppImage', bytes: 500_000, isSilent: true };
    expect(await fetched()).toBe(reason);
    expect((await updates().state()).release).toMatchObject({ isFetched: false });
    await expectNothingInstalled();
    // And the next time all goes well.
    server.breakAt = undefined;
    writeAppImage(file, NEW, 1e6);
    expect(await fetched()).toBeUndefined();
  });

  test('where a connection breaks off in the middle', async () => {
    publish({ paddingBytes: 1e6 });
    await updates().look(undefined);
    server.breakAt = { ending: '.AppImage', bytes: 500_000, isSilent: false };
    expect(['update_damaged', 'update_unreachable']).toContain(await fetched());
    await expectNothingInstalled();
  });

  test('where the list never ends or never comes', async () => {
    publish();
    await startImpatient();
    server.breakAt = { ending: '.json', bytes: 10, isSilent: true };
    expect(await outcomeOf(updates().look(undefined))).toBe('update_unreachable');
    server.breakAt = undefined;
    writeFileSync(join(release(), 'release.json'), 'x'.repeat(70_000));
    expect(await outcomeOf(updates().look(undefined))).toBe('update_unreachable');
  });

  test('of a file that was changed after it was fetched', async () => {
    publish();
    await updates().look(undefined);
    await fetched();
    const cached = path('updater', 'cache', 'isoline', 'pending', appImageName(NEW));
    writeFileSync(cached, `${readFileSync(cached, 'utf8')}\n`);
    await installed();
    expect((await updates().state()).failed?.reason).toBe('update_damaged');
    await expectNothingInstalled();
    // It is fetched again, and goes on from there.
    expect((await updates().state()).release).toMatchObject({ isFetched: false });
    expect(await fetched()).toBeUndefined();
    expect((await updates().state()).release).toMatchObject({ isFetched: true });
  });

  test('and nothing is fetched while something is recorded, or any more once that begins', async () => {
    publish({ paddingBytes: 4e6 });
    await updates().look(undefined);
    const begin = open.clinic.desk.begin({
      parameters: { sampleRateHz: 500, leadCodes: ['MDC_ECG_LEAD_I'] },
      device: RECORDED_DEVICE,
      startedMs: nowMs,
    });
    const taskId = await begin;
    expect(await outcomeOf((async () => updates().fetch())())).toBe('update_blocked');
    await open.clinic.desk.discardEmpty(taskId, true);
    isRecordingAtHost = true;
    expect(await fetched()).toBe('update_blocked');
    expect((await updates().state()).release).toMatchObject({ isFetched: false });
    await expectNothingInstalled();
    isRecordingAtHost = false;
    expect(await fetched()).toBeUndefined();
  });

  test('where a recording begins at the last moment, which the host alone knows', async () => {
    publish();
    await updates().look(undefined);
    await fetched();
    isRecordingAtHost = true;
    await installed();
    expect((await updates().state()).failed?.reason).toBe('update_blocked');
    expect(readFileSync(program(), 'utf8')).toContain(`echo ${INSTALLED}`);
    expect(closed).toBe(0);
  });

  test.skipIf(process.getuid?.() === 0)(
    'where the program lies in a folder that nobody may write (not as root, who may)',
    async () => {
      publish();
      await updates().look(undefined);
      await fetched();
      chmodSync(path('program'), 0o500);
      await installed();
      chmodSync(path('program'), 0o700);
      expect((await updates().state()).failed?.reason).toBe('update_unavailable');
      expect(readFileSync(program(), 'utf8')).toContain(`echo ${INSTALLED}`);
      expect(closed).toBe(0);
    },
  );

  test('while something is recorded, received or analysed, or when it begins during the backup', async () => {
    publish();
    await updates().look(undefined);
    await fetched();
    const begin = (): Promise<number> =>
      open.clinic.desk.begin({
        parameters: { sampleRateHz: 500, leadCodes: ['MDC_ECG_LEAD_I'] },
        device: RECORDED_DEVICE,
        startedMs: nowMs,
      });
    const taskId = await begin();
    expect(await outcomeOf(updates().install('test'))).toBe('update_blocked');
    expect((await updates().state()).hindrance).toBe('recording');
    await open.clinic.desk.discardEmpty(taskId, true);
    const sha256 = 'a'.repeat(64);
    const organizationId = open.organizationId;
    const upload = { id: 'u', organizationId, totalSizeBytes: 9, sha256, state: 'receiving' } as const;
    open.store.uploads.add({ ...upload, createdMs: nowMs, touchedMs: nowMs });
    expect((await updates().state()).hindrance).toBe('upload');
    nowMs += 121_000;
    expect((await updates().state()).hindrance).toBeUndefined();
    open.store.settings.set('backup.folder', path('backups'), nowMs);
    whileBackingUp = begin;
    await installed();
    expect((await updates().state()).failed?.reason).toBe('update_blocked');
    await expectNothingInstalled();
  });

  test('where the backup before it fails', async () => {
    publish();
    await updates().look(undefined);
    await fetched();
    open.store.settings.set('backup.folder', path('backups'), nowMs);
    whileBackingUp = async () => {
      throw new Error('no disk');
    };
    await installed();
    expect((await updates().state()).failed?.reason).toBe('update_blocked');
    await expectNothingInstalled();
  });

  test('by a build that knows no key, or that runs from its sources', async () => {
    publish();
    await open.close();
    await start(INSTALLED, []);
    expect((await updates().state()).unavailable).toBe('keys');
    expect(await outcomeOf(updates().look(undefined))).toBe('update_unavailable');
    await open.close();
    open = await openTestClinic(path('data'), new ScriptedPool(), () => nowMs);
    expect((await updates().state()).unavailable).toBe('host');
    expect(await outcomeOf(updates().look(path('release')))).toBe('update_unavailable');
  });
});

test('the next key is as good as the one in use', async () => {
  const next = makeReleaseKeys();
  await open.close();
  await start(INSTALLED, [RELEASE_PAIR.publicKey, next.publicKey]);
  publish({ keys: next });
  await updates().look(undefined);
  expect((await updates().state()).release?.version).toBe(NEW);
});

test.each([
  ['1.10.0', '1.9.9', 1],
  ['2.0.0', '10.0.0', -1],
  ['0.1.0', '0.1.0', 0],
] as const)('%s beside %s', (a, b, expected) => {
  expect(compareVersions(a, b)).toBe(expected);
});
