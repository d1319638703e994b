// What a parser has made of bytes and nobody has taken yet: samples in columns, the places where they do not
// follow one another, and what else the device said. Preallocated and reused: no object a sample.

import type { DeviceFormat } from '../device-format.ts';

/** Before the sample at `offset` something is missing, or bytes were thrown away. */
export interface Break {
  /** Into the columns. */
  readonly offset: number;
  /** Samples that the counter says are missing; whole turns of the counter come on top (`SamplePlacer`). */
  readonly lost: number;
  /** Bytes in front of the packet that belong to no packet. */
  readonly rejectedBytes: number;
  /** The device restarted its counter: only the time that passed tells what is missing. */
  readonly isRestart?: boolean;
  /** The times of the sender leap here: when the sample before was recorded, by its clock. */
  readonly leapFromMs?: number;
}

export type PacketEvent =
  /** Mask of electrodes without contact: `shared/signal/electrode.ts`. */
  | { readonly kind: 'leadOff'; readonly offset: number; readonly electrodes: number }
  | { readonly kind: 'button' | 'pace' | 'overrun'; readonly offset: number }
  | { readonly kind: 'battery'; readonly offset: number; readonly percent: number }
  | { readonly kind: 'text'; readonly offset: number; readonly text: string }
  /** The device can't be used as it is: one sentence with the remedy. */
  | { readonly kind: 'fault'; readonly offset: number; readonly text: string }
  /** It can be used again. */
  | { readonly kind: 'recovered'; readonly offset: number };

const FIRST_CAPACITY = 256;
/** A device that prints all the time must not fill the memory. */
const MAX_EVENTS = 1000;
const MAX_TEXT_LENGTH = 200;

export class PacketOutput {
  /** One a channel; only the first `count` samples count. */
  columns: Int32Array[] = [];
  count = 0;
  breaks: Break[] = [];
  events: PacketEvent[] = [];
  /** Set when the device has said what it sends, or says something else than before. */
  format: DeviceFormat | undefined;
  /** When the newest sample was recorded, by the clock of the sender, where it tells. */
  stampMs: number | undefined;
  #capacity = 0;

  constructor(channels: number) {
    this.setChannels(channels);
  }

  setChannels(channels: number): void {
    this.#capacity = FIRST_CAPACITY;
    this.columns = Array.from({ length: channels }, () => new Int32Array(FIRST_CAPACITY));
    this.count = 0;
  }

  /** Makes room for so many more samples. */
  reserve(more: number): void {
    const needed = this.count + more;
    if (needed <= this.#capacity) return;
    while (this.#capacity < needed) this.#capacity *= 2;
    this.columns = this.columns.map((column) => {
      const larger = new Int32Array(this.#capacity);
      larger.set(column.subarray(0, this.count));
      return larger;
    });
  }

  event(event: PacketEvent): void {
    if (this.events.length < MAX_EVENTS) this.events.push(event);
  }

  text(text: string): void {
    this.event({ kind: 'text', offset: this.count, text: text.slice(0, MAX_TEXT_LENGTH) });
  }

  fault(text: string): void {
    this.event({ kind: 'fault', offset: this.count, text });
  }

  /** Cut where the times of the sender leap, so that each part has the time of its own newest sample. */
  parts(): readonly PacketOutput[] {
    const leaps = this.breaks.filter(({ leapFromMs, offset }) => leapFromMs !== undefined && offset > 0);
    if (leaps.length === 0) return [this];
    const starts = [0, ...leaps.map(({ offset }) => offset)];
    return starts.map((start, i) => {
      const end = starts[i + 1] ?? this.count;
      const isIn = ({ offset }: { readonly offset: number }): boolean =>
        offset >= start && (offset < end || end === this.count);
      const part = new PacketOutput(0);
      part.columns = this.columns.map((column) => column.subarray(start, end));
      part.count = end - start;
      part.breaks = this.breaks.filter(isIn).map((each) => ({ ...each, offset: each.offset - start }));
      part.events = this.events.filter(isIn).map((each) => ({ ...each, offset: each.offset - start }));
      part.stampMs = leaps[i]?.leapFromMs ?? this.stampMs;
      return part;
    });
  }

  /** Everything was taken. */
  clear(): void {
    this.count = 0;
    this.breaks = [];
    this.events = [];
    this.format = undefined;
    this.stampMs = undefined;
  }
}
