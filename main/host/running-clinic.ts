// What the clinic thread runs. Puts store, files, pool, domain, service and bridge together and takes them apart
// in reverse order. The one writer.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import type { Handlers } from '../../shared/bridge/server.ts';
import { IsolineError } from '../../shared/errors.ts';
import { FIRST_START_OPEN } from '../../shared/first-start.ts';
import { resolveSettings, type Settings } from '../../shared/settings.ts';
import { pageHandlers } from '../bridge/handlers/page.ts';
import { recorderHandlers } from '../bridge/handlers/recorder.ts';
import { seatDoorHandlers } from '../bridge/handlers/seats.ts';
import { rowsFor } from '../bridge/handlers/tasks.ts';
import { installerBehind } from '../bridge/installer-link.ts';
import { type Clinic, openClinic } from '../clinic/clinic.ts';
import type { ClinicContext } from '../clinic/context.ts';
import { SECRET_COST, type SecretCost } from '../clinic/people/secrets.ts';
import type { Log, Updating } from '../clinic/ports.ts';
import { changeSetting } from '../clinic/settings.ts';
import type { Store } from '../clinic/store.ts';
import { type WorklistSettings, watchWorklist } from '../connections/dicom/worklist-orders.ts';
import { type Hl7Identity, type Hl7Settings, listenForHl7 } from '../connections/hl7/hl7-listener.ts';
import { ConnectionHub } from '../connections/hub.ts';
import { sealBehind } from '../connections/key-store.ts';
import { answerOrders } from '../connections/practice/order-answers.ts';
import { lookAtOrders, type OrderFolderSettings, watchOrders } from '../connections/practice/order-folder.ts';
import { openBackupSecret, openTokenVault } from '../connections/token-vault.ts';
import type { DeskSettings } from '../device/desk.ts';
import { Door, HOSPITAL_BOUNDS } from '../door/door.ts';
import { hashFile } from '../pool/hash-file.ts';
import { type OpenWorkers, type RunningPool, startPool } from '../pool/pool.ts';
import { PRODUCT_VERSION, workerUrl } from '../product/product.ts';
import { RELEASE_KEYS } from '../product/release-keys.ts';
import { anchorFault, keepAuditAnchored } from '../store/audit/audit-anchor.ts';
import { backupMaker } from '../store/backup/backup-maker.ts';
import { takeRestored } from '../store/backup/take-restored.ts';
import { LOOK_AFTER_MS, lookThroughLater } from '../store/database/later-look.ts';
import { openFiles } from '../store/files/files.ts';
import { writeDurably } from '../store/files/write-durably.ts';
import { diskEncryption } from '../store/folder/disk-encryption.ts';
import { lockFolder } from '../store/folder/folder-lock.ts';
import { hasDamageMark, makeRoomToStart, noteDamage, openHome } from '../store/folder/home-folder.ts';
import { noticeCopy } from '../store/folder/instance.ts';
import { openLog } from '../store/folder/log.ts';
import { openReleases } from '../updates/releases.ts';
import { openDataStore, secureRandom, storedSettings } from './data-folder.ts';
import { type FirstServiceOptions, openFirstService } from './first-service.ts';
import { FilesOpenedWith } from './opened-files.ts';
import { type BridgeRole, PageBridges } from './page-bridges.ts';
import { keptIdentity } from './seats/kept-identity.ts';
import { supportFacts } from './support-facts.ts';
import { takeOverEmergency } from './take-over-emergency.ts';

export interface ClinicOptions extends FirstServiceOptions {
  readonly overrides: readonly (readonly [key: string, text: string])[];
  readonly isDemo: boolean;
  /** A data folder that was not there before gets the first start (screens, S10). */
  readonly hasFirstStart?: boolean;
  /** To the key store of the system, where this host has one. */
  readonly sealPort?: MessagePort | undefined;
  /** To the installer, where this host has one. */
  readonly installerPort?: MessagePort | undefined;
  /** The keys of those who may publish releases, instead of those of this build: for tests. */
  readonly releaseKeys?: readonly string[];
  /** A lower cost for hashing PINs and passwords: for tests, which sign in often. */
  readonly secretCost?: SecretCost | undefined;
  /** When a large database is looked through, after the start: for tests, which do not wait that long. */
  readonly lookAfterMs?: number | undefined;
}

export interface RunningClinic {
  readonly serviceUrl: string;
  /** SHA-256 of the service's certificate, where it has one. */
  readonly fingerprint: string | undefined;
  readonly desk: DeskSettings;
  /** @param seatId of a page on another computer or tablet */
  connect(port: MessagePort, role: BridgeRole, session: string, seatId?: number): void;
  close(): Promise<void>;
}

/** How soon a change by a command beside us is noticed (D30: within 2 s). */
const WATCH_MS = 1000;

/** The settings in force: those of the command line go before those of the store. */
class CurrentSettings {
  readonly #store: Store;
  readonly #overrides: ReadonlyMap<string, string>;
  now: Settings;

  constructor(store: Store, overrides: ReadonlyMap<string, string>) {
    this.#store = store;
    this.#overrides = overrides;
    this.now = resolveSettings(store.settings.all(), overrides);
  }

  read(): void {
    this.now = resolveSettings(this.#store.settings.all(), this.#overrides);
  }
}

/** Calls back when another process has changed the store. */
function watchStore(store: Store, onChange: () => void): Disposable {
  let dataVersion = store.dataVersion();
  const watch = setInterval(() => {
    const version = store.dataVersion();
    if (version === dataVersion) return;
    dataVersion = version;
    onChange();
  }, WATCH_MS);
  return { [Symbol.dispose]: () => clearInterval(watch) };
}

function worklistOf(now: Settings): WorklistSettings {
  const peer = {
    host: now['worklist.host'],
    port: now['worklist.port'],
    title: now['worklist.title'],
    ownTitle: now['dicom.title'],
    ...(now['worklist.tls'] && { tls: {} }),
  };
  return {
    peer: peer.host === '' ? undefined : peer,
    modality: now['worklist.modality'] === 'any' ? '' : now['worklist.modality'],
  };
}

const hl7Of = (now: Settings): Hl7Settings => ({
  host: now['hl7.host'],
  port: now['hl7.port'],
  isTls: now['hl7.tls'],
  application: now['hl7.application'],
  facility: now['hl7.facility'],
});

const hl7Door = ({ doors }: Clinic): Door =>
  new Door({
    name: 'hl7',
    bounds: HOSPITAL_BOUNDS,
    onTurnedAway: (name, address) => doors.note(name, address),
  });

function serveOrders(
  clinic: Clinic,
  pool: RunningPool,
  settings: CurrentSettings,
  identity: Hl7Identity,
  log: Log,
): AsyncDisposable {
  const folderSettings = (): OrderFolderSettings => ({
    folder: settings.now['orders.folder'],
    characterSet: settings.now['orders.characterSet'],
    dateOrder: settings.now['orders.dateOrder'],
    afterReading: settings.now['orders.afterReading'],
  });
  const both = new AsyncDisposableStack();
  both.use(watchOrders(clinic.orders, pool, folderSettings, log));
  both.use(answerOrders(clinic, () => settings.now['orders.resultFolder'], log));
  both.use(listenForHl7(clinic.orders, pool, () => hl7Of(settings.now), identity, hl7Door(clinic), log));
  both.use(watchWorklist(clinic.orders, pool, () => worklistOf(settings.now), log));
  return both;
}

interface Parts
  extends Pick<
    ClinicContext,
    'store' | 'log' | 'publish' | 'settingsChanged' | 'restart' | 'isEmergency' | 'backupMaker'
  > {
  readonly pool: RunningPool;
  readonly settings: CurrentSettings;
}

function updatingBehind(port: MessagePort, dataDir: string, keys: readonly string[]): Updating {
  const installer = installerBehind(port);
  return {
    installer,
    releases: openReleases({ dataDir, keys, nowMs: Date.now, fetchBytes: installer.read }),
  };
}

async function contextOf(
  { dataDir, sealPort, installerPort, releaseKeys = RELEASE_KEYS, secretCost = SECRET_COST }: ClinicOptions,
  { settings, ...parts }: Parts,
): Promise<ClinicContext> {
  const files = await openFiles(dataDir, hashFile);
  await files.clean();
  const seal = sealPort === undefined ? undefined : sealBehind(sealPort);
  return {
    ...parts,
    files,
    orderFolder: { look: (reading) => lookAtOrders(parts.pool, reading) },
    connectionSecrets: openTokenVault({ dataDir, writeDurably, seal }),
    backupSecret: openBackupSecret({ dataDir, writeDurably, seal }),
    support: supportFacts(dataDir),
    openedFiles: new FilesOpenedWith(),
    updating: installerPort && updatingBehind(installerPort, dataDir, releaseKeys),
    diskEncryption: () => diskEncryption(dataDir),
    auditAnchorFault: () => anchorFault(dataDir, parts.store.audit),
    clock: { nowMs: Date.now, monotonicMs: () => performance.now() },
    randomBytes: secureRandom,
    secretCost,
    productVersion: PRODUCT_VERSION,
    settings: () => settings.now,
  };
}

/**
 * Takes a data folder for itself, and everything that works with it into operation.
 * @param restart closes what is returned and opens the folder again
 * @param openWorkers opens the workers; without it they are new, and end with the clinic
 */
export async function runClinic(
  options: ClinicOptions,
  restart: () => void,
  openWorkers?: OpenWorkers,
): Promise<RunningClinic> {
  try {
    return await openAll(options, restart, openWorkers);
  } catch (error) {
    const isDamaged = error instanceof IsolineError && error.reason === 'database_damaged';
    if (!isDamaged || hasDamageMark(options.dataDir)) throw error;
    // A short look had found nothing: now all of it is looked through, and the fresh folder is opened.
    noteDamage(options.dataDir, Date.now());
    return await openAll(options, restart, openWorkers);
  }
}

/**
 * The lock comes first: what another instance keeps for its recordings is not ours to give up.
 * @returns whether there was no room for it
 */
function lockWithRoom(dataDir: string, cleanup: AsyncDisposableStack): boolean {
  try {
    cleanup.use(lockFolder(dataDir, Date.now()));
    return false;
  } catch (error) {
    const isFull = error instanceof IsolineError && error.reason === 'storage_full';
    if (!isFull || !makeRoomToStart(dataDir)) throw error;
    cleanup.use(lockFolder(dataDir, Date.now()));
    return true;
  }
}

async function openAll(
  options: ClinicOptions,
  restart: () => void,
  openWorkers: OpenWorkers | undefined,
): Promise<RunningClinic> {
  const { dataDir: wantedDir } = options;
  await using cleanup = new AsyncDisposableStack();
  const isLockedFull = lockWithRoom(wantedDir, cleanup);
  const isDiskFull = makeRoomToStart(wantedDir) || isLockedFull;
  const hasRestored = await takeRestored(wantedDir, Date.now());
  const log = openLog(wantedDir);
  if (isDiskFull) log('clinic.disk_full', {});
  if (hasRestored) log('clinic.restored', {});
  const overrides = new Map(options.overrides);
  const first = await openFirstService(options, resolveSettings(storedSettings(wantedDir), overrides));
  const { service, fingerprint, trouble } = first;
  cleanup.defer(() => service.close());
  const isNewFolder = !existsSync(join(wantedDir, 'isoline.sqlite'));
  let isRunning = false;
  let hasMetDamage = false;
  const onDamage = ({ detail }: IsolineError): void => {
    // While it is opened, damage is thrown. Whoever meets it later meets it again and again: it is said once.
    if (!isRunning || hasMetDamage) return;
    hasMetDamage = true;
    log('clinic.database_damaged', { ...detail });
    noteDamage(wantedDir, Date.now());
    restart();
  };
  const { dataDir, store, isEmergency } = openHome(
    wantedDir,
    (dir) => openDataStore(dir, 'writer', onDamage),
    log,
    Date.now(),
  );
  cleanup.use(store);
  const settings = new CurrentSettings(store, overrides);
  const pool = startPool(
    {
      workers: settings.now['analysis.workers'],
      timeLimitSeconds: settings.now['analysis.timeLimitSeconds'],
      log,
      reserveBytes: () => settings.now['storage.reserve'],
    },
    openWorkers,
  );
  cleanup.defer(() => pool.close());

  const bridges = new PageBridges(log);
  const refresh = (): void => {
    settings.read();
    void hub.refresh();
    // Whether seats may come in, and where, is a setting.
    bridges.publish('seat.changed', {});
  };
  const context = await contextOf(
    { ...options, dataDir },
    {
      isEmergency,
      backupMaker: backupMaker(workerUrl('store/backup/backup-thread'), wantedDir, PRODUCT_VERSION),
      store,
      log,
      pool,
      settings,
      publish: bridges.publish,
      settingsChanged: refresh,
      restart,
    },
  );
  const clinic = await openClinic(context);
  cleanup.defer(() => clinic.close());
  cleanup.use(bridges);
  cleanup.use(await keepAuditAnchored(dataDir, context));
  cleanup.use(await noticeCopy(dataDir, clinic));
  const hub = new ConnectionHub(clinic);
  cleanup.use(hub);
  const identity = keptIdentity({ dataDir, writeDurably }, () => settings.now);
  cleanup.use(serveOrders(clinic, pool, settings, identity, log));
  await service.attach(clinic);
  // Requests end before what they work with does.
  cleanup.defer(() => service.close());

  if (!isEmergency) await takeOverEmergency(wantedDir, clinic, log);
  if (isNewFolder && options.hasFirstStart === true)
    await changeSetting(context, 'start.steps', FIRST_START_OPEN, 'program');
  // The rules may be others than when the program ended.
  await clinic.enrolment.reconsider();
  await hub.refresh();
  cleanup.use(
    watchStore(store, () => {
      refresh();
      bridges.publish('task.changed', {});
    }),
  );
  if (!isEmergency)
    cleanup.use(
      lookThroughLater({
        entry: workerUrl('store/database/look-through-thread'),
        path: join(dataDir, 'isoline.sqlite'),
        afterMs: options.lookAfterMs ?? LOOK_AFTER_MS,
        log,
        onDamage,
      }),
    );
  log('clinic.started', { version: PRODUCT_VERSION, pid: process.pid });

  const facts = {
    version: PRODUCT_VERSION,
    isDemo: options.isDemo,
    serviceUrl: service.url,
    ...(trouble !== undefined && { serviceTrouble: trouble }),
    ...((isEmergency || isDiskFull) && {
      storageTrouble: isEmergency ? ('databaseDamaged' as const) : ('diskFull' as const),
    }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
  const handlersOf: Readonly<Record<BridgeRole, (session: string, isSeat: boolean) => Handlers>> = {
    page: (session, isSeat) => pageHandlers(clinic, facts, hub, identity, session, isSeat),
    recorder: () => recorderHandlers(clinic),
    seatDoor: () => seatDoorHandlers(clinic, identity),
  };
  isRunning = true;
  const running = cleanup.move();
  return {
    serviceUrl: service.url,
    fingerprint,
    desk: {
      autoConnect: settings.now['devices.autoConnect'],
      frameMs: settings.now['recorder.frameMs'],
      rollOverHours: settings.now['recorder.rollOverHours'],
      refusesWrongRate: settings.now['devices.wrongRate'] === 'refuse',
    },
    connect(port, role, session, seatId) {
      const isSeat = seatId !== undefined;
      if (isSeat) clinic.seats.cameIn(session, seatId);
      bridges.connect(port, {
        handlers: handlersOf[role](session, isSeat),
        rowsOf: (taskIds) => (role === 'page' ? rowsFor(clinic, session, taskIds) : []),
        mayHear: (name) =>
          !isSeat || name === 'session.changed' || clinic.sessions.person(session) !== undefined,
        onClosed: () => {
          clinic.sessions.end(session);
          clinic.seats.left(session);
        },
      });
    },
    async close() {
      await running.disposeAsync();
      log('clinic.stopped', {});
    },
  };
}
