// The browser host: the same workstation in an ordinary browser on this computer, and on no other. A one-time link opens it.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BridgePort } from '../../../shared/bridge/messages.ts';
import { closeServer, listenOn, PageDoor } from '../page/page-door.ts';
import type { PageFiles } from '../page/renderer-files.ts';

const LINK_LIFE_MS = 60_000;
/** A browser holds at most 180 cookies of 4 KiB for a host. */
const MAX_HEADER_BYTES = 1 << 20;

export interface BrowserHost extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** An address that opens the workstation once, within a minute. */
  newLink(): string;
  close(): Promise<void>;
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Keys of links that were given out and not used. */
class OneTimeLinks {
  readonly #links: { hash: Buffer; madeMs: number }[] = [];

  make(): string {
    const key = randomBytes(32).toString('base64url');
    this.#links.push({ hash: hashOf(key), madeMs: performance.now() });
    return key;
  }

  /** True once for a key that is not too old. */
  use(key: string): boolean {
    const now = performance.now();
    const hash = hashOf(key);
    const index = this.#links.findIndex(
      (link) => now - link.madeMs < LINK_LIFE_MS && timingSafeEqual(link.hash, hash),
    );
    if (index < 0) return false;
    this.#links.splice(index, 1);
    return true;
  }
}

/** @param connect gives each page its bridge. */
export async function startBrowserHost(
  connect: () => BridgePort | Promise<BridgePort>,
  pages: PageFiles,
  port = 0,
): Promise<BrowserHost> {
  const links = new OneTimeLinks();
  /** Hashes of secrets. */
  const sessions = new Set<string>();
  // Other programs can fill the jar of 127.0.0.1 with cookies, which the browser then sends here: they are
  // room that is taken, no more.
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, connectionsCheckingInterval: 1000 });
  const host = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const door = new PageDoor(pages, {
    originOf: (asked) => (asked === host() ? `http://${asked}` : undefined),
    async exchange(key) {
      if (!links.use(key)) return undefined;
      const session = randomBytes(32).toString('base64url');
      sessions.add(hashOf(session).toString('hex'));
      return session;
    },
    admit: async (secret) => (sessions.has(hashOf(secret).toString('hex')) ? { connect } : undefined),
  });
  door.serve(server);
  await listenOn(server, port, '127.0.0.1');
  const url = `http://${host()}`;
  const close = async (): Promise<void> => {
    door[Symbol.dispose]();
    await closeServer(server);
  };
  return { url, newLink: () => `${url}/#key=${links.make()}`, close, [Symbol.asyncDispose]: close };
}
