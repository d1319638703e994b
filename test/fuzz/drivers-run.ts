// `npm run test:fuzz:drivers`: 10 MB of noise and mutated bytes through every driver.

import { DRIVER_KINDS, fuzzDriver } from './fuzz-driver.ts';

const TOTAL_BYTES = 10 << 20;

for (const [driver, board, variant] of DRIVER_KINDS) {
  const startMs = performance.now();
  const found = fuzzDriver(driver, board, variant, TOTAL_BYTES, 1);
  const seconds = (performance.now() - startMs) / 1000;
  process.stdout.write(
    `${`${driver} ${board}`.padEnd(32)} ${(found.bytes / 2 ** 20).toFixed(1)} MB, ${found.packets} packets, kept ${found.keptBytes >> 10} KB, heap ${found.heapGrowthMb.toFixed(1)} MB more, ${seconds.toFixed(1)} s\n`,
  );
}
