// Which rows of a long list are in sight. All are equally high, so this is one division; a library for rows
// of any height looks at all 100,000 of them whenever their number changes, which costs a tenth of a second
// at every letter that is typed.

import { type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';

/** Rows above and below that are there before they are seen. */
const AROUND = 6;

export interface RowsInSight {
  readonly first: number;
  /** Behind the last, if there are so many. */
  readonly end: number;
  /** Scrolls as little as is needed to see a row. */
  show(index: number): void;
}

/**
 * @param headPx what covers the first pixels of the scrolled field
 */
export function useRowsInSight(
  scroller: RefObject<HTMLElement | null>,
  rowPx: number,
  headPx: number,
): RowsInSight {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, [scroller]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // Rows change when another one comes into sight, not with every pixel.
    const update = (): void => setTop(Math.floor(element.scrollTop / rowPx) * rowPx);
    update();
    element.addEventListener('scroll', update, { passive: true });
    return () => element.removeEventListener('scroll', update);
  }, [scroller, rowPx]);
  const show = useCallback(
    (index: number): void => {
      const element = scroller.current;
      if (element === null) return;
      const [rowTop, rowEnd] = [index * rowPx, (index + 1) * rowPx];
      const seen = element.clientHeight - headPx;
      if (rowTop < element.scrollTop) element.scrollTop = rowTop;
      else if (rowEnd > element.scrollTop + seen) element.scrollTop = rowEnd - seen;
    },
    [scroller, rowPx, headPx],
  );
  return {
    first: Math.max(0, Math.floor(top / rowPx) - AROUND),
    end: Math.ceil((top + height) / rowPx) + AROUND,
    show,
  };
}
