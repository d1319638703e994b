// Stretches of a lead as columns, for pictures of a line: asked for together, kept for a while.

import { useMemo } from 'react';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';

export interface Span {
  readonly startSample: number;
  readonly sampleCount: number;
}

/** Least and greatest millivolts of each column, in turn; NaN where samples are missing. */
export type Columns = Float32Array;

/** Whoever turns pages through a day must not fill the memory with it. */
const KEPT_MS = 30_000;

/** @param lead undefined: none is asked for @returns a row each; undefined until they are there */
export function useRows(
  taskId: number,
  lead: string | undefined,
  spans: readonly Span[],
  columns: number,
): readonly Columns[] | undefined {
  const isEnabled = lead !== undefined && spans.length > 0 && columns > 0;
  const { data } = useBridgeQuery(
    'day.rows',
    { taskId, lead: lead ?? '', spans: [...spans], columns: Math.max(1, columns) },
    { isEnabled, keptMs: KEPT_MS },
  );
  return useMemo(() => {
    if (data === undefined) return undefined;
    const mv = new Float32Array(Uint8Array.from(data.mv).buffer);
    const width = 2 * Math.max(1, columns);
    return Array.from({ length: Math.floor(mv.length / width) }, (_, i) =>
      mv.subarray(i * width, (i + 1) * width),
    );
  }, [data, columns]);
}
