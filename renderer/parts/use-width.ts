// How wide an element is, in pixels of style sheets; 0 until it stands.

import { type RefObject, useEffect, useRef, useState } from 'react';

export function useWidth<E extends HTMLElement = HTMLDivElement>(): {
  ref: RefObject<E | null>;
  widthPx: number;
} {
  const ref = useRef<E>(null);
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
