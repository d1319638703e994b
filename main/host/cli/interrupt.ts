// What has to be put away when somebody stops a command.

const cleanups = new Set<() => void>();
const EXIT_BY_SIGNAL = 130;

function stop(): void {
  for (const cleanup of cleanups) cleanup();
  process.exit(EXIT_BY_SIGNAL);
}

/** Calls `cleanup` when the program is interrupted before the returned object is disposed of. */
export function onInterrupt(cleanup: () => void): Disposable {
  if (cleanups.size === 0) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  cleanups.add(cleanup);
  return {
    [Symbol.dispose]() {
      cleanups.delete(cleanup);
      if (cleanups.size === 0) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    },
  };
}
