// What comes from a running device outside of React's queries: samples for the strip, and what the live analysis says.

import { type RefObject, useEffect, useState } from 'react';
import { decodeSamples } from '../../../shared/bridge/sample-message.ts';
import type { LiveFindings } from '../../../shared/signal/live/live-findings.ts';
import { useBridge } from '../../bridge/use-bridge.tsx';
import { LiveStrip } from '../../trace/live-strip.ts';

export function useLiveStrip(canvas: RefObject<HTMLCanvasElement | null>, id: string, lead: number, simulatedText: string): void {
  const bridge = useBridge();
  useEffect(() => {
    if (canvas.current === null) return;
    const strip = new LiveStrip(canvas.current, simulatedText);
    strip.showLead(lead);
    const end = bridge.on('desk.samples', (message) => {
      const piece = message.id === id ? decodeSamples(message.bytes) : undefined;
      if (piece !== undefined) strip.add(piece);
    });
    return () => {
      end();
      strip.close();
    };
  }, [bridge, canvas, id, lead, simulatedText]);
}

/** Undefined until the device has said something; what is old goes with the device. */
export function useLiveFindings(id: string): LiveFindings | undefined {
  const bridge = useBridge();
  const [findings, setFindings] = useState<LiveFindings | undefined>();
  useEffect(() => {
    setFindings(undefined);
    return bridge.on('desk.live', (message) => {
      if (message.id === id) setFindings(message);
    });
  }, [bridge, id]);
  return findings;
}
