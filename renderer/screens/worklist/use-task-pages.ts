// The worklist as a long list of which only what is seen is fetched. While somebody reads it, what is new
// waits behind a word at the top, so that no row moves under the pointer (E49).

import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { MOST_FIRST } from '../../../shared/bridge/bounds.ts';
import type { TaskQuery, TaskRow } from '../../../shared/bridge/views.ts';
import type { IsolineError } from '../../../shared/errors.ts';
import { useBridge, useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCriticals } from '../../parts/use-criticals.ts';

const PAGE_ROWS = 100;
/** Fetched before they come into sight. */
const AHEAD_ROWS = 60;
/** A device that falls silent says nothing about it. */
const HEARTBEAT_MS = 5000;

export interface TaskPages {
  /** Undefined until it is known. */
  readonly total: number | undefined;
  /** Undefined as long as it is fetched. */
  rowAt(index: number): TaskRow | undefined;
  readonly error: IsolineError | null;
  /** Nothing has these words: what is listed has words like them. */
  readonly isSimilar: boolean;
  /** How many have come since somebody began to read. */
  readonly newer: number;
  /** Somebody reads: what comes from now on waits; or nobody does any more. */
  hold(isRead: boolean): void;
}

type Question = Omit<TaskQuery, 'limit' | 'offset' | 'newestId' | 'first'>;
type Held = Pick<TaskQuery, 'newestId' | 'first'>;

/** @param first and last row that are seen */
export function useTaskPages(question: Question, first: number, last: number): TaskPages {
  const bridge = useBridge();
  const criticals = useCriticals();
  // What is as urgent as can be stands on top, whatever is asked for.
  const urgent = useMemo(
    () =>
      criticals.length === 0 ? {} : { first: criticals.slice(0, MOST_FIRST).map(({ taskId }) => taskId) },
    [criticals],
  );
  const [heldBy, setHeldBy] = useState<Held | undefined>();
  const live = useBridgeQuery(
    'task.list',
    { ...question, ...urgent, limit: PAGE_ROWS },
    {
      isKeptMeanwhile: true,
      everyMs: ({ rows }) => (rows.some(({ state }) => state === 'RECEIVING') ? HEARTBEAT_MS : undefined),
    },
  );
  const held = { ...question, ...(heldBy ?? urgent) };
  const isHeld = heldBy !== undefined;
  const firstPage = Math.floor(Math.max(0, first - AHEAD_ROWS) / PAGE_ROWS);
  const lastPage = Math.max(firstPage, Math.floor((last + AHEAD_ROWS) / PAGE_ROWS));
  const pages = useQueries({
    queries: Array.from({ length: lastPage - firstPage + 1 }, (_, i) => {
      const input: TaskQuery = {
        ...held,
        limit: PAGE_ROWS,
        ...(firstPage + i > 0 && { offset: (firstPage + i) * PAGE_ROWS }),
      };
      return {
        queryKey: ['task.list', input],
        queryFn: ({ signal }: { signal: AbortSignal }) => bridge.call('task.list', input, signal),
        // The first page of a list that nobody reads is the live one.
        enabled: isHeld || firstPage + i > 0,
      };
    }),
  });
  // In the moment in which somebody begins to read, what is there stays.
  const pageAt = (page: number) =>
    (isHeld || page > 0 ? pages[page - firstPage]?.data : undefined) ?? (page === 0 ? live.data : undefined);
  const total = isHeld
    ? (pages.find(({ data }) => data !== undefined)?.data?.total ?? live.data?.total)
    : live.data?.total;
  return {
    total,
    rowAt: (index) => pageAt(Math.floor(index / PAGE_ROWS))?.rows[index % PAGE_ROWS],
    error: live.error,
    isSimilar: live.data?.isSimilar === true,
    newer: isHeld ? Math.max(0, (live.data?.total ?? 0) - (total ?? 0)) : 0,
    hold(isRead) {
      const ids = live.data?.rows.map(({ taskId }) => taskId) ?? [];
      if (!isRead) setHeldBy(undefined);
      else if (!isHeld && ids.length > 0) setHeldBy({ ...urgent, newestId: Math.max(...ids) });
    },
  };
}
