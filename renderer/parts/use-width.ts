// How wide an element is, in pixels of style sheets; 0 until it stands.

import { type RefObject, useEffect, useRef, useState } from 'react';

export function useWidth(): { ref: RefObject<HTMLDivElement | null>; widthPx: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setWidthPx(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, widthPx };
}
