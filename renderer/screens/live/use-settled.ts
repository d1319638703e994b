// A press that was meant for what stood in a place a moment ago: the second one of a double click on Record
// would stop it again, and one on Stop just as the time is over would put the patient away.

import { type MouseEvent, useRef } from 'react';

const SETTLE_MS = 600;

/** A place that never does anything else: a press on it counts from the first moment. */
const MEANT_AT_ONCE = '[data-meant-at-once]';

export interface Settled {
  /** Whether what the places do has stood long enough to be meant. */
  isSettled(): boolean;
  /** Stops clicks before they arrive; a key on a button that has the focus is no slip of the hand. */
  onClickCapture(event: MouseEvent): void;
}

/** @param phase changes when the places do something else */
export function useSettled(phase: string): Settled {
  const changed = useRef({ phase, atMs: Number.NEGATIVE_INFINITY });
  if (changed.current.phase !== phase) changed.current = { phase, atMs: performance.now() };
  const isSettled = (): boolean => performance.now() - changed.current.atMs >= SETTLE_MS;
  return {
    isSettled,
    onClickCapture(event) {
      const isSecondOfTwo = event.detail > 1;
      const isMeantAtOnce = event.target instanceof Element && event.target.closest(MEANT_AT_ONCE) !== null;
      if (isSecondOfTwo || (event.detail > 0 && !isMeantAtOnce && !isSettled())) event.stopPropagation();
    },
  };
}
