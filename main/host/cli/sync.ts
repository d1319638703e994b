// `isoline sync`: sends what is due to the central services without a window, once or until it is told to
// stop.

import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import type { ConnectionView, SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { SYNC_LISTS, type SyncList } from '../../../shared/sync-state.ts';
import { startWorkstation } from '../workstation.ts';
import { type Command, parseOverrides, print, usageError, warn } from './command.ts';
import { troubleText } from './trouble-text.ts';
import { untilSignal } from './until-signal.ts';

const LOOK_MS = 150;
const MOST_ITEMS = 500;
const LISTS = Object.keys(SYNC_LISTS) as SyncList[];

/** Tells each item once for each state that it comes to. */
class Teller {
  readonly #told = new Map<number, string>();
  readonly #bridge: BridgeClient;
  readonly #isJson: boolean;

  constructor(bridge: BridgeClient, isJson: boolean) {
    this.#bridge = bridge;
    this.#isJson = isJson;
  }

  async look(): Promise<{ readonly connections: readonly ConnectionView[]; readonly isIdle: boolean }> {
    const overview = await this.#bridge.call('sync.overview', {});
    if (!this.#isJson) return overview;
    for (const { connectionId } of overview.connections)
      for (const list of LISTS) {
        const { items } = await this.#bridge.call('sync.items', { connectionId, list, limit: MOST_ITEMS });
        for (const item of items) this.#tell(connectionId, item);
      }
    return overview;
  }

  #tell(connectionId: number, { itemId, taskId, state, cause, centralId }: SyncItemView): void {
    if (this.#told.get(itemId) === state) return;
    this.#told.set(itemId, state);
    print(
      JSON.stringify({ centre: connectionId, item: itemId, task: taskId, state, cause, central: centralId }),
    );
  }
}

const summary = ({ label, waiting, held, atCentre, toDecide, done }: ConnectionView): string =>
  `${label}: ${done} done, ${atCentre} wait for their report, ${waiting} still to send, ${held} not ready, ${toDecide} need a decision`;

/** @throws IsolineError where something waits that could not be sent */
function conclude(connections: readonly ConnectionView[]): void {
  for (const { label, kind, stop, trouble, waiting } of connections) {
    if (stop === 'token')
      throw new IsolineError(
        'centre_refused',
        `"${label}" refuses the token. Nothing is lost; enter another token.`,
      );
    if (stop !== undefined)
      throw new IsolineError(
        'centre_refused',
        `Sending to "${label}" is stopped. Nothing is lost; look at the screen "Sync".`,
      );
    if (waiting > 0)
      throw new IsolineError(
        'centre_silent',
        trouble === undefined
          ? `"${label}": ${waiting} could not be sent now. The screen "Sync" and the log say why; "isoline sync" tries again.`
          : `"${label}": ${troubleText(kind, trouble)}. ${waiting} wait; nothing is lost.`,
      );
  }
}

export const syncCommand: Command = {
  name: 'sync',
  usage: '--data-dir D --once|--watch [--json -]',
  options: {
    'data-dir': { value: 'D', meaning: 'The data folder; it must not be open elsewhere.' },
    once: { meaning: 'Send what is due, then exit.' },
    watch: { meaning: 'Keep running until interrupted.' },
    json: { value: '-', meaning: 'Write a JSON line to stdout for each step of each recording.' },
    set: { value: 'KEY=VALUE', isRepeatable: true, meaning: 'Override a setting for this run.' },
  },
  positionals: [0, 0],
  outlivesItsReader: true,
  async run(args) {
    const json = args.text('json');
    if (json !== undefined && json !== '-') throw usageError('--json takes - alone.', syncCommand);
    if (args.isOn('once') === args.isOn('watch')) throw usageError('Say --once or --watch.', syncCommand);
    const ended = { is: false };
    void untilSignal().then(() => {
      ended.is = true;
    });
    await using workstation = await startWorkstation({
      dataDir: resolve(args.required('data-dir')),
      host: '127.0.0.1',
      port: 0,
      overrides: parseOverrides(args.list('set'), syncCommand),
      onTrouble: warn,
    });
    const teller = new Teller(new BridgeClient(workstation.connect()), json !== undefined);
    let overview = await teller.look();
    if (overview.connections.length === 0)
      throw new IsolineError(
        'centre_not_found',
        'No connection has been added. "isoline central add" makes a central service known, "isoline connection add" any other.',
      );
    while (!ended.is && !(args.isOn('once') && overview.isIdle)) {
      await wait(LOOK_MS);
      overview = await teller.look();
    }
    if (json === undefined) for (const connection of overview.connections) print(summary(connection));
    if (args.isOn('once')) conclude(overview.connections);
  },
};
