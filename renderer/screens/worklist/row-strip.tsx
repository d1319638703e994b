// The strip in a row of the worklist. It is asked for once the row has stood a moment: rows that rush by while somebody
// scrolls cost nothing.

import { type ReactNode, useEffect, useState } from 'react';
import { PlainStrip } from '../../parts/strip.tsx';
import classes from './worklist.module.css';

const SETTLED_MS = 150;
const HEIGHT_PX = 40;

export interface StripShape {
  readonly widthPx: number;
  readonly seconds: number;
}

export const ROW_STRIP: StripShape = { widthPx: 128, seconds: 5 };
/** On a wide screen there is room for more of it. */
export const LONG_ROW_STRIP: StripShape = { widthPx: 208, seconds: 8 };

function useSettledId(taskId: number): number | undefined {
  const [settled, setSettled] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(taskId), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [taskId]);
  return settled === taskId ? settled : undefined;
}

export function RowStrip({ taskId, shape }: { taskId: number; shape: StripShape }): ReactNode {
  const settled = useSettledId(taskId);
  if (settled === undefined)
    return <span className={classes.noStrip} style={{ width: shape.widthPx, height: HEIGHT_PX }} />;
  return <PlainStrip taskId={settled} widthPx={shape.widthPx} heightPx={HEIGHT_PX} seconds={shape.seconds} />;
}
