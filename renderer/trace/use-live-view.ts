// The live picture in React: an element becomes a view of a device's leads as long as it is on the page.

import { type RefObject, useEffect, useMemo, useRef } from 'react';
import type { DeskDevice } from '../../shared/bridge/views.ts';
import { leadName } from '../../shared/signal/lead.ts';
import type { DisplayFilter } from './display-filter.ts';
import { useSignalFeed } from './kept-signal.tsx';
import { LiveView, type Picture } from './live-view.ts';
import { type LeadOrder, type ShownLead, shownLeads } from './shown-leads.ts';

/** aVR stands on its head in Cabrera's series, and says so. */
const nameOf = ({ code, weightOne }: ShownLead, order: LeadOrder): string =>
  order === 'cabrera' && code === 'MDC_ECG_LEAD_AVR' && weightOne !== 1
    ? `−${leadName(code)}`
    : leadName(code);

export interface LiveViewOptions {
  readonly device: DeskDevice;
  readonly filter: DisplayFilter;
  readonly order?: LeadOrder;
  readonly picture: Omit<Picture, 'words'>;
  /** The word on a signal of nobody's. */
  readonly simulated: string;
  /** How long a gap is, in words; the same function as long as the language is the same. */
  missing(seconds: number, isMore: boolean): string;
}

/** @returns the names of the leads that are shown */
export function useLiveView(
  element: RefObject<HTMLElement | null>,
  options: LiveViewOptions,
): readonly string[] {
  const { device, filter, order = 'classic', picture, simulated, missing } = options;
  const view = useRef<LiveView | undefined>(undefined);
  const feed = useSignalFeed(device);
  const { isSimulated } = device;
  const measured = device.leads.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names in the list are what matters, not the list
  const names = useMemo(
    () => shownLeads(device.leads, order).map((lead) => nameOf(lead, order)),
    [measured, order],
  );

  useEffect(() => {
    if (element.current === null) return;
    view.current = new LiveView(element.current);
    return () => {
      view.current?.close();
      view.current = undefined;
    };
  }, [element]);

  const { name, mainsHz } = filter;
  useEffect(() => feed?.setFilter({ name, mainsHz }), [feed, name, mainsHz]);
  useEffect(() => feed?.setOrder(order), [feed, order]);
  useEffect(() => (view.current === undefined ? undefined : feed?.show(view.current)), [feed]);

  const { kind, lead, mode, speedMmPerS, gainMmPerMv, pxPerMm, isFrozen } = picture;
  useEffect(() => {
    const words = { leads: names, simulated: isSimulated ? simulated : undefined, missing };
    view.current?.showPicture({ kind, lead, mode, speedMmPerS, gainMmPerMv, pxPerMm, isFrozen, words });
  }, [kind, lead, mode, speedMmPerS, gainMmPerMv, pxPerMm, isFrozen, names, isSimulated, simulated, missing]);
  return names;
}
