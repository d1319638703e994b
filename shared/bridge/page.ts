// Between Electron's preload and the page stands a wall that lets values and functions through, but no abort
// signals and of an error only its message. So the preload answers with values, and the page makes a bridge
// of it again.

import { fromPlainError, type PlainError } from '../errors.ts';
import type { Bridge, CallInput, CallName, CallOutput, EventName, EventPayload } from './contract.ts';

/** What the page and the browser host speak; the page offers its secret beside it. */
export const BRIDGE_PROTOCOL = 'isoline.bridge';
const SECRET_PREFIX = 'secret.';

/** The protocols that a page offers when it opens its WebSocket. */
export const protocolsWith = (secret: string): string[] => [BRIDGE_PROTOCOL, `${SECRET_PREFIX}${secret}`];

/** @param header `Sec-WebSocket-Protocol` */
export function secretOf(header: string | undefined): string | undefined {
  const offered = (header ?? '').split(',').map((part) => part.trim());
  if (!offered.includes(BRIDGE_PROTOCOL)) return undefined;
  return offered.find((part) => part.startsWith(SECRET_PREFIX))?.slice(SECRET_PREFIX.length);
}

export type PageAnswer =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly error: PlainError };

/** What the preload puts into the page. */
export interface PageBridge {
  call(name: string, input: unknown): Promise<PageAnswer>;
  on(name: string, listener: (payload: unknown) => void): () => void;
}

export function bridgeFromPage(page: PageBridge): Bridge {
  return {
    async call<K extends CallName>(
      name: K,
      input: CallInput<K>,
      signal?: AbortSignal,
    ): Promise<CallOutput<K>> {
      const answer = await page.call(name, input);
      // The workstation finishes what was begun; nobody waits for it any more.
      signal?.throwIfAborted();
      if (!answer.ok) throw fromPlainError(answer.error);
      return answer.output as CallOutput<K>;
    },
    on: <K extends EventName>(name: K, listener: (payload: EventPayload<K>) => void) =>
      page.on(name, listener as (payload: unknown) => void),
  };
}
