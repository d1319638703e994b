// The sender as a machine: what is to be done next, and what everything is after an answer. It knows no
// clock, no network and no disk: the real driver and the simulator of the tests run the same one. Whoever
// runs it commits what it returns before it sends anything.

import type { Call, CallKind, Outcome } from './call.ts';
import { choose, LANES, LARGE_BYTES, type Lane, laneOf, PLACES } from './choose.ts';
import { type Item, isOpen, type Load } from './item.ts';
import { setAside } from './item-states.ts';
import { planCall, type SendOptions } from './plan.ts';
import { intend, type SettleContext, settle } from './settle.ts';
import { afterOutcome, backOffMs, isDoubtful, type Upstream } from './upstream.ts';

/** A recording that fails so often while others pass is set aside, so that it holds nothing up. */
const MOST_OWN_FAILURES = 5;
/** So many others have to pass between two failures for them to be its own. */
const OTHERS_PASSED = 3;

export interface Work {
  readonly item: Item;
  readonly call: Call;
  /** When the call was sent; absent: just now. */
  readonly begunMs?: number;
}

export interface Queue {
  readonly items: Iterable<Item>;
  /** By the item's id. */
  loadOf(id: number): Load;
  /** Bytes of the recording, known before anything is made ready. */
  sizeOf(id: number): number;
  /** Calls under way, by the item's id: of one item one at a time. */
  readonly underWay: ReadonlyMap<number, Call>;
  readonly upstream: Upstream;
  readonly turns: Readonly<Record<Lane, number>>;
}

function placesLeft({ underWay, upstream }: Queue, lane: Lane): number {
  if (isDoubtful(upstream)) return underWay.size === 0 ? 1 : 0;
  let taken = 0;
  for (const call of underWay.values()) if (laneOf(call) === lane) taken++;
  return PLACES[lane] - taken;
}

/** It waits for another large upload, whatever else goes meanwhile. */
export function isBehindLarge(
  { sizeOf, underWay }: Pick<Queue, 'sizeOf' | 'underWay'>,
  { id, way }: Item,
): boolean {
  const isLarge = (each: number): boolean => sizeOf(each) > LARGE_BYTES;
  if (way !== 'upload' || !isLarge(id)) return false;
  for (const [other, call] of underWay)
    if (other !== id && laneOf(call) === 'upload' && isLarge(other)) return true;
  return false;
}

/**
 * It waits for another task that is being made. A busy centre takes its time over each, and the longest that one may take counts from
 * its intent: waiting in the connection, it would still be made when a person is told to look for it.
 */
export function isBehindCreation({ underWay }: Pick<Queue, 'underWay'>, id: number, call: Call): boolean {
  if (call.kind !== 'createTask') return false;
  for (const [other, { kind }] of underWay) if (other !== id && kind === 'createTask') return true;
  return false;
}

/**
 * The next call, and the item with its intent, which is to be committed before the call is sent.
 * @returns undefined where nothing can be done now
 */
export function nextWork(
  queue: Queue,
  options: SendOptions,
  nowMs: number,
): (Work & { readonly lane: Lane }) | undefined {
  const { upstream, underWay } = queue;
  if (upstream.stop !== undefined || upstream.notBeforeMs > nowMs) return undefined;
  const ready: Record<Lane, Item[]> = { upload: [], stream: [], delivery: [], ask: [] };
  const calls = new Map<number, Call>();
  for (const item of queue.items) {
    if (!isOpen(item) || item.notBeforeMs > nowMs || underWay.has(item.id)) continue;
    const call = planCall(item, queue.loadOf(item.id), options, nowMs);
    if (call === undefined || isBehindLarge(queue, item) || isBehindCreation(queue, item.id, call)) continue;
    ready[laneOf(call)].push(item);
    calls.set(item.id, call);
  }
  for (const lane of LANES) {
    if (placesLeft(queue, lane) <= 0) continue;
    const item = choose(ready[lane], queue.turns[lane]);
    if (item === undefined) continue;
    const call = calls.get(item.id) as Call;
    return { lane, call, item: intend(item, call, nowMs) };
  }
  return undefined;
}

/** Nothing has come of it, and the same call comes next. */
const isInVain = ({ kind }: Outcome, call: Call): boolean =>
  kind === 'notDone' || kind === 'unknown' || (kind === 'unclear' && ANSWERED_BY_BODY.includes(call.kind));
const ANSWERED_BY_BODY: readonly CallKind[] = ['createUpload', 'createTask', 'findDraft'];
/** These bring an item further; to be asked how it is does not. */
const ADVANCING: readonly CallKind[] = [
  'createUpload',
  'chunk',
  'createTask',
  'createDraft',
  'start',
  'frame',
  'object',
  'status',
];

/** Whether the fault is this one's: the centre fails on it again and again, while others pass. */
function blame(item: Item, outcome: Outcome, call: Call, upstream: Upstream): Item {
  if (outcome.kind === 'done') {
    // What passed was its own: it is no proof against it.
    const passedAtFailure = item.passedAtFailure + 1;
    return ADVANCING.includes(call.kind)
      ? { ...item, passedAtFailure, ownFailures: 0 }
      : { ...item, passedAtFailure };
  }
  if (
    outcome.kind !== 'unknown' ||
    !outcome.isServer ||
    upstream.passed - item.passedAtFailure < OTHERS_PASSED
  )
    return item;
  const blamed: Item = { ...item, ownFailures: item.ownFailures + 1, passedAtFailure: upstream.passed };
  if (blamed.ownFailures < MOST_OWN_FAILURES || !isOpen(item)) return blamed;
  // What may be there already is a question for a person; anything else can be sent again.
  const isAsked =
    call.kind === 'finish' ||
    call.kind === 'createTask' ||
    (item.way === 'stream' && item.wasFinishLost) ||
    item.state === 'WAITING_REPORT';
  return setAside(blamed, isAsked ? 'NEEDS_CHECK' : 'REFUSED', 'failsAlone');
}

/** What item and centre are after an answer: to be committed together. */
export function afterAnswer(
  { item, call, begunMs = Number.POSITIVE_INFINITY }: Work,
  outcome: Outcome,
  upstream: Upstream,
  context: SettleContext,
): { readonly item: Item; readonly upstream: Upstream } {
  const { nowMs, random } = context;
  // A server without uploads, or without this organization, is not the central service; the item is not at fault.
  if (outcome.kind === 'absent' && (call.kind === 'createUpload' || call.kind === 'createDraft'))
    return {
      item: settle(item, call, { kind: 'notDone' }, context),
      upstream: { ...upstream, stop: 'address' },
    };
  const next = afterOutcome(upstream, outcome, { nowMs, begunMs }, random);
  const settled = blame(settle(item, call, outcome, context), outcome, call, upstream);
  if (!isInVain(outcome, call))
    return { item: settled.vain === 0 ? settled : { ...settled, vain: 0 }, upstream: next };
  if (!isOpen(settled)) return { item: settled, upstream: next };
  const vain = settled.vain + 1;
  const later = nowMs + backOffMs(Math.max(vain, next.failuresInRow), random);
  return { item: { ...settled, vain, notBeforeMs: Math.max(settled.notBeforeMs, later) }, upstream: next };
}

/**
 * The data folder is a copy, or was restored: what is on its way may have been sent by the other one. Nothing
 * goes by itself.
 */
export const inRestoredCopy = (items: Iterable<Item>): Item[] =>
  [...items].map((item) => (item.state === 'DONE' ? item : setAside(item, 'NEEDS_CHECK', 'restoredCopy')));
