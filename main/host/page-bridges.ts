// The bridges of this clinic thread: one for each page, one for the recorder. Events go to all of them; news of
// tasks go together, once a turn of the loop, with the rows that each page may see.

import type { MessagePort } from 'node:worker_threads';
import type { EventName, EventPayload } from '../../shared/bridge/contract.ts';
import { BridgeServer, type Handlers } from '../../shared/bridge/server.ts';
import type { TaskRow } from '../../shared/bridge/views.ts';
import { overMessagePort } from '../bridge/message-port.ts';
import type { Log } from '../clinic/ports.ts';

/** Who is on the other end: a page, or, on the main thread, the recorder or the door to the seats. */
export type BridgeRole = 'page' | 'recorder' | 'seatDoor';

/** What one end of a bridge gets. */
export interface BridgeEnd {
  readonly handlers: Handlers;
  /** The rows of tasks that have changed: none where this end may not see them. */
  rowsOf(taskIds: readonly number[]): readonly TaskRow[];
  /** Whether this end may be told at all. */
  mayHear(name: EventName): boolean;
  onClosed(): void;
}

/** More at once are not told one by one: pages then ask again for what they show. */
const MOST_TOLD = 50;

export class PageBridges {
  readonly #open = new Map<BridgeServer, BridgeEnd>();
  readonly #log: Log;
  #changed: Set<number | undefined> | undefined;
  #isClosed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  readonly publish = <K extends EventName>(name: K, payload: EventPayload<K>): void => {
    if (name === 'task.changed') this.#note((payload as EventPayload<'task.changed'>).taskId);
    else for (const [bridge, end] of this.#open) if (end.mayHear(name)) bridge.publish(name, payload);
  };

  /** One change often comes as several. */
  #note(taskId: number | undefined): void {
    if (this.#changed === undefined) {
      this.#changed = new Set();
      setImmediate(() => this.#tell());
    }
    this.#changed.add(taskId);
  }

  #tell(): void {
    const changed = this.#changed ?? new Set();
    this.#changed = undefined;
    const taskIds = [...changed].filter((taskId) => taskId !== undefined);
    const isAny = changed.has(undefined) || taskIds.length > MOST_TOLD;
    for (const [bridge, end] of this.#open)
      if (bridge.isHeard('task.changed') && end.mayHear('task.changed')) {
        if (isAny) bridge.publish('task.changed', {});
        else PageBridges.#tellEach(bridge, taskIds, this.#rowsFor(end, taskIds));
      }
  }

  /** Nobody waits for these: where they cannot be read, the pages are told by number, and ask. */
  #rowsFor(end: BridgeEnd, taskIds: readonly number[]): readonly TaskRow[] {
    try {
      return end.rowsOf(taskIds);
    } catch (error) {
      this.#noteFault(error);
      return [];
    }
  }

  #noteFault(error: unknown): void {
    this.#log('bridge.fault', {
      stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
  }

  static #tellEach(bridge: BridgeServer, taskIds: readonly number[], rows: readonly TaskRow[]): void {
    const rowOf = new Map(rows.map((row) => [row.taskId, row]));
    for (const taskId of taskIds) {
      const row = rowOf.get(taskId);
      bridge.publish('task.changed', { taskId, ...(row !== undefined && { row }) });
    }
  }

  /** Where the clinic has closed, the port is closed at once. */
  connect(port: MessagePort, end: BridgeEnd): void {
    if (this.#isClosed) {
      port.close();
      return;
    }
    const transport = overMessagePort(port);
    const bridge = new BridgeServer(transport, end.handlers, (error) => this.#noteFault(error));
    this.#open.set(bridge, end);
    transport.onClose(() => {
      // Once the clinic has closed, there is no store in which a leaving page could be noted.
      if (this.#open.delete(bridge)) end.onClosed();
    });
  }

  /** The clinic closes: nothing more is told, and nothing more is asked of it. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#open.clear();
  }
}
