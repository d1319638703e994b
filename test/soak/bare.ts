// A program that does nothing but wait, beside the one under soak: what its main thread feels is the
// machine's doing.

import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.once('SIGTERM', () => {
  delay.disable();
  const milliseconds = (nanoseconds: number): number => Math.round(nanoseconds / 1e4) / 100;
  process.stdout.write(
    `${JSON.stringify({ p99Ms: milliseconds(delay.percentile(99)), maxMs: milliseconds(delay.max) })}\n`,
  );
  process.exit(0);
});
setInterval(() => undefined, 60_000);
