// Tells the workstation that somebody is there, and forgets what was shown when nobody is any more (SEC52).
// The workstation decides; a page that tells nothing is signed out.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useBridge } from './use-bridge.tsx';

const TOUCH_EVERY_MS = 15_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** Holds nothing of a patient, or what the lock screen shows. */
const KEPT: ReadonlySet<unknown> = new Set(['session.get', 'workstation.about', 'desk.list']);

export function useIdleLock(isLocked: boolean): void {
  const bridge = useBridge();
  const queries = useQueryClient();
  useEffect(() => {
    if (isLocked) {
      queries.removeQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
      return;
    }
    let toldMs = Number.NEGATIVE_INFINITY;
    const tell = (): void => {
      if (performance.now() - toldMs < TOUCH_EVERY_MS) return;
      toldMs = performance.now();
      bridge.call('session.touch', {}).catch(() => undefined);
    };
    for (const sign of SIGNS) addEventListener(sign, tell, { passive: true, capture: true });
    return () => {
      for (const sign of SIGNS) removeEventListener(sign, tell, { capture: true });
    };
  }, [bridge, queries, isLocked]);
}
