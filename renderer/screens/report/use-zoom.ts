// How large the pages of a report are shown: to the window, or in percent of their true size.

import { type RefObject, useEffect, useState } from 'react';
import { useCalibration } from '../../trace/calibration.ts';

const MM_PER_POINT = 25.4 / 72;
const PAGE_MARGIN_PX = 48;
const PERCENTS = [25, 50, 75, 100, 125, 150, 200, 300, 400] as const;

/** `page` and `width` fit it to the window. */
export type Zoom = 'page' | 'width' | number;

export interface ShownZoom {
  readonly zoom: Zoom;
  /** CSS pixels a point. */
  readonly scale: number;
  /** The zoom as a share of true size where the screen is calibrated, else of what the system takes for it. */
  readonly percent: number;
  setZoom(zoom: Zoom): void;
  larger(): void;
  smaller(): void;
}

interface PageSize {
  readonly widthPt: number;
  readonly heightPt: number;
}

export function useZoom(area: RefObject<HTMLElement | null>, { widthPt, heightPt }: PageSize): ShownZoom {
  const { pxPerMm } = useCalibration();
  const [zoom, setZoom] = useState<Zoom>('page');
  const [fit, setFit] = useState({ page: 1, width: 1 });
  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    const measure = (): void => {
      const width = Math.max(0.2, (element.clientWidth - PAGE_MARGIN_PX) / widthPt);
      const height = Math.max(0.2, (element.clientHeight - PAGE_MARGIN_PX) / heightPt);
      setFit({ width, page: Math.min(width, height) });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [area, widthPt, heightPt]);
  const trueScale = pxPerMm * MM_PER_POINT;
  const scale = typeof zoom === 'number' ? (zoom / 100) * trueScale : fit[zoom];
  const percent = (100 * scale) / trueScale;
  const next = (isFurther: (each: number) => boolean, from: readonly number[]): void =>
    setZoom(from.find(isFurther) ?? (from.at(-1) as number));
  return {
    zoom,
    scale,
    percent,
    setZoom,
    larger: () => next((each) => each > percent + 0.5, PERCENTS),
    smaller: () => next((each) => each < percent - 0.5, PERCENTS.toReversed()),
  };
}
