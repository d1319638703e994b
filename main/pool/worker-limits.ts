// What a worker of the pool may take of the machine's memory.

import type { ResourceLimits } from 'node:worker_threads';

/**
 * An analysis makes much garbage and keeps little. With a young generation as large as it likes, a day of twelve leads
 * takes a third more memory, and is no faster (`npm run bench:analysis`).
 */
export const WORKER_LIMITS: ResourceLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 8 };
