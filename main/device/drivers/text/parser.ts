// Lines of text as Arduino sketches print them (device protocols reference, 9). What the columns are is found
// out from the first twenty lines; these are then read like all others, so that no sample is lost over it.

import { SOME_ELECTRODE } from '../../../../shared/signal/electrode.ts';
import { INVALID_SAMPLE } from '../../../../shared/signal/recording.ts';
import { PacketParser } from '../../packets/packet-parser.ts';
import { type HeaderWords, layOut, readHeaderWords, type TextLayout } from './layout.ts';
import { readField, splitLine } from './numbers.ts';

const MAX_LINE_BYTES = 256;
const LINES_LOOKED_AT = 20;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const COMMENT = /^(#|\/\/)/;
/** Begins as a number, a name with a value, or "no contact" does. */
const DATA = /^(!|[+-]?\.?\d|[\p{L}_][\p{L}\p{N}_ ]{0,31}[:=]\s*[+-]?\.?\d)/u;
const CODE_LIMIT = 2 ** 31 - 1;

/** Lines may be missing right behind a doubted one, too. */
const MOST_STEPS_ON = 20;

interface TimedLine {
  readonly time: number;
  readonly values: readonly number[];
}

export class TextParser extends PacketParser {
  #words: HeaderWords = {};
  #layout: TextLayout | undefined;
  #waiting: string[] = [];
  #header: string | undefined;
  #isOverlong = false;
  #rejected = 0;
  #isOff = false;
  #lastTime = Number.NaN;
  /**
   * A line whose time does not follow on the one before: the next line tells whether something is missing or
   * a digit was damaged.
   */
  #doubted: TimedLine | undefined;
  #isFirst = true;
  #mustSkipLine = false;
  /** Lines that were damaged since the last sample. */
  #pendingLost = 0;

  constructor() {
    super(0);
  }

  protected override reset(): void {
    super.reset();
    this.#lastTime = Number.NaN;
    this.#doubted = undefined;
    this.#isOverlong = false;
    this.#mustSkipLine = false;
  }

  /** The connection was made while the device was printing: the first line may lack its beginning. */
  override joinMidway(): void {
    this.#mustSkipLine = true;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    let at = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (byte !== LINE_FEED && byte !== RETURN) {
        if (i - at < MAX_LINE_BYTES || this.#isOverlong) continue;
        this.#isOverlong = true;
      } else {
        if (i > at) this.#takeLine(bytes, at, i);
        at = i + 1;
      }
    }
    if (this.#isOverlong) {
      this.#drop(bytes.length - at);
      at = bytes.length;
    }
    if (isEnd) {
      if (at < bytes.length) this.#takeLine(bytes, at, bytes.length);
      this.#decide();
      this.#settle(Number.NaN);
      return bytes.length;
    }
    return at;
  }

  #drop(count: number): void {
    this.#rejected += count;
    this.reject(count);
  }

  #takeLine(bytes: Uint8Array, from: number, to: number): void {
    const isCut = this.#isOverlong || this.#mustSkipLine;
    this.#isOverlong = false;
    this.#mustSkipLine = false;
    if (isCut) return void this.#drop(to - from);
    const line = String.fromCharCode(...bytes.subarray(from, to)).trim();
    if (line === '') return;
    if (this.#layout !== undefined) return void this.#readLine(line, to - from);
    if (!DATA.test(line)) return void this.#takeHeader(line);
    this.#waiting.push(line);
    if (this.#waiting.length >= LINES_LOOKED_AT) this.#decide();
  }

  #takeHeader(line: string): void {
    // Data before a header belong to something else.
    this.#waiting = [];
    if (COMMENT.test(line)) {
      this.#words = readHeaderWords(line, this.#words);
      this.out.text(line);
    } else this.#header = line;
  }

  #decide(): void {
    if (this.#layout !== undefined || this.#waiting.length === 0) return;
    const lines = this.#waiting;
    const data = lines.filter((line) => line !== '!');
    if (data.length === 0) return;
    this.#waiting = [];
    this.#layout = layOut(data, this.#header, this.#words);
    this.out.setChannels(this.#layout.format.channels.length);
    this.out.format = this.#layout.format;
    for (const line of lines) this.#readLine(line, line.length);
  }

  #readLine(line: string, lengthBytes: number): void {
    const layout = this.#layout as TextLayout;
    if (COMMENT.test(line)) return void this.out.text(line);
    if (line === '!') {
      this.#settle(Number.NaN);
      return void this.#addSample(undefined, 0);
    }
    const fields = splitLine(line, layout.separator).map((text) => readField(text, layout.separator));
    const isWhole =
      fields.length === layout.columns &&
      fields.every(({ value, isLeadOff }) => isLeadOff || !Number.isNaN(value));
    if (isWhole) {
      const time = fields[layout.time?.column ?? -1]?.value;
      const values = fields.filter((_, column) => column !== layout.time?.column).map(({ value }) => value);
      if (time === undefined) this.#addSample(values, 0);
      else this.#addTimed({ time, values });
    } else if (DATA.test(line)) {
      // A line that was damaged on the way: with a time column its sample is missed by that.
      this.#drop(lengthBytes);
      if (layout.time === undefined) this.#pendingLost++;
    } else this.out.text(line);
  }

  #stepsBetween(from: number, to: number): number {
    return Math.round((to - from) / (this.#layout?.time?.step ?? 1));
  }

  #addTimed(line: TimedLine): void {
    this.#settle(line.time);
    const isNext = Number.isNaN(this.#lastTime) || this.#stepsBetween(this.#lastTime, line.time) === 1;
    if (!isNext) {
      this.#doubted = line;
      return;
    }
    this.#lastTime = line.time;
    this.#addSample(line.values, 0);
  }

  /** @param next time of the line behind the doubted one; NaN where there is none to tell by. */
  #settle(next: number): void {
    const line = this.#doubted;
    if (line === undefined) return;
    this.#doubted = undefined;
    const steps = this.#stepsBetween(this.#lastTime, line.time);
    const follows = this.#stepsBetween(line.time, next);
    const isLoss = steps > 1 && follows >= 1 && follows <= MOST_STEPS_ON;
    const isRestart = steps < 1 && follows === 1;
    if (isRestart) this.out.text('The device restarted its counter.');
    this.#lastTime = isLoss || isRestart ? line.time : this.#lastTime + (this.#layout?.time?.step ?? 1);
    this.#addSample(line.values, isLoss ? steps - 1 : 0, isRestart);
  }

  /** @param values undefined where the device has no contact: the sample exists and has no value. */
  #addSample(values: readonly number[] | undefined, lost: number, isRestart = false): void {
    const layout = this.#layout as TextLayout;
    const { out } = this;
    const lostBefore = lost + this.#pendingLost;
    if (this.#isFirst || lostBefore > 0 || this.#rejected > 0 || isRestart)
      this.break(lostBefore, this.#rejected, isRestart);
    this.#isFirst = false;
    this.#pendingLost = 0;
    this.#rejected = 0;
    if ((values === undefined) !== this.#isOff) {
      this.#isOff = values === undefined;
      out.event({ kind: 'leadOff', offset: out.count, electrodes: this.#isOff ? SOME_ELECTRODE : 0 });
    }
    out.reserve(1);
    for (const [channel, column] of out.columns.entries()) {
      const value = values?.[channel];
      column[out.count] =
        value === undefined || Number.isNaN(value)
          ? INVALID_SAMPLE
          : Math.max(-CODE_LIMIT, Math.min(CODE_LIMIT, Math.round(value * layout.codesPerUnit)));
    }
    out.count++;
    this.accept(1);
  }
}
