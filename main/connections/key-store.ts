// The key store of the system, which only the main thread of some hosts can reach, for the clinic thread that
// keeps the tokens.

import { MessageChannel, type MessagePort } from 'node:worker_threads';

export interface Unsealed {
  readonly text: string;
  /** It was locked with a key that is going out of use: lock it again. */
  readonly isStale: boolean;
}

export interface Seal {
  seal(text: string): Promise<Uint8Array>;
  unseal(bytes: Uint8Array): Promise<Unsealed>;
}

type Question = { readonly id: number } & (
  | { readonly kind: 'seal'; readonly text: string }
  | { readonly kind: 'unseal'; readonly bytes: Uint8Array }
);
type Reply = { readonly id: number; readonly bytes?: Uint8Array; readonly unsealed?: Unsealed };

/** @returns the end for the other thread, to be handed over with its start */
export function offerSeal(seal: Seal): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const answer = async (question: Question): Promise<Reply> => {
    const { id } = question;
    if (question.kind === 'seal') return { id, bytes: await seal.seal(question.text) };
    return { id, unsealed: await seal.unseal(question.bytes) };
  };
  port1.on('message', (question: Question) => {
    // What the key store does not give is no answer: why is its own matter, and may quote what it was given.
    answer(question).then(
      (reply) => port1.postMessage(reply),
      () => port1.postMessage({ id: question.id } satisfies Reply),
    );
  });
  port1.unref();
  return port2;
}

/** The key store as the clinic thread sees it. */
export function sealBehind(port: MessagePort): Seal {
  const waiting = new Map<number, (reply: Reply) => void>();
  let nextId = 1;
  port.on('message', (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  port.unref();
  type Asked =
    | { readonly kind: 'seal'; readonly text: string }
    | { readonly kind: 'unseal'; readonly bytes: Uint8Array };
  const ask = (question: Asked): Promise<Reply> => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const id = nextId++;
    waiting.set(id, resolve);
    port.postMessage({ ...question, id });
    return promise;
  };
  const orRefuse = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the key store of the system does not answer');
    return value;
  };
  return {
    seal: async (text) => orRefuse((await ask({ kind: 'seal', text })).bytes),
    unseal: async (bytes) => orRefuse((await ask({ kind: 'unseal', bytes })).unsealed),
  };
}
