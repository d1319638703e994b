// Ends a job that makes no progress. How long it takes in all is no reason: a day on a busy computer takes what it takes.

export interface ProgressWatch extends Disposable {
  /** Aborts when nothing was heard for too long. */
  readonly signal: AbortSignal;
  /** The job is a step further. */
  note(): void;
}

export function watchProgress(mostSilenceMs: number): ProgressWatch {
  const stalled = new AbortController();
  const giveUp = (): void => stalled.abort(new DOMException('no progress', 'TimeoutError'));
  let timer = setTimeout(giveUp, mostSilenceMs);
  return {
    signal: stalled.signal,
    note() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, mostSilenceMs);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
