// What the live analysis says of a running device, for the screens.

import { useEffect, useState } from 'react';
import type { LiveFindings } from '../../shared/signal/live/live-findings.ts';
import { useBridge } from './use-bridge.tsx';

/** Nobody reads faster. */
const SHOWN_EVERY_MS = 250;

/** Undefined until the device has said something; what is old goes with the device. */
export function useLiveFindings(id: string | undefined): LiveFindings | undefined {
  const bridge = useBridge();
  const [findings, setFindings] = useState<LiveFindings | undefined>();
  useEffect(() => {
    setFindings(undefined);
    let shownMs = 0;
    return bridge.on('desk.live', (message) => {
      if (message.id !== id || performance.now() - shownMs < SHOWN_EVERY_MS) return;
      shownMs = performance.now();
      setFindings(message);
    });
  }, [bridge, id]);
  return findings;
}
