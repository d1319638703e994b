// Packets of MobilECG II: "DATA", length, number, two checksums, and a bit stream of differences (device
// protocols reference, 7). Each packet states its channels, scale and rate, and decodes alone.

import type { DeviceFormat } from '../../device-format.ts';
import { beginsWith } from '../../packets/begins-with.ts';
import { uint16Le, uint32Le } from '../../packets/integers.ts';
import { PacketParser } from '../../packets/packet-parser.ts';
import { mobilecgFormat } from './format.ts';

const MAGIC = [0x44, 0x41, 0x54, 0x41] as const;
const HEAD_BYTES = 14;
const FACTS_BYTES = 17;
const MAX_PAYLOAD_BYTES = 4096;
const MAX_CHANNELS = 8;
const MAX_SAMPLES = 1024;
const COUNTER_MODULO = 2 ** 32;
/** A counter that is so far behind has restarted. */
const BEHIND = 2 ** 31;

interface Facts {
  readonly channels: number;
  readonly samples: number;
  readonly bits: number;
  readonly lsbMv: number;
  readonly rateHz: number;
}

export class MobilecgParser extends PacketParser {
  /** Room for reading four bytes at any place of a payload. */
  readonly #payload = new Uint8Array(MAX_PAYLOAD_BYTES + 4);
  readonly #view = new DataView(this.#payload.buffer);
  readonly #last = new Int32Array(MAX_CHANNELS);
  #rejected = 0;
  #lastId = -1;
  #isBroken = true;
  #samples = 0;
  #formatKey = '';

  constructor() {
    super(MAX_CHANNELS);
  }

  /** The number of the last packet stays: it runs on while the device has power. */
  protected override reset(): void {
    super.reset();
    this.#isBroken = true;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    let at = 0;
    for (;;) {
      const head = bytes.indexOf(MAGIC[0], at);
      if (head < 0) return this.#drop(bytes.length - at, bytes.length);
      at = this.#drop(head - at, head);
      const rest = bytes.length - at;
      const payloadBytes = rest >= HEAD_BYTES ? this.#payloadBytesAt(bytes, at) : undefined;
      const end = payloadBytes === undefined ? 0 : at + HEAD_BYTES + payloadBytes + 2;
      if (!isEnd && (rest < HEAD_BYTES ? beginsWith(bytes, at, MAGIC) : end > bytes.length)) return at;
      if (payloadBytes !== undefined && end <= bytes.length && this.#take(bytes, at, payloadBytes)) at = end;
      else at = this.#drop(1, at + 1);
    }
  }

  #drop(count: number, to: number): number {
    this.#rejected += count;
    this.reject(count);
    return to;
  }

  #payloadBytesAt(bytes: Uint8Array, at: number): number | undefined {
    if (!beginsWith(bytes, at, MAGIC)) return undefined;
    let sum = 0;
    for (let i = at; i < at + HEAD_BYTES; i++) sum += bytes[i] as number;
    const length = uint16Le(bytes, at + 4);
    const isHead = (sum & 0xff) === 0 && bytes[at + 6] === 0 && bytes[at + 7] === 0;
    return isHead && length > FACTS_BYTES && length <= MAX_PAYLOAD_BYTES ? length : undefined;
  }

  #take(bytes: Uint8Array, at: number, payloadBytes: number): boolean {
    const start = at + HEAD_BYTES;
    let sum = 0;
    for (let i = start; i < start + payloadBytes; i++) sum += bytes[i] as number;
    if ((-sum & 0xffff) >>> 0 !== uint16Le(bytes, start + payloadBytes)) return false;
    this.#payload.set(bytes.subarray(start, start + payloadBytes));
    const facts = this.#factsOf(payloadBytes);
    if (facts === undefined) return false;
    const id = uint32Le(bytes, at + 8);
    if (id === this.#lastId && this.#rejected === 0 && !this.#isBroken) return true;
    if (!this.#applyFormat(facts)) return false;
    return this.#decode(facts, id);
  }

  #factsOf(payloadBytes: number): Facts | undefined {
    const view = this.#view;
    const facts: Facts = {
      channels: view.getUint8(0),
      samples: view.getUint32(1, true),
      bits: view.getUint32(5, true),
      lsbMv: view.getFloat32(9, true),
      rateHz: view.getFloat32(13, true),
    };
    const isInside =
      facts.channels >= 1 &&
      facts.channels <= MAX_CHANNELS &&
      facts.samples >= 1 &&
      facts.samples <= MAX_SAMPLES &&
      facts.bits <= 8 * (payloadBytes - FACTS_BYTES) &&
      facts.lsbMv >= 1e-6 &&
      facts.lsbMv <= 0.1 &&
      facts.rateHz >= 50 &&
      facts.rateHz <= 4000;
    return isInside ? facts : undefined;
  }

  /** @returns false while samples of another form wait to be taken. */
  #applyFormat({ channels, lsbMv, rateHz }: Facts): boolean {
    const key = `${channels} ${lsbMv} ${rateHz}`;
    if (key === this.#formatKey) return true;
    if (this.out.count > 0) return false;
    this.#formatKey = key;
    if (this.out.columns.length !== channels) this.out.setChannels(channels);
    const format: DeviceFormat = mobilecgFormat(channels, lsbMv * 1000, rateHz);
    this.out.format = format;
    return true;
  }

  /** @returns false where the bits are not as many as stated; nothing was added then. */
  #decode({ channels, samples, bits }: Facts, id: number): boolean {
    const { out } = this;
    out.reserve(samples);
    const view = this.#view;
    const last = this.#last;
    last.fill(0);
    const { columns, count } = out;
    let bit = 8 * FACTS_BYTES;
    const end = bit + bits;
    for (let i = count; i < count + samples; i++) {
      for (let channel = 0; channel < channels; channel++) {
        if (bit >= end) return false;
        const word = view.getUint32(bit >> 3, true) >>> (bit & 7);
        let value: number;
        if ((word & 1) === 0) {
          value = (last[channel] as number) + ((word << 23) >> 24);
          bit += 9;
        } else {
          value = (word << 12) >> 13;
          bit += 20;
        }
        last[channel] = value;
        (columns[channel] as Int32Array)[i] = value;
      }
    }
    if (bit !== end) return false;
    this.#place(id, samples);
    out.count += samples;
    this.accept(1);
    return true;
  }

  #place(id: number, samples: number): void {
    const ahead = this.#lastId < 0 ? 0 : (id - this.#lastId - 1 + COUNTER_MODULO) % COUNTER_MODULO;
    const isRestart = ahead >= BEHIND;
    const lost = isRestart ? 0 : ahead * (this.#samples === 0 ? samples : this.#samples);
    if (isRestart) this.out.text('The device restarted its counter.');
    if (this.#isBroken || lost > 0 || this.#rejected > 0 || isRestart)
      this.break(lost, this.#rejected, isRestart);
    this.#lastId = id;
    this.#samples = samples;
    this.#rejected = 0;
    this.#isBroken = false;
  }
}
