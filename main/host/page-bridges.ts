// The bridges of this clinic thread: one for each page, one for the recorder. Events go to all of them.

import type { MessagePort } from 'node:worker_threads';
import type { EventName, EventPayload } from '../../shared/bridge/contract.ts';
import { BridgeServer } from '../../shared/bridge/server.ts';
import { overMessagePort } from '../bridge/message-port.ts';
import type { Log } from '../clinic/ports.ts';

/** Who is on the other end: a page, or the recorder on the main thread. */
export type BridgeRole = 'page' | 'recorder';

export class PageBridges {
  readonly #open = new Set<BridgeServer>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  readonly publish = <K extends EventName>(name: K, payload: EventPayload<K>): void => {
    for (const bridge of this.#open) bridge.publish(name, payload);
  };

  connect(
    port: MessagePort,
    handlers: ConstructorParameters<typeof BridgeServer>[1],
    onClosed: () => void,
  ): void {
    const transport = overMessagePort(port);
    const bridge = new BridgeServer(transport, handlers, (error) =>
      this.#log('bridge.fault', {
        stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    this.#open.add(bridge);
    transport.onClose(() => {
      this.#open.delete(bridge);
      onClosed();
    });
  }
}
