// The bridge inside React: a context for it, and cached queries that are asked again when the workstation
// says that something is new.

import {
  keepPreviousData,
  QueryClient,
  QueryClientProvider,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import type { Bridge, CallInput, CallOutput, EventName, QueryName } from '../../shared/bridge/contract.ts';
import type { IsolineError } from '../../shared/errors.ts';
import { takeIn, takeInChannels, takeInStage } from './task-news.ts';

const BridgeContext = createContext<Bridge | undefined>(undefined);

/** Which questions are asked again when the workstation says that something is new; tasks have a way of their own. */
const ASKED_AGAIN: Partial<Record<EventName, readonly QueryName[]>> = {
  'order.changed': ['order.list'],
  'sync.changed': ['sync.overview', 'sync.items'],
  'session.changed': ['session.get', 'seat.list', 'phrase.list', 'colleague.list', 'consultation.waiting'],
  'seat.changed': ['seat.list', 'workstation.about'],
  'review.changed': ['review.reading', 'review.marks', 'day.corrections'],
  'phrase.changed': ['phrase.list'],
  'consultation.changed': ['consultation.list', 'consultation.waiting'],
  'desk.changed': ['desk.list'],
  'opened.changed': ['opened.list'],
  'backup.changed': ['backup.state', 'update.state'],
  'update.changed': ['update.state'],
  // What is recorded or analysed holds an update up.
  'task.changed': ['update.state'],
};

function Refresher({ bridge }: { bridge: Bridge }): null {
  const queries = useQueryClient();
  useEffect(() => {
    const ends = (Object.entries(ASKED_AGAIN) as [EventName, readonly QueryName[]][]).map(([event, names]) =>
      bridge.on(event, () => {
        for (const name of names) void queries.invalidateQueries({ queryKey: [name] });
      }),
    );
    ends.push(bridge.on('task.changed', (news) => takeIn(queries, news)));
    ends.push(bridge.on('channels.changed', (news) => takeInChannels(queries, news)));
    ends.push(bridge.on('task.stage', (news) => takeInStage(queries, news)));
    return () => {
      for (const end of ends) end();
    };
  }, [bridge, queries]);
  return null;
}

export function BridgeProvider({ bridge, children }: { bridge: Bridge; children: ReactNode }): ReactNode {
  // A new bridge is a new workstation: what was known of the old one is asked again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bridge is what the cache belongs to
  const client = useMemo(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, networkMode: 'always' },
        },
      }),
    [bridge],
  );
  return (
    <BridgeContext value={bridge}>
      <QueryClientProvider client={client}>
        <Refresher bridge={bridge} />
        {children}
      </QueryClientProvider>
    </BridgeContext>
  );
}

export function useBridge(): Bridge {
  const bridge = useContext(BridgeContext);
  if (bridge === undefined) throw new Error('there is no bridge above this part');
  return bridge;
}

export interface QueryOptions<K extends QueryName> {
  readonly isEnabled?: boolean;
  /** What was asked before is shown until the answer comes: for lists that change while somebody types. */
  readonly isKeptMeanwhile?: boolean;
  /** How long an answer is kept that nobody shows any more; for large ones. */
  readonly keptMs?: number;
  /** How often to ask again, by what the last answer was. */
  readonly everyMs?: (data: CallOutput<K>) => number | undefined;
}

export function useBridgeQuery<K extends QueryName>(
  name: K,
  input: CallInput<K>,
  { isEnabled = true, isKeptMeanwhile = false, keptMs, everyMs }: QueryOptions<K> = {},
): UseQueryResult<CallOutput<K>, IsolineError> {
  const bridge = useBridge();
  return useQuery<CallOutput<K>, IsolineError>({
    queryKey: [name, input],
    queryFn: ({ signal }) => bridge.call(name, input, signal),
    enabled: isEnabled,
    ...(isKeptMeanwhile && { placeholderData: keepPreviousData }),
    ...(keptMs !== undefined && { gcTime: keptMs }),
    // What changes by the passing of time has no event.
    refetchInterval: ({ state }) => (state.data === undefined ? false : (everyMs?.(state.data) ?? false)),
  });
}
