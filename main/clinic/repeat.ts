// Work that is done again and again, with a pause behind each time, until it is given up; then the one under
// way is waited for.

/** @param work must not fail; it looks at the signal between its steps */
export function repeat(pauseMs: number, work: (signal: AbortSignal) => Promise<void>): AsyncDisposable {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> = Promise.resolve();
  const plan = (): void => {
    if (ended.signal.aborted) return;
    timer = setTimeout(() => {
      running = work(ended.signal).finally(plan);
    }, pauseMs).unref();
  };
  plan();
  return {
    async [Symbol.asyncDispose]() {
      ended.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
