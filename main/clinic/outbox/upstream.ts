// How the centre as a whole is: whether it answers, when it may be asked again, and why it is not asked at
// all (reference, 4.4; D120).

import type { ConnectionStop } from '../../../shared/sync-state.ts';
import type { Outcome } from './call.ts';

/** Failures in a row after which one call at a time finds out whether it is back. */
const OPEN_AFTER = 5;
const FIRST_MS = 1000;
const LONGEST_MS = 300_000;
const HOURLY_AFTER = 20;
const HOUR_MS = 3_600_000;
const LEAST_WAIT_MS = 1000;

export type Stop = ConnectionStop;

export interface Upstream {
  readonly stop: Stop | undefined;
  readonly failuresInRow: number;
  /** When the last one of them was counted. */
  readonly failedMs?: number;
  readonly notBeforeMs: number;
  /** Calls that were done. */
  readonly passed: number;
}

export const NEW_UPSTREAM: Upstream = { stop: undefined, failuresInRow: 0, notBeforeMs: 0, passed: 0 };

/** Only one call may be under way: nobody knows whether the centre is there. */
export const isDoubtful = ({ failuresInRow }: Upstream): boolean => failuresInRow >= OPEN_AFTER;

/** Full jitter: workstations of a clinic do not all come back in the same second. */
export function backOffMs(failures: number, random: () => number): number {
  const most = failures >= HOURLY_AFTER ? HOUR_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
  return Math.round(random() * most);
}

const waitOf = (ms: number): number => Math.min(HOUR_MS, Math.max(LEAST_WAIT_MS, ms));

export function afterOutcome(
  upstream: Upstream,
  outcome: Outcome,
  { nowMs, begunMs }: { readonly nowMs: number; readonly begunMs: number },
  random: () => number,
): Upstream {
  switch (outcome.kind) {
    case 'tokenRefused':
      return { ...upstream, stop: 'token' };
    case 'moved':
      return { ...upstream, stop: 'address' };
    case 'limited':
      // Asked to wait without a time it is asked less and less often.
      return {
        ...upstream,
        failuresInRow: upstream.failuresInRow + (outcome.waitMs === undefined ? 1 : 0),
        notBeforeMs: nowMs + waitOf(outcome.waitMs ?? backOffMs(upstream.failuresInRow + 1, random)),
      };
    case 'notDone':
    case 'unknown': {
      // Calls that were under way together when the network broke are one failure.
      const { failedMs = Number.NEGATIVE_INFINITY } = upstream;
      if (begunMs <= failedMs && failedMs <= nowMs) return upstream;
      const failed = { ...upstream, failuresInRow: upstream.failuresInRow + 1, failedMs: nowMs };
      return isDoubtful(failed)
        ? { ...failed, notBeforeMs: nowMs + backOffMs(failed.failuresInRow, random) }
        : failed;
    }
    default:
      return { ...upstream, failuresInRow: 0, passed: upstream.passed + (outcome.kind === 'done' ? 1 : 0) };
  }
}
