// Which requests were written to a socket, as undici itself tells it. A request that was not is not done,
// whatever error it ended with; one that was may have been done, whatever error it ended with (reference,
// 5.4). Error codes do not tell.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'undici:client:sendHeaders';
/** Sent with every request, and of no meaning to anybody else. */
export const REQUEST_HEADER = 'x-request-id';

export class SentRequests implements Disposable {
  readonly #sent = new Set<string>();
  readonly #prefix: string;
  #next = 0;

  /** @param prefix tells the requests of this one from those of others in the same program */
  constructor(prefix: string) {
    this.#prefix = prefix;
    subscribe(CHANNEL, this.#note);
  }

  #note = (message: unknown): void => {
    const { headers } = message as { readonly headers?: unknown };
    const id =
      typeof headers === 'string'
        ? new RegExp(`^${REQUEST_HEADER}: (${this.#prefix}-\\d+)\\r?$`, 'im').exec(headers)?.[1]
        : undefined;
    if (id !== undefined) this.#sent.add(id);
  };

  newId(): string {
    return `${this.#prefix}-${this.#next++}`;
  }

  /** Told once. */
  wasSent(id: string): boolean {
    return this.#sent.delete(id);
  }

  [Symbol.dispose](): void {
    unsubscribe(CHANNEL, this.#note);
  }
}
