import { existsSync, readFileSync } from 'node:fs';

const STATUS = '/proc/self/status';

/** Most memory that this program ever held. Where Linux tells it, as `maxRSS` begins with what its parent held. */
export function peakMemoryBytes(): number {
  const ownKb = existsSync(STATUS)
    ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(STATUS, 'utf8'))?.[1]
    : undefined;
  return 1024 * (ownKb === undefined ? process.resourceUsage().maxRSS : Number(ownKb));
}
