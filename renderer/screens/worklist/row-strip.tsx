// The strip in a row of the worklist. It is asked for once the row has stood a moment: rows that rush by while somebody
// scrolls cost nothing.

import { type ReactNode, useEffect, useState } from 'react';
import { PlainStrip } from '../../parts/strip.tsx';
import classes from './worklist.module.css';

const SETTLED_MS = 150;
const HEIGHT_PX = 40;
/** Where words stand below it. */
const LOW_PX = 26;

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

interface RowStripProps {
  readonly taskId: number;
  readonly shape: StripShape;
  readonly hasWords: boolean;
}

export function RowStrip({ taskId, shape, hasWords }: RowStripProps): ReactNode {
  const settled = useSettledId(taskId);
  const heightPx = hasWords ? LOW_PX : HEIGHT_PX;
  if (settled === undefined)
    return <span className={classes.noStrip} style={{ width: shape.widthPx, height: heightPx }} />;
  return <PlainStrip taskId={settled} widthPx={shape.widthPx} heightPx={heightPx} seconds={shape.seconds} />;
}
