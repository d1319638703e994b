// The wheel over a picture: turned it moves along, with Ctrl it zooms. What turns within a frame is one movement.

import { type RefObject, useEffect, useRef } from 'react';

interface Wheel {
  /** Pixels along, either way. */
  readonly onTurn?: ((px: number) => void) | undefined;
  readonly onZoom?: ((step: 1 | -1) => void) | undefined;
}

/** The pixels that a notch stands for, on a wheel that counts in lines. */
const LINE_PX = 40;
/** A wheel without notches sends many small turns: so much of them is a step. */
const ZOOM_PX = 100;

export function useWheel(ref: RefObject<HTMLElement | null>, wheel: Wheel): void {
  const latest = useRef(wheel);
  latest.current = wheel;
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    let [turnedPx, zoomedPx, frame] = [0, 0, 0];
    const act = (): void => {
      frame = 0;
      if (turnedPx !== 0) latest.current.onTurn?.(turnedPx);
      turnedPx = 0;
      if (Math.abs(zoomedPx) < ZOOM_PX) return;
      latest.current.onZoom?.(zoomedPx < 0 ? 1 : -1);
      zoomedPx = 0;
    };
    const turn = (event: WheelEvent): void => {
      const { onTurn, onZoom } = latest.current;
      if ((event.ctrlKey ? onZoom : onTurn) === undefined) return;
      // Else the page would scroll, or the whole window zoom.
      event.preventDefault();
      const px =
        (event.deltaY + event.deltaX) * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
      if (event.ctrlKey) zoomedPx += px;
      else turnedPx += px;
      if (frame === 0) frame = requestAnimationFrame(act);
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => {
      element.removeEventListener('wheel', turn);
      cancelAnimationFrame(frame);
    };
  }, [ref]);
}
