// Who may stay at a port that others connect to. Whoever has shown that it is known has room of its own; strangers share what
// is left, and among them the one that has said nothing for longest makes room for the next. So a network scanner, a
// program gone wild or an attacker takes room from its own kind, and no known device or program is turned away for it.

import type { Socket } from 'node:net';
import type { DoorName } from '../../shared/door-name.ts';

/** Connections at a time. */
export interface DoorBounds {
  readonly most: number;
  readonly mostPerAddress: number;
  /** The most connections of strangers, who have not shown that they are known. */
  readonly mostStrangers: number;
  readonly mostStrangersPerAddress: number;
  /** For so long a connection may say nothing at all. */
  readonly silentMs: number;
}

/** HTTP hangs up by itself on headers that take twenty seconds, and says so. */
const HTTP_SILENT_MS = 30_000;

/** Programs that use `/v3`: some open many connections at once (D100). */
export const SERVICE_BOUNDS: DoorBounds = {
  most: 512,
  mostPerAddress: 128,
  mostStrangers: 448,
  mostStrangersPerAddress: 128,
  silentMs: HTTP_SILENT_MS,
};

/** Pages: a browser opens six connections for the files of a page, and keeps one for the bridge. */
export const PAGE_BOUNDS: DoorBounds = {
  most: 192,
  mostPerAddress: 64,
  mostStrangers: 128,
  mostStrangersPerAddress: 32,
  silentMs: HTTP_SILENT_MS,
};

/** Other programs of a hospital: few, and some connect long before they have something to say. */
export const HOSPITAL_BOUNDS: DoorBounds = {
  most: 96,
  mostPerAddress: 32,
  mostStrangers: 64,
  mostStrangersPerAddress: 16,
  silentMs: 24 * 3_600_000,
};

/** Among equals, nobody makes room who has only just come: a handshake takes as long on a busy computer. */
const GRACE_MS = 1000;
/** A peer that was switched off, or left the network, is noticed. */
const ALIVE_MS = 60_000;

interface Guest {
  readonly key: string;
  readonly socket: Socket;
  readonly address: string;
  /** When it last said something, by the clock that only runs forward. */
  sinceMs: number;
  isKnown: boolean;
  isGone: boolean;
  readonly silence: ReturnType<typeof setTimeout>;
}

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

const IPV4_IN_IPV6 = /^::ffff:(?=\d+\.)/i;
const addressOf = ({ remoteAddress = '' }: Peer): string => remoteAddress.replace(IPV4_IN_IPV6, '');
/** The same for a socket and for the encrypted one over it. */
const keyOf = ({ remoteAddress, remotePort }: Peer): string => `${remoteAddress} ${remotePort}`;

export interface DoorOptions {
  readonly name: DoorName;
  readonly bounds: DoorBounds;
  /** Hears of each connection that was refused, or had to make room. */
  readonly onTurnedAway?: ((name: DoorName, address: string) => void) | undefined;
  /** Only runs forward. */
  readonly nowMs?: () => number;
}

export class Door {
  readonly #options: DoorOptions;
  readonly #nowMs: () => number;
  readonly #guests = new Map<string, Guest>();
  /** Strangers by address, the one that was silent for longest first. */
  readonly #strangers = new Map<string, Set<Guest>>();
  readonly #perAddress = new Map<string, number>();
  #strangerCount = 0;

  constructor(options: DoorOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** @returns false where there is no room: the socket is closed */
  admit(socket: Socket): boolean {
    // Gone again already, as after the look of a port scanner.
    if (socket.remoteAddress === undefined) {
      socket.destroy();
      return false;
    }
    const address = addressOf(socket);
    if (!this.#makeRoom(address)) {
      socket.destroy();
      this.#options.onTurnedAway?.(this.#options.name, address);
      return false;
    }
    const key = keyOf(socket);
    const guest: Guest = {
      key,
      socket,
      address,
      sinceMs: this.#nowMs(),
      isKnown: false,
      isGone: false,
      // A connection that says nothing is closed without a word: it is no sign of a crowd.
      silence: setTimeout(() => socket.destroy(), this.#options.bounds.silentMs),
    };
    guest.silence.unref();
    this.#guests.set(key, guest);
    this.#perAddress.set(address, (this.#perAddress.get(address) ?? 0) + 1);
    this.#addStranger(guest);
    socket.setKeepAlive(true, ALIVE_MS);
    socket.once('close', () => this.#leave(guest));
    return true;
  }

  /** It has said something that makes sense, as everybody may; it is still a stranger. */
  heard(peer: Peer): void {
    const guest = this.#guests.get(keyOf(peer));
    if (guest === undefined || guest.isKnown) return;
    clearTimeout(guest.silence);
    guest.sinceMs = this.#nowMs();
    // Behind those that were silent for longer.
    const same = this.#strangers.get(guest.address);
    same?.delete(guest);
    same?.add(guest);
  }

  /** It has shown that it is one of ours. */
  know(peer: Peer): void {
    const guest = this.#guests.get(keyOf(peer));
    if (guest === undefined || guest.isKnown) return;
    clearTimeout(guest.silence);
    this.#removeStranger(guest);
    guest.isKnown = true;
  }

  #makeRoom(address: string): boolean {
    const { most, mostPerAddress, mostStrangers, mostStrangersPerAddress } = this.#options.bounds;
    const own = this.#strangers.get(address);
    const isOwnFull =
      (this.#perAddress.get(address) ?? 0) >= mostPerAddress || (own?.size ?? 0) >= mostStrangersPerAddress;
    if (isOwnFull) return this.#turnOutOldest(own);
    if (this.#strangerCount < mostStrangers && this.#guests.size < most) return true;
    let crowd: Set<Guest> | undefined;
    for (const each of this.#strangers.values()) if (each.size > (crowd?.size ?? 0)) crowd = each;
    // An address with many makes room for one with few at once.
    return this.#turnOutOldest(crowd, (crowd?.size ?? 0) > (own?.size ?? 0) + 1 ? 0 : GRACE_MS);
  }

  #turnOutOldest(strangers: ReadonlySet<Guest> | undefined, graceMs = GRACE_MS): boolean {
    const [oldest] = strangers ?? [];
    if (oldest === undefined || this.#nowMs() - oldest.sinceMs < graceMs) return false;
    this.#turnOut(oldest);
    return true;
  }

  #turnOut(guest: Guest): void {
    this.#leave(guest);
    guest.socket.destroy();
    this.#options.onTurnedAway?.(this.#options.name, guest.address);
  }

  #leave(guest: Guest): void {
    if (guest.isGone) return;
    guest.isGone = true;
    clearTimeout(guest.silence);
    if (this.#guests.get(guest.key) === guest) this.#guests.delete(guest.key);
    const left = (this.#perAddress.get(guest.address) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(guest.address, left);
    else this.#perAddress.delete(guest.address);
    if (!guest.isKnown) this.#removeStranger(guest);
  }

  #addStranger(guest: Guest): void {
    const same = this.#strangers.get(guest.address) ?? new Set();
    this.#strangers.set(guest.address, same.add(guest));
    this.#strangerCount++;
  }

  #removeStranger(guest: Guest): void {
    const same = this.#strangers.get(guest.address);
    if (same?.delete(guest) !== true) return;
    this.#strangerCount--;
    if (same.size === 0) this.#strangers.delete(guest.address);
  }
}
