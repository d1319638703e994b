// The clinic thread: entry of the worker that owns the data folder. Puts store, files, pool, domain, service
// and bridge together and takes them apart in reverse order. The one writer.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { assert } from '../../shared/assert.ts';
import type { EventName, EventPayload } from '../../shared/bridge/contract.ts';
import { BridgeServer } from '../../shared/bridge/server.ts';
import type { ServiceTrouble } from '../../shared/bridge/views.ts';
import { IsolineError, type PlainError, toPlainError } from '../../shared/errors.ts';
import { resolveSettings, type Settings } from '../../shared/settings.ts';
import { pageHandlers } from '../bridge/handlers/page.ts';
import { recorderHandlers } from '../bridge/handlers/recorder.ts';
import { overMessagePort } from '../bridge/message-port.ts';
import { openClinic } from '../clinic/clinic.ts';
import type { ClinicContext } from '../clinic/context.ts';
import type { DeskSettings } from '../device/desk.ts';
import { checkFrame } from '../formats/compressed-delta/check-frame.ts';
import { NATIVE_DECOMPRESSORS } from '../formats/compressed-delta/native-compression.ts';
import { answerOrders } from '../orders/order-answers.ts';
import { lookAtOrders, type OrderFolderSettings, watchOrders } from '../orders/order-folder.ts';
import { hashFile } from '../pool/hash-file.ts';
import { startPool } from '../pool/pool.ts';
import { PRODUCT_VERSION } from '../product/product.ts';
import { nextFreePort } from '../service/free-port.ts';
import { noService, openService } from '../service/service.ts';
import { tlsIdentity } from '../service/tls-identity.ts';
import { keepAuditAnchored } from '../store/audit-anchor.ts';
import { toStorageError } from '../store/database.ts';
import { openFiles } from '../store/files.ts';
import { lockFolder } from '../store/folder-lock.ts';
import { noticeCopy } from '../store/instance.ts';
import { openLog } from '../store/log.ts';
import { writeDurably } from '../store/write-durably.ts';
import { CentralSync } from '../sync/central-sync.ts';
import { sealBehind } from '../sync/key-store.ts';
import { openTokenVault } from '../sync/token-vault.ts';
import { openDataStore, secureRandom, storedSettings } from './data-folder.ts';

export interface ClinicThreadOptions {
  readonly dataDir: string;
  /** Overrides the setting. */
  readonly host: string | undefined;
  /** Overrides the setting; the thread's replacement takes the port of the first one. */
  readonly port: number | undefined;
  readonly overrides: readonly (readonly [key: string, text: string])[];
  readonly isDemo: boolean;
  /** A taken port does not stop a workstation with screens: they say that the service is off. */
  readonly isServiceOptional?: boolean;
  /** To the key store of the system, where this host has one. */
  readonly sealPort?: MessagePort | undefined;
}

/** Who is on the other end: a page, or the recorder on the main thread. */
export type BridgeRole = 'page' | 'recorder';
export type ToClinicThread =
  | {
      readonly kind: 'connect';
      readonly port: MessagePort;
      readonly role: BridgeRole;
      readonly session: string;
    }
  | { readonly kind: 'stop' };
export type FromClinicThread =
  | {
      readonly kind: 'ready';
      readonly serviceUrl: string;
      readonly fingerprint: string | undefined;
      readonly desk: DeskSettings;
    }
  | { readonly kind: 'failed'; readonly error: PlainError; readonly stack: string | undefined }
  | { readonly kind: 'stopped' };

/** How soon a change by a command beside us is noticed (D30: within 2 s). */
const WATCH_MS = 1000;

interface RunningClinic {
  readonly serviceUrl: string;
  /** SHA-256 of the service's certificate, where it has one. */
  readonly fingerprint: string | undefined;
  readonly desk: DeskSettings;
  connect(port: MessagePort, role: BridgeRole, session: string): void;
  close(): Promise<void>;
}

async function start(options: ClinicThreadOptions): Promise<RunningClinic> {
  await using cleanup = new AsyncDisposableStack();
  const lock = lockFolder(options.dataDir, Date.now());
  cleanup.use(lock);
  const log = openLog(options.dataDir);
  const overrides = new Map(options.overrides);
  const before = resolveSettings(storedSettings(options.dataDir), overrides);
  const host = options.host ?? before['service.host'];
  const identity = await tlsIdentity({ dataDir: options.dataDir, writeDurably }, host, before);
  // Open before the store is: bringing a large one up to date takes time, in which clients are told to wait.
  const port = options.port ?? before['service.port'];
  const opening = openService({
    log,
    host,
    port,
    ...(identity !== undefined && { tls: identity, hostNames: identity.names }),
  });
  let serviceTrouble: ServiceTrouble | undefined;
  const service = await opening.catch(async (error: unknown) => {
    if (
      options.isServiceOptional !== true ||
      !(error instanceof IsolineError) ||
      error.reason !== 'port_in_use'
    )
      throw error;
    const freePort = await nextFreePort(host, port);
    serviceTrouble = { port, ...(freePort !== undefined && { freePort }) };
    return noService();
  });
  cleanup.defer(() => service.close());
  const store = openDataStore(options.dataDir, 'writer');
  cleanup.use(store);
  let settings: Settings = resolveSettings(store.settings.all(), overrides);
  const takeSettings = (): void => {
    settings = resolveSettings(store.settings.all(), overrides);
  };
  const pool = startPool({
    workers: settings['analysis.workers'],
    timeLimitSeconds: settings['analysis.timeLimitSeconds'],
    log,
    reserveBytes: () => settings['storage.reserve'],
  });
  cleanup.defer(() => pool.close());

  const bridges = new Set<BridgeServer>();
  const publish = <K extends EventName>(name: K, payload: EventPayload<K>): void => {
    for (const bridge of bridges) bridge.publish(name, payload);
  };
  const files = await openFiles(options.dataDir, hashFile);
  await files.clean();
  const context: ClinicContext = {
    store,
    files,
    pool,
    checkFrame,
    orderFolder: { look: (reading) => lookAtOrders(pool, reading) },
    centreTokens: openTokenVault({
      dataDir: options.dataDir,
      writeDurably,
      seal: options.sealPort === undefined ? undefined : sealBehind(options.sealPort),
    }),
    clock: { nowMs: Date.now },
    randomBytes: secureRandom,
    log,
    productVersion: PRODUCT_VERSION,
    publish,
    settings: () => settings,
    settingsChanged: () => {
      takeSettings();
      void sync.refresh();
    },
  };
  const clinic = await openClinic(context);
  cleanup.defer(() => clinic.close());
  cleanup.use(await keepAuditAnchored(options.dataDir, context));
  cleanup.use(await noticeCopy(options.dataDir, clinic));
  const sync = new CentralSync(clinic, NATIVE_DECOMPRESSORS);
  cleanup.use(sync);
  const orderSettings = (): OrderFolderSettings => ({
    folder: settings['orders.folder'],
    characterSet: settings['orders.characterSet'],
    dateOrder: settings['orders.dateOrder'],
    afterReading: settings['orders.afterReading'],
  });
  cleanup.use(watchOrders(clinic.orders, pool, orderSettings, log));
  cleanup.use(answerOrders(clinic, () => settings['orders.resultFolder'], log));
  await service.attach(clinic);
  // Requests end before what they work with does.
  cleanup.defer(() => service.close());

  // The rules may be others than when the program ended.
  await clinic.enrolment.reconsider();
  await sync.refresh();
  let dataVersion = store.dataVersion();
  const watch = setInterval(() => {
    const version = store.dataVersion();
    if (version === dataVersion) return;
    dataVersion = version;
    takeSettings();
    void sync.refresh();
    publish('task.changed', {});
  }, WATCH_MS);
  cleanup.defer(() => clearInterval(watch));
  log('clinic.started', { version: PRODUCT_VERSION, pid: process.pid });

  const facts = {
    version: PRODUCT_VERSION,
    isDemo: options.isDemo,
    serviceUrl: service.url,
    ...(serviceTrouble !== undefined && { serviceTrouble }),
    ...(identity !== undefined && { fingerprint: identity.fingerprint }),
  };
  const deskHandlers = recorderHandlers(clinic);
  const onFault = (error: unknown): void =>
    log('bridge.fault', { stack: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  const running = cleanup.move();
  return {
    serviceUrl: service.url,
    fingerprint: identity?.fingerprint,
    desk: {
      autoConnect: settings['devices.autoConnect'],
      frameMs: settings['recorder.frameMs'],
      rollOverHours: settings['recorder.rollOverHours'],
    },
    connect(port, role, session) {
      const transport = overMessagePort(port);
      const bridge = new BridgeServer(
        transport,
        role === 'page' ? pageHandlers(clinic, facts, sync, session) : deskHandlers,
        onFault,
      );
      bridges.add(bridge);
      transport.onClose(() => {
        bridges.delete(bridge);
        clinic.sessions.end(session);
      });
    },
    async close() {
      await running.disposeAsync();
      log('clinic.stopped', {});
    },
  };
}

async function main(): Promise<void> {
  const parent = parentPort;
  assert(parent !== null, 'this file is the entry of a worker thread');
  const tell = (message: FromClinicThread): void => parent.postMessage(message);
  let running: RunningClinic;
  try {
    running = await start(workerData as ClinicThreadOptions);
  } catch (error) {
    // The border of the thread: the main thread says it to a person.
    tell({
      kind: 'failed',
      error: toPlainError(toStorageError(error)),
      stack: error instanceof Error ? error.stack : undefined,
    });
    return;
  }
  parent.on('message', (message: ToClinicThread) => {
    if (message.kind === 'connect') running.connect(message.port, message.role, message.session);
    else {
      void running.close().finally(() => {
        tell({ kind: 'stopped' });
        parent.close();
        // Nothing may keep the thread alive once the folder is closed.
        process.exit(0);
      });
    }
  });
  tell({
    kind: 'ready',
    serviceUrl: running.serviceUrl,
    fingerprint: running.fingerprint,
    desk: running.desk,
  });
}

void main();
