// The seats of `bench:seats`, as a process of their own: each watches the leads, and does what a person does every few seconds.

import { seededRandom } from '../../main/signal/synthetic/random.ts';
import type { BridgeClient } from '../../shared/bridge/client.ts';
import { type Approach, type OpenSeat, signIn, sitDown } from '../support/seats.ts';
import { percentile } from './http-load.ts';

export interface SeatLoad {
  readonly approach: Approach;
  readonly secrets: readonly string[];
  /** One that can be reviewed. */
  readonly taskId: number;
  readonly seconds: number;
}

export interface SeatsResult {
  readonly clicks: number;
  readonly clickP50Ms: number;
  readonly clickP95Ms: number;
  readonly clickMostMs: number;
  readonly refused: number;
  /** Pieces of the leads, a seat and second. */
  readonly piecesPerSecond: number;
}

const LEAST_PAUSE_MS = 1000;
const PAUSE_MS = 2000;

type Click = (bridge: BridgeClient, taskId: number, random: () => number) => Promise<unknown>;

/** What the screens ask when somebody goes to the worklist, looks something up, opens a review or turns a page. */
const CLICKS: readonly Click[] = [
  (bridge) => bridge.call('task.list', { limit: 50 }),
  (bridge) => bridge.call('task.list', { limit: 50, text: 'hoff' }),
  async (bridge, taskId) => {
    await Promise.all([
      bridge.call('task.get', { taskId }),
      bridge.call('review.reading', { taskId }),
      bridge.call('review.marks', { taskId }),
    ]);
  },
  (bridge, taskId, random) =>
    bridge.call('review.signal', { taskId, startSample: Math.floor(random() * 1000), sampleCount: 5000 }),
  (bridge, taskId) => bridge.call('task.history', { taskId }),
];

async function work(
  { bridge }: OpenSeat,
  { taskId, seconds }: SeatLoad,
  random: () => number,
  times: number[],
): Promise<number> {
  let refused = 0;
  for (const untilMs = performance.now() + 1000 * seconds; performance.now() < untilMs; ) {
    await new Promise((resolve) => setTimeout(resolve, LEAST_PAUSE_MS + PAUSE_MS * random()));
    const click = CLICKS[Math.floor(random() * CLICKS.length)] as Click;
    const startMs = performance.now();
    await click(bridge, taskId, random).catch(() => refused++);
    times.push(performance.now() - startMs);
    await bridge.call('session.touch', {});
  }
  return refused;
}

async function run(load: SeatLoad): Promise<SeatsResult> {
  const seats: OpenSeat[] = [];
  let pieces = 0;
  for (const secret of load.secrets) {
    const seat = await sitDown(load.approach, secret);
    await signIn(seat, 'Dr. Lind');
    seat.bridge.on('desk.samples', () => pieces++);
    for (const event of ['desk.live', 'desk.changed', 'task.changed'] as const)
      seat.bridge.on(event, () => undefined);
    seats.push(seat);
  }
  pieces = 0;
  const times: number[] = [];
  const refused = await Promise.all(seats.map((seat, n) => work(seat, load, seededRandom(n + 1), times)));
  for (const { socket } of seats) socket.close();
  const ascending = Float64Array.from(times).sort();
  const round = (ms: number): number => Math.round(10 * ms) / 10;
  return {
    clicks: times.length,
    clickP50Ms: round(percentile(ascending, 0.5)),
    clickP95Ms: round(percentile(ascending, 0.95)),
    clickMostMs: round(ascending.at(-1) ?? 0),
    refused: refused.reduce((sum, each) => sum + each, 0),
    piecesPerSecond: round(pieces / seats.length / load.seconds),
  };
}

process.once('message', (load) => {
  void run(load as SeatLoad).then((result) => process.send?.(result));
});
