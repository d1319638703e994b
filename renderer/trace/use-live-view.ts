// The live picture in React: an element becomes a view of a device's leads as long as it is on the page.

import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { decodeSamples } from '../../shared/bridge/sample-message.ts';
import type { DeskDevice } from '../../shared/bridge/views.ts';
import { deadLeads } from '../../shared/signal/electrode.ts';
import { leadName } from '../../shared/signal/lead.ts';
import type { DisplayFilter } from '../../shared/signal/live/display-filter.ts';
import { type LeadOrder, type ShownLead, shownLeads } from '../../shared/signal/shown-leads.ts';
import { useBridge } from '../bridge/use-bridge.tsx';
import { LiveSignal } from './live-signal.ts';
import { LiveView, type Picture } from './live-view.ts';

/** aVR stands on its head in Cabrera's series, and says so. */
const nameOf = ({ code, weightOne }: ShownLead, order: LeadOrder): string =>
  order === 'cabrera' && code === 'MDC_ECG_LEAD_AVR' && weightOne !== 1 ? `−${leadName(code)}` : leadName(code);

export interface LiveViewOptions {
  readonly device: DeskDevice;
  readonly filter: DisplayFilter;
  readonly order?: LeadOrder;
  readonly picture: Omit<Picture, 'words'>;
  /** The word on a signal of nobody's. */
  readonly simulated: string;
  /** How long a gap is, in words; the same function as long as the language is the same. */
  missing(seconds: number): string;
}

/** @returns the names of the leads that are shown */
export function useLiveView(element: RefObject<HTMLElement | null>, options: LiveViewOptions): readonly string[] {
  const { device, filter, order = 'classic', picture, simulated, missing } = options;
  const bridge = useBridge();
  const view = useRef<LiveView | undefined>(undefined);
  const signal = useRef<LiveSignal | undefined>(undefined);
  const { id, rateHz, isSimulated, electrodesOff } = device;
  const measured = device.leads.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names in the list are what matters, not the list
  const names = useMemo(() => shownLeads(device.leads, order).map((lead) => nameOf(lead, order)), [measured, order]);

  useEffect(() => {
    if (element.current === null) return;
    view.current = new LiveView(element.current);
    return () => {
      view.current?.close();
      view.current = undefined;
    };
  }, [element]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a filter changes what is there, it begins nothing anew
  useEffect(() => {
    if (rateHz === undefined) return;
    const made = new LiveSignal({ rateHz, leadCodes: device.leads, filter, order });
    signal.current = made;
    view.current?.showSignal(made);
    const end = bridge.on('desk.samples', (message) => {
      const piece = message.id === id ? decodeSamples(message.bytes) : undefined;
      // Pieces of other leads come until the page knows of them.
      if (piece !== undefined && piece.rateHz === rateHz && piece.leads.length === device.leads.length) view.current?.add(piece);
    });
    const endPaces = bridge.on('desk.live', (message) => {
      if (message.id === id) view.current?.addPaces(message.paceSamples);
    });
    return () => {
      end();
      endPaces();
      signal.current = undefined;
    };
  }, [bridge, id, rateHz, measured, order, element]);

  const { name, mainsHz } = filter;
  useEffect(() => {
    signal.current?.setFilter({ name, mainsHz });
    view.current?.redraw();
  }, [name, mainsHz]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the names in the list are what matters, not the list
  useEffect(() => signal.current?.setDeadLeads(deadLeads(device.leads, electrodesOff)), [electrodesOff, measured, rateHz, order]);

  const { kind, lead, mode, speedMmPerS, gainMmPerMv, pxPerMm, isFrozen } = picture;
  useEffect(() => {
    const words = { leads: names, simulated: isSimulated ? simulated : undefined, missing };
    view.current?.showPicture({ kind, lead, mode, speedMmPerS, gainMmPerMv, pxPerMm, isFrozen, words });
  }, [kind, lead, mode, speedMmPerS, gainMmPerMv, pxPerMm, isFrozen, names, isSimulated, simulated, missing]);
  return names;
}
