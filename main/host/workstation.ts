// The workstation of one data folder as the doors see it: bridges to its clinic thread. Runs on the main thread
// and never touches the disk.

import { randomUUID } from 'node:crypto';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { BridgePort } from '../../shared/bridge/messages.ts';
import { overMessagePort } from '../bridge/message-port.ts';
import type { DeskSettings } from '../device/desk.ts';
import { workerUrl } from '../product/product.ts';
import { type HostParts, KeptThread, type OnTrouble, type OpenThread, threadOf } from './kept-thread.ts';
import type { BridgeRole } from './page-bridges.ts';
import type { ClinicOptions } from './running-clinic.ts';

export interface WorkstationOptions
  extends Omit<ClinicOptions, 'isDemo' | 'overrides' | 'host' | 'sealPort' | 'installerPort'>,
    HostParts {
  /** Overrides the setting. */
  readonly host?: string;
  readonly overrides?: ClinicOptions['overrides'];
  readonly isDemo?: boolean;
  /** Another clinic thread than that of this build. */
  readonly openThread?: OpenThread;
  /** Hears of a clinic thread that died and was started again, or of one that could not be. */
  readonly onTrouble?: OnTrouble;
}

export interface Workstation extends AsyncDisposable {
  readonly serviceUrl: string;
  /** SHA-256 of the service's certificate, where it has one. */
  readonly fingerprint: string | undefined;
  readonly deskSettings: DeskSettings;
  /**
   * A new bridge connection to the clinic. It closes when the clinic thread dies; the caller then connects
   * again.
   * @param session tells pages apart: who is signed in at one is so there alone.
   * @param seatId of a page on another computer or tablet
   */
  connect(role?: BridgeRole, session?: string, seatId?: number): BridgePort;
  /** Ends the clinic thread as a fault would: for tests of what happens then. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

export async function startWorkstation({
  onTrouble = () => undefined,
  openThread = threadOf(workerUrl('host/clinic-thread')),
  seal,
  installer,
  ...options
}: WorkstationOptions): Promise<Workstation> {
  // Whatever is written from here on is the data of patients (SEC62). Threads take this over from the
  // process.
  process.umask(0o077);
  const clinicOptions: ClinicOptions = { overrides: [], isDemo: false, host: undefined, ...options };
  const thread = await KeptThread.start(
    openThread,
    clinicOptions,
    { ...(seal !== undefined && { seal }), ...(installer !== undefined && { installer }) },
    onTrouble,
  );
  return {
    serviceUrl: thread.serviceUrl,
    fingerprint: thread.fingerprint,
    deskSettings: thread.desk,
    connect(role = 'page', session = randomUUID(), seatId?: number) {
      const { port1, port2 } = new MessageChannel();
      thread.connect(port2, role, session, seatId);
      return overMessagePort(port1 satisfies MessagePort);
    },
    crash: () => thread.crash(),
    close: () => thread.close(),
    [Symbol.asyncDispose]: () => thread.close(),
  };
}

/** Joins two ports: what comes in on one goes out on the other, and both end together. */
export function joinPorts(a: BridgePort, b: BridgePort): void {
  a.onMessage((message) => b.post(message));
  b.onMessage((message) => a.post(message));
  a.onClose(() => b.close());
  b.onClose(() => a.close());
}
