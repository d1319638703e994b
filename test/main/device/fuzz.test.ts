import { expect, test } from 'vitest';
import { DRIVER_KINDS, fuzzDriver } from '../../fuzz/fuzz-driver.ts';

/** The long one is `npm run test:fuzz:drivers`. */
const SHORT_BYTES = 1 << 19;
/** Room for a piece of 65,536 bytes and the samples that it can hold. */
const MOST_KEPT_BYTES = 2 << 20;

test.each(DRIVER_KINDS)(
  '%s, %s, survives noise and mutated bytes in little memory',
  (driver, board, variant) => {
    const found = fuzzDriver(driver, board, variant, SHORT_BYTES, 42);
    expect(found.packets).toBeGreaterThan(0);
    expect(found.keptBytes).toBeLessThan(MOST_KEPT_BYTES);
  },
);
