// The bytes of a stream of Lab Streaming Layer (liblsl, protocol 1.10): its description, the answer to the request, two
// samples with known values, then the samples. They come through TCP, so that none is missing in between; what its program
// has left out, their times tell.

import { INVALID_SAMPLE } from '../../../../shared/signal/recording.ts';
import { PacketParser } from '../../packets/packet-parser.ts';
import { type LslLayout, layOutStream } from './layout.ts';
import { readStreamInfo, VALUE_BYTES, type ValueFormat } from './stream-info.ts';

const MAX_HEAD_BYTES = 1 << 20;
const INFO_END = '</info>';
const ANSWER_END = '\r\n\r\n';
const DATA_PROTOCOL = '110';
/** What a sample begins with: nothing more, or its time in seconds as well. */
const TAG = { deducedTime: 1, sentTime: 2 };
const TIME_BYTES = 8;
const CODE_LIMIT = 2 ** 31 - 1;
/** Times of programs jitter; where one is so much later than it should be, something may be missing before it. */
const LEAP_MS = 60;
/** The two samples that prove that both ends mean the same numbers begin with these (liblsl, `assign_test_pattern`). */
const TEST_OFFSETS = [4, 2];
const TEST_BASE: { readonly [F in ValueFormat]: number } = {
  float32: 0,
  double64: 16_777_217,
  int8: 1,
  int16: 257,
  int32: 65_537,
  int64: 2_147_483_649,
};
const MOST_WHOLE: { readonly [F in ValueFormat]?: number } = { int8: 127, int16: 32_767, int32: 2 ** 31 - 1 };

const READ: { readonly [F in ValueFormat]: (view: DataView, at: number, isLittle: boolean) => number } = {
  float32: (view, at, isLittle) => view.getFloat32(at, isLittle),
  double64: (view, at, isLittle) => view.getFloat64(at, isLittle),
  int8: (view, at) => view.getInt8(at),
  int16: (view, at, isLittle) => view.getInt16(at, isLittle),
  int32: (view, at, isLittle) => view.getInt32(at, isLittle),
  int64: (view, at, isLittle) => Number(view.getBigInt64(at, isLittle)),
};

function testValue(format: ValueFormat, offset: number, channel: number): number {
  const most = MOST_WHOLE[format];
  const value = channel + offset + TEST_BASE[format];
  const kept = most === undefined ? value : value % most;
  const signed = channel % 2 === 0 ? kept : -kept;
  return format === 'float32' ? Math.fround(signed) : signed;
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

type Stage = 'info' | 'answer' | 'test' | 'samples' | 'refused';

export class LslParser extends PacketParser {
  #stage: Stage = 'info';
  #layout: LslLayout | undefined;
  #isLittle = true;
  #tests = 0;
  #isFirst = true;
  /** The time of the last sample, by the clock of its program. */
  #timeMs = Number.NaN;

  constructor() {
    super(0);
  }

  protected override reset(): void {
    super.reset();
    this.#stage = 'info';
    this.#isFirst = true;
    this.#timeMs = Number.NaN;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    let at = 0;
    for (;;) {
      const stage = this.#stage;
      const used = this.#takeNext(bytes.subarray(at));
      at += used;
      if ((used > 0 || this.#stage !== stage) && at < bytes.length) continue;
      return isEnd ? bytes.length : at;
    }
  }

  #takeNext(bytes: Uint8Array): number {
    switch (this.#stage) {
      case 'info':
        // What a program tells of its stream may hold the same mark.
        return this.#takeText(bytes, asBuffer(bytes).lastIndexOf(INFO_END), INFO_END, (text) =>
          this.#takeInfo(text),
        );
      case 'answer':
        return this.#takeText(bytes, asBuffer(bytes).indexOf(ANSWER_END), ANSWER_END, (text) =>
          this.#takeAnswer(text),
        );
      case 'test':
      case 'samples':
        return this.#takeSamples(bytes);
      case 'refused':
        this.reject(bytes.length);
        return bytes.length;
    }
  }

  #takeText(bytes: Uint8Array, found: number, end: string, take: (text: string) => void): number {
    if (found < 0) {
      if (bytes.length > MAX_HEAD_BYTES) this.#refuse('What answers is not an LSL stream. Search again.');
      return 0;
    }
    const used = found + end.length;
    take(new TextDecoder().decode(bytes.subarray(0, used)));
    return used;
  }

  #refuse(sentence: string): void {
    this.#stage = 'refused';
    this.out.fault(sentence);
  }

  #takeInfo(text: string): void {
    const info = readStreamInfo(text.trim());
    const layout = info === undefined ? undefined : layOutStream(info);
    if (layout === undefined)
      return void this.#refuse('The stream does not say what it sends. Choose another stream.');
    if (typeof layout === 'string') return void this.#refuse(layout);
    this.#layout = layout;
    this.#stage = 'answer';
  }

  #takeAnswer(text: string): void {
    const [status = '', ...lines] = text.trim().split('\r\n');
    const answers = new Map(
      lines.map((line) => {
        const [key = '', value = ''] = line.split(':');
        return [key.trim().toLowerCase(), value.trim()] as const;
      }),
    );
    if (!/^LSL\/\d+ 200\b/.test(status))
      return void this.#refuse('The stream was not given out: its program has started again. Search again.');
    if (answers.get('data-protocol-version') !== DATA_PROTOCOL)
      return void this.#refuse('The program behind this stream is too old. It needs LSL 1.10 or later.');
    this.#isLittle = answers.get('byte-order') !== '4321';
    this.#tests = 0;
    this.#stage = 'test';
  }

  #takeSamples(bytes: Uint8Array): number {
    const { valueFormat, channelCount } = this.#layout as LslLayout;
    const size = VALUE_BYTES[valueFormat];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let at = 0;
    while (at < bytes.length) {
      const tag = bytes[at];
      if (tag !== TAG.deducedTime && tag !== TAG.sentTime) {
        this.#refuse('The stream was damaged on its way. Connect it again.');
        return at;
      }
      const values = at + 1 + (tag === TAG.sentTime ? TIME_BYTES : 0);
      const end = values + channelCount * size;
      if (end > bytes.length) break;
      if (this.#stage === 'test') this.#takeTest(view, values);
      else {
        this.#takeTime(tag === TAG.sentTime ? 1000 * view.getFloat64(at + 1, this.#isLittle) : undefined);
        this.#addSample(view, values);
      }
      at = end;
      if (this.#stage === 'refused') break;
    }
    return at;
  }

  /** @param sentMs undefined where it follows from the sample before */
  #takeTime(sentMs: number | undefined): void {
    const beforeMs = this.#timeMs;
    const nextMs = beforeMs + 1000 / (this.#layout as LslLayout).format.rateHz;
    this.#timeMs = sentMs ?? nextMs;
    if (this.#timeMs - nextMs > LEAP_MS)
      this.out.breaks.push({ offset: this.out.count, lost: 0, rejectedBytes: 0, leapFromMs: beforeMs });
  }

  #takeTest(view: DataView, from: number): void {
    const { valueFormat, channelCount, format } = this.#layout as LslLayout;
    const size = VALUE_BYTES[valueFormat];
    const offset = TEST_OFFSETS[this.#tests] as number;
    for (let channel = 0; channel < channelCount; channel++)
      if (
        READ[valueFormat](view, from + channel * size, this.#isLittle) !==
        testValue(valueFormat, offset, channel)
      )
        return void this.#refuse(
          'The stream sends numbers of another form than it says. Choose another stream.',
        );
    this.#tests++;
    if (this.#tests < TEST_OFFSETS.length) return;
    this.#stage = 'samples';
    if (this.out.columns.length !== channelCount) this.out.setChannels(channelCount);
    this.out.format = format;
  }

  #addSample(view: DataView, from: number): void {
    const { valueFormat, codesPerUnit } = this.#layout as LslLayout;
    const { out } = this;
    if (this.#isFirst) this.break(0, 0);
    this.#isFirst = false;
    out.reserve(1);
    const size = VALUE_BYTES[valueFormat];
    const read = READ[valueFormat];
    for (const [channel, column] of out.columns.entries()) {
      const code = read(view, from + channel * size, this.#isLittle) * (codesPerUnit[channel] as number);
      column[out.count] = Number.isNaN(code)
        ? INVALID_SAMPLE
        : Math.max(-CODE_LIMIT, Math.min(CODE_LIMIT, Math.round(code)));
    }
    out.count++;
    if (Number.isFinite(this.#timeMs)) out.stampMs = this.#timeMs;
    this.accept(1);
  }
}
