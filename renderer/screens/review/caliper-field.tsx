// The paper under the calipers: whoever drags over it measures there, whoever clicks moves the nearer line there.

import { type PointerEvent, type ReactNode, useRef } from 'react';
import type { CalipersProps } from './caliper-props.ts';
import { snapped } from './caliper-text.ts';
import classes from './calipers.module.css';

/** A drag over the paper shorter than this is a click. */
const CLICK_PX = 4;

export function CaliperField(props: CalipersProps): ReactNode {
  const { lines, height, isSnapping, fiducials, sampleCount, leftPx, pxPerSample, pxPerMm, onChange } = props;
  const pressed = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const sampleOf = (x: number): number => {
    const sample = Math.max(0, Math.min(sampleCount - 1, Math.round((x - leftPx) / pxPerSample)));
    return isSnapping ? snapped(sample, fiducials, pxPerMm / pxPerSample) : sample;
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const from = pressed.current;
    if (from === undefined) return;
    const to = placeOf(event);
    if (Math.hypot(to.x - from.x, to.y - from.y) < CLICK_PX) return;
    onChange({
      lines: { from: sampleOf(from.x), to: sampleOf(to.x) },
      ...(height !== undefined && { height: { upperMm: from.y / pxPerMm, lowerMm: to.y / pxPerMm } }),
    });
  };
  const letGo = (event: PointerEvent<HTMLDivElement>): void => {
    const from = pressed.current;
    pressed.current = undefined;
    if (from === undefined) return;
    const to = placeOf(event);
    if (Math.hypot(to.x - from.x, to.y - from.y) >= CLICK_PX) return;
    const sample = sampleOf(to.x);
    const isFromNearer = Math.abs(sample - lines.from) < Math.abs(sample - lines.to);
    onChange({ lines: isFromNearer ? { ...lines, from: sample } : { ...lines, to: sample } });
  };
  return (
    <div
      className={classes.field}
      data-caliper-field=""
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pressed.current = placeOf(event);
      }}
      onPointerMove={drag}
      onPointerUp={letGo}
      onPointerCancel={() => {
        pressed.current = undefined;
      }}
    />
  );
}
