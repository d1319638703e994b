// The door to the seats: other computers and tablets of the clinic open the same workstation in their browser, always by TLS. It
// opens, moves and closes as the settings say; which seats there are the clinic knows.

import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import type { CallInput, CallOutput } from '../../../shared/bridge/contract.ts';
import { type AttachDesk, joinPage } from '../page/page-bridge.ts';
import { closeServer, listenOn, PageDoor } from '../page/page-door.ts';
import type { PageFiles } from '../page/renderer-files.ts';
import type { Workstation } from '../workstation.ts';

const RECONNECT_MS = 500;
const HANDSHAKE_MS = 10_000;
const RETRY_MS = 5000;
const TELL_MS = 1000;
/** Browsers leave it out of an address. */
const USUAL_PORT = 443;

type Place = NonNullable<CallOutput<'door.state'>['place']>;

interface OpenDoor extends AsyncDisposable {
  readonly key: string;
  readonly port: number;
  readonly door: PageDoor;
  /** The computer may be known by other names than when the door was opened. */
  setNames(names: readonly string[]): void;
}

export interface SeatDoor extends AsyncDisposable {
  /** Undefined while it is closed. */
  readonly port: number | undefined;
}

const hostsOf = (names: readonly string[], port: number): ReadonlySet<string> =>
  new Set(
    [...names, 'localhost', '127.0.0.1', '::1'].flatMap((name) => {
      const host = (name.includes(':') ? `[${name}]` : name).toLowerCase();
      return port === USUAL_PORT ? [host, `${host}:${port}`] : [`${host}:${port}`];
    }),
  );

class KeptDoor implements SeatDoor {
  readonly #workstation: Workstation;
  readonly #attach: AttachDesk | Promise<AttachDesk>;
  readonly #pages: PageFiles;
  #clinic: BridgeClient | undefined;
  #open: OpenDoor | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #following: Promise<void> = Promise.resolve();
  #isEnded = false;
  #turnedAway = { address: '', count: 0 };

  constructor(workstation: Workstation, attach: AttachDesk | Promise<AttachDesk>, pages: PageFiles) {
    this.#workstation = workstation;
    this.#attach = attach;
    this.#pages = pages;
    this.#connect();
  }

  get port(): number | undefined {
    return this.#open?.port;
  }

  /** To the clinic thread, again and again where it dies. */
  #connect(): void {
    if (this.#isEnded) return;
    const bridge = this.#workstation.connect('seatDoor');
    const clinic = new BridgeClient(bridge);
    this.#clinic = clinic;
    bridge.onClose(() => void setTimeout(() => this.#connect(), RECONNECT_MS).unref());
    // Also who has an account: without any, seats stay closed.
    for (const event of ['seat.changed', 'session.changed'] as const)
      clinic.on(event, () => this.#follow(clinic));
    this.#follow(clinic);
  }

  #follow(clinic: BridgeClient): void {
    this.#following = this.#following
      .then(() => this.#followNow(clinic))
      // The clinic thread went away meanwhile: the next connection asks again.
      .catch(() => undefined);
  }

  async #followNow(clinic: BridgeClient): Promise<void> {
    if (this.#isEnded || clinic !== this.#clinic) return;
    const { place, seatIds } = await clinic.call('door.state', {});
    this.#open?.door.turnOut((seatId) => seatId === undefined || !seatIds.includes(seatId));
    await clinic.call('door.report', await this.#bring(place));
  }

  /** Opens, moves or closes the door. @returns how it is then */
  async #bring(place: Place | undefined): Promise<CallInput<'door.report'>> {
    clearTimeout(this.#retry);
    if (place === undefined) {
      await this.#close();
      return {};
    }
    const { names, ...rest } = place;
    const key = JSON.stringify(rest);
    try {
      if (this.#open?.key !== key) {
        await this.#close();
        this.#open = await this.#openAt(place, key);
      }
      this.#open.setNames(names);
      return { port: this.#open.port };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
      // Whoever has the port may leave it.
      this.#retry = setTimeout(() => this.#clinic && this.#follow(this.#clinic), RETRY_MS).unref();
      return { trouble: 'port' };
    }
  }

  async #openAt({ host, port, certificate, key: privateKey }: Place, key: string): Promise<OpenDoor> {
    const server: Server = createServer({
      cert: certificate,
      key: privateKey,
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_MS,
      connectionsCheckingInterval: 1000,
    });
    let hosts: ReadonlySet<string> = new Set();
    const door = new PageDoor(
      this.#pages,
      {
        originOf: (asked) => (hosts.has(asked?.toLowerCase() ?? '') ? `https://${asked}` : undefined),
        exchange: async (code) => (await this.#ask((clinic) => clinic.call('door.pair', { code })))?.secret,
        admit: async (secret) => {
          const seat = await this.#ask((clinic) => clinic.call('door.recognise', { secret }));
          return seat === undefined
            ? undefined
            : {
                owner: seat.seatId,
                connect: () => joinPage(this.#workstation, this.#attach, seat.seatId),
              };
        },
      },
      { name: 'seats', onTurnedAway: (_, address) => this.#noteTurnedAway(address) },
    );
    door.serve(server);
    // Whoever speaks no TLS is hung up on.
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    await listenOn(server, port, host);
    const { port: bound } = server.address() as AddressInfo;
    return {
      key,
      port: bound,
      door,
      setNames(names) {
        hosts = hostsOf(names, bound);
      },
      async [Symbol.asyncDispose]() {
        door[Symbol.dispose]();
        await closeServer(server);
      },
    };
  }

  /** The clinic is told no faster than somebody reads it. */
  #noteTurnedAway(address: string): void {
    const isFirst = this.#turnedAway.count === 0;
    this.#turnedAway = { address, count: this.#turnedAway.count + 1 };
    if (!isFirst) return;
    setTimeout(() => {
      const told = this.#turnedAway;
      this.#turnedAway = { address: '', count: 0 };
      void this.#ask((clinic) => clinic.call('door.turnedAway', told));
    }, TELL_MS).unref();
  }

  /** Undefined where the clinic refuses. */
  async #ask<T>(question: (clinic: BridgeClient) => Promise<T>): Promise<T | undefined> {
    return this.#clinic === undefined ? undefined : question(this.#clinic).catch(() => undefined);
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#retry);
    await this.#following;
    await this.#close();
  }
}

/** Keeps the door as the settings want it, until it is disposed of. */
export const keepSeatDoor = (
  workstation: Workstation,
  attach: AttachDesk | Promise<AttachDesk>,
  pages: PageFiles,
): SeatDoor => new KeptDoor(workstation, attach, pages);
