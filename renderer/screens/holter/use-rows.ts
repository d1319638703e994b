// Stretches of a lead as columns, for pictures of a line. Rows that are there are kept and not asked for again; of those that are not,
// one question is on its way at a time, and the next asks for what is shown by then: whoever scrolls through a day must not leave work
// behind that nobody looks at any more.

import { useEffect, useMemo, useReducer, useRef } from 'react';
import { IsolineError } from '../../../shared/errors.ts';
import { useBridge } from '../../bridge/use-bridge.tsx';
import type { Day } from './model/day.ts';

export interface Span {
  readonly startSample: number;
  readonly sampleCount: number;
}

/** Least and greatest millivolts of each column, in turn; NaN where samples are missing. */
export type Columns = Float32Array;

/** Rows of each day, which its pictures tell apart whatever is corrected, by lead, width and place; the oldest go first. */
const kept = new WeakMap<Day['pictures'], Map<string, Columns>>();
/** Some ten kilobytes each. */
const MOST_KEPT = 1500;
/** As many as one question may ask for. */
const MOST_ASKED = 60;

const keyOf = (lead: string, columns: number, { startSample, sampleCount }: Span): string =>
  `${lead} ${columns} ${startSample} ${sampleCount}`;

function keep(rows: Map<string, Columns>, key: string, row: Columns): void {
  rows.set(key, row);
  const [oldest] = rows.keys();
  if (rows.size > MOST_KEPT && oldest !== undefined) rows.delete(oldest);
}

interface Asked {
  readonly lead: string;
  readonly columns: number;
  readonly spans: readonly Span[];
}

/**
 * @param lead undefined: none is asked for
 * @returns one a span; undefined where it is not there yet
 */
export function useRows(
  day: Day,
  lead: string | undefined,
  spans: readonly Span[],
  columns: number,
): readonly (Columns | undefined)[] {
  const bridge = useBridge();
  const { taskId } = day;
  const [arrived, arrive] = useReducer((count: number) => count + 1, 0);
  const wanted = useRef<Asked>(undefined);
  const isAsking = useRef(false);
  const isGone = useRef(false);
  const rows = kept.get(day.pictures) ?? new Map<string, Columns>();
  kept.set(day.pictures, rows);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  useEffect(() => {
    wanted.current = lead === undefined || columns <= 0 ? undefined : { lead, columns, spans };
    const ask = async (): Promise<void> => {
      isAsking.current = true;
      try {
        while (!isGone.current && wanted.current !== undefined) {
          const asked = wanted.current;
          const missing = asked.spans
            .filter((span) => !rows.has(keyOf(asked.lead, asked.columns, span)))
            .slice(0, MOST_ASKED);
          if (missing.length === 0) return;
          const { mv } = await bridge.call('day.rows', {
            taskId,
            lead: asked.lead,
            columns: asked.columns,
            spans: missing.map(({ startSample, sampleCount }) => ({ startSample, sampleCount })),
          });
          const all = new Float32Array(Uint8Array.from(mv).buffer);
          const width = 2 * asked.columns;
          for (const [i, span] of missing.entries())
            keep(rows, keyOf(asked.lead, asked.columns, span), all.slice(i * width, (i + 1) * width));
          arrive();
        }
      } catch (error) {
        // Without its picture, a row still has its words.
        if (!(error instanceof IsolineError)) throw error;
      } finally {
        // In the same step as the last look at what is wanted: what is wanted a moment later would wait for ever.
        isAsking.current = false;
      }
    };
    if (!isAsking.current) void ask();
  }, [bridge, taskId, rows, lead, spans, columns]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has arrived is in the map
  return useMemo(
    () => (lead === undefined ? [] : spans.map((span) => rows.get(keyOf(lead, columns, span)))),
    [rows, lead, spans, columns, arrived],
  );
}
