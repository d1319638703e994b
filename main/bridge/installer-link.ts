// The host that can replace the program, for the clinic thread that decides when: both ends of the bridge between
// them.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { BridgeClient } from '../../shared/bridge/client.ts';
import type { InstallerCall } from '../../shared/bridge/contract.ts';
import { BridgeServer, type HandlersOf } from '../../shared/bridge/server.ts';
import { given } from '../../shared/given.ts';
import type { Installer } from '../clinic/ports.ts';
import { overMessagePort } from './message-port.ts';

export interface HostInstaller extends Installer {
  /** As the host reaches the network. @throws IsolineError `update_unreachable` */
  read(url: string, maxBytes: number): Promise<Uint8Array>;
}

/** @returns the end for the other thread, to be handed over with its start */
export function offerInstaller(installer: HostInstaller, onFault: (error: unknown) => void): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const handlers: HandlersOf<InstallerCall> = {
    'installer.read': async ({ url, maxBytes }) => ({ bytes: await installer.read(url, maxBytes) }),
    'installer.look': async ({ url }) => {
      const offered = await installer.look(url);
      return given({ offered: offered && { version: offered.version, files: [...offered.files] } });
    },
    'installer.fetch': async () => ({
      path: await installer.fetch((done, of) => server.publish('installer.progress', { done, of })),
    }),
    'installer.install': async () => {
      await installer.install();
      return {};
    },
  };
  const server = new BridgeServer(overMessagePort(port1), handlers, onFault);
  // Alone it keeps no program alive.
  port1.unref();
  return port2;
}

export function installerBehind(port: MessagePort): HostInstaller {
  const bridge = new BridgeClient(overMessagePort(port));
  port.unref();
  return {
    read: async (url, maxBytes) => (await bridge.call('installer.read', { url, maxBytes })).bytes,
    look: async (url) => (await bridge.call('installer.look', { url })).offered,
    async fetch(onProgress) {
      const end = bridge.on('installer.progress', ({ done, of }) => onProgress(done, of));
      try {
        return (await bridge.call('installer.fetch', {})).path;
      } finally {
        end();
      }
    },
    async install() {
      await bridge.call('installer.install', {});
    },
  };
}
