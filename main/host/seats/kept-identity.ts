// The certificate by which seats know this computer.

import { SETTING_KEYS, type Settings } from '../../../shared/settings.ts';
import type { SeatIdentity } from '../../bridge/handlers/seats.ts';
import { type OwnFiles, type TlsIdentity, tlsIdentity } from '../../service/tls-identity.ts';

const IDENTITY_MS = 10 * 60_000;

/**
 * One at a time: two at once would each make a pair, and leave the key of one beside the certificate of the
 * other. Kept for a while: each new one closes the door, and is strange to every browser.
 */
export function keptIdentity(own: OwnFiles, settings: () => Settings): SeatIdentity {
  let kept:
    | { readonly key: string; readonly untilMs: number; readonly identity: Promise<TlsIdentity> }
    | undefined;
  return () => {
    const now = settings();
    const host = now['seats.host'];
    const key = JSON.stringify([
      host,
      ...SETTING_KEYS.filter((each) => each.startsWith('service.')).map((each) => now[each]),
    ]);
    if (kept?.key === key && performance.now() < kept.untilMs) return kept.identity;
    const before = kept?.identity.catch(() => undefined) ?? Promise.resolve();
    const identity = before.then(() => tlsIdentity(own, host, now));
    kept = { key, untilMs: performance.now() + IDENTITY_MS, identity };
    identity.catch(() => {
      if (kept?.identity === identity) kept = { ...kept, untilMs: 0 };
    });
    return identity;
  };
}
