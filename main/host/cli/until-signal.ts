// How programs that run until somebody ends them are ended.

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** So long the program may need to end in order; who insists after that ends it at once. */
const ENDING_MS = 20_000;

/** Ends on the signals that terminals and service managers send, also where they are sent more than once. */
export function untilSignal(): Promise<void> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const hear = (): void => {
    end();
    setTimeout(() => {
      for (const signal of SIGNALS) process.off(signal, hear);
    }, ENDING_MS).unref();
  };
  for (const signal of SIGNALS) process.on(signal, hear);
  return promise;
}
