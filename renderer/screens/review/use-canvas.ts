// A canvas that fills its box in pixels of the display, and is drawn again when that changes.

import { type RefObject, useEffect, useRef, useState } from 'react';

export interface CanvasBox {
  /** In pixels of the display. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly ratio: number;
}

export function useCanvas(): {
  ref: RefObject<HTMLCanvasElement | null>;
  box: CanvasBox | undefined;
} {
  const ref = useRef<HTMLCanvasElement>(null);
  const [box, setBox] = useState<CanvasBox>();
  useEffect(() => {
    const canvas = ref.current;
    if (canvas === null) return;
    const measure = (): void => {
      const ratio = devicePixelRatio;
      const [widthPx, heightPx] = [
        Math.round(canvas.clientWidth * ratio),
        Math.round(canvas.clientHeight * ratio),
      ];
      if (widthPx === 0 || heightPx === 0) return;
      canvas.width = widthPx;
      canvas.height = heightPx;
      setBox({ widthPx, heightPx, ratio });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(canvas);
    return () => observer.disconnect();
  }, []);
  return { ref, box };
}
