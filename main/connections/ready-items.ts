// Which items could go now, found without looking at all of them: of each lane the most urgent and the
// oldest, and when the next one is due. A queue of ten thousand is asked at every call.

import TinyQueue from 'tinyqueue';
import { isOlder, LANES, type Lane } from '../clinic/outbox/choose.ts';
import type { Item } from '../clinic/outbox/item.ts';

interface LaneQueues {
  readonly urgent: TinyQueue<Item>;
  readonly oldest: TinyQueue<Item>;
}

const byAge = (a: Item, b: Item): number => (a === b ? 0 : isOlder(a, b) ? -1 : 1);
const byUrgency = (a: Item, b: Item): number => Number(b.isCritical) - Number(a.isCritical) || byAge(a, b);
const byTime = (a: Item, b: Item): number => a.notBeforeMs - b.notBeforeMs;

/** The lane of an open item: while it is asked about, or on its way there. */
const laneOfItem = ({ state, way }: Item): Lane => (state === 'WAITING_REPORT' ? 'ask' : way);

export class ReadyItems {
  /**
   * What stands in a queue counts only as long as it stands here too: an item that moved on is passed over
   * when its turn comes.
   */
  readonly #present = new Map<number, Item>();
  readonly #sleeping = new TinyQueue<Item>([], byTime);
  readonly #lanes = Object.fromEntries(
    LANES.map((lane) => [
      lane,
      { urgent: new TinyQueue<Item>([], byUrgency), oldest: new TinyQueue<Item>([], byAge) },
    ]),
  ) as Readonly<Record<Lane, LaneQueues>>;

  put(item: Item): void {
    this.#present.set(item.id, item);
    this.#sleeping.push(item);
  }

  remove(id: number): void {
    this.#present.delete(id);
  }

  #first(queue: TinyQueue<Item>): Item | undefined {
    for (let item = queue.peek(); item !== undefined; item = queue.peek()) {
      if (this.#present.get(item.id) === item) return item;
      queue.pop();
    }
    return undefined;
  }

  #wake(nowMs: number): void {
    for (
      let item = this.#first(this.#sleeping);
      item !== undefined && item.notBeforeMs <= nowMs;
      item = this.#first(this.#sleeping)
    ) {
      this.#sleeping.pop();
      const { urgent, oldest } = this.#lanes[laneOfItem(item)];
      urgent.push(item);
      oldest.push(item);
    }
  }

  /** The ones of a lane among which the choice is. */
  heads(lane: Lane, nowMs: number): readonly Item[] {
    this.#wake(nowMs);
    const { urgent, oldest } = this.#lanes[lane];
    const [first, eldest] = [this.#first(urgent), this.#first(oldest)];
    if (first === undefined || eldest === undefined) return [];
    return first === eldest ? [first] : [first, eldest];
  }

  /** When the next of those that wait for their time is due. */
  get nextMs(): number | undefined {
    return this.#first(this.#sleeping)?.notBeforeMs;
  }
}
