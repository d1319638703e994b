// Finds the bridge of this window: the one that Electron's preload put there, or a WebSocket to the browser
// host. The screens can't tell them apart.

import { decode, encode } from '@msgpack/msgpack';
import { BridgeClient } from '../../shared/bridge/client.ts';
import type { Bridge } from '../../shared/bridge/contract.ts';
import type { BridgePort } from '../../shared/bridge/messages.ts';
import { bridgeFromPage, type PageBridge, protocolsWith } from '../../shared/bridge/page.ts';

declare global {
  interface Window {
    /** Put there by preload/ in Electron. */
    readonly isoline?: PageBridge;
  }
}

function overWebSocket(socket: WebSocket): BridgePort {
  socket.binaryType = 'arraybuffer';
  return {
    post: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(encode(message, { ignoreUndefined: true }));
    },
    onMessage: (listener) =>
      socket.addEventListener('message', (event: MessageEvent<ArrayBuffer>) => listener(decode(event.data))),
    onClose: (listener) => socket.addEventListener('close', () => listener()),
    close: () => socket.close(),
  };
}

/** Only pages of this very address can read it; other ports of this computer cannot. */
const SECRET_KEPT_UNDER = 'isoline.secret';

/** Seats come by TLS, and the workstation's own pages never do. */
export const isSeatPage = location.protocol === 'https:';

/** The fingerprint of the certificate that a seat was added with, for people to compare. */
const FINGERPRINT_KEPT_UNDER = 'isoline.fingerprint';

/** As the workstation's screen shows it: pairs of digits. Undefined at the workstation itself. */
export const seatFingerprint = (): string | undefined =>
  localStorage.getItem(FINGERPRINT_KEPT_UNDER)?.match(/../g)?.join(':');

/**
 * The one-time key in the address becomes the secret of this workstation's pages, and vanishes from the
 * address.
 */
async function exchangeKey(): Promise<void> {
  const [, key, fingerprint] = /^#key=([\w-]+)(?:&fingerprint=([0-9A-F]{64}))?$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(null, '', location.pathname);
  const answer = await fetch('./session', { method: 'POST', body: key });
  if (!answer.ok) return;
  localStorage.setItem(SECRET_KEPT_UNDER, await answer.text());
  if (fingerprint !== undefined) localStorage.setItem(FINGERPRINT_KEPT_UNDER, fingerprint);
}

function openSocket(): Promise<WebSocket> {
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket>();
  const secret = localStorage.getItem(SECRET_KEPT_UNDER) ?? '';
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/bridge`, protocolsWith(secret));
  socket.addEventListener('open', () => resolve(socket), { once: true });
  socket.addEventListener('error', () => reject(new Error('refused')), { once: true });
  return promise;
}

export interface Connection {
  readonly bridge: Bridge;
  /** Called when the connection is lost for good: connect again. */
  onLost(listener: () => void): void;
}

/**
 * @throws when the workstation refuses: the link was used already or has expired, or the program is closed.
 */
export async function connectBridge(): Promise<Connection> {
  if (window.isoline !== undefined)
    return { bridge: bridgeFromPage(window.isoline), onLost: () => undefined };
  await exchangeKey();
  const socket = await openSocket();
  return {
    bridge: new BridgeClient(overWebSocket(socket)),
    onLost: (listener) => socket.addEventListener('close', () => listener(), { once: true }),
  };
}
