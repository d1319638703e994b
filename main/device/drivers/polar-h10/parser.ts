// What a Polar H10 notifies (Polar BLE SDK, "Polar Measurement Data" and "ECG measurement"): frames of samples in µV with
// the time of the last one; beside them the contact of its strap and its battery (Bluetooth, Heart Rate and Battery Service).

import { PIPE_HEAD_BYTES } from '../../../../shared/bluetooth-pipes.ts';
import { SOME_ELECTRODE } from '../../../../shared/signal/electrode.ts';
import { int24Le } from '../../packets/integers.ts';
import { PacketParser } from '../../packets/packet-parser.ts';

/** Places in the list of its pipe. */
const FROM = { control: 0, data: 1, heartRate: 2, battery: 3 };
const LAST_PLACE = FROM.battery;
/** Longer ones do not exist: an attribute of Bluetooth has 512 bytes at most. */
const MOST_BYTES = 512;
const ECG = 0x00;
const MICROVOLTS = 0x00;
/** Kind of measurement, eight bytes of time, kind of frame. */
const DATA_HEAD_BYTES = 10;
const SAMPLE_BYTES = 3;
export const RATE_HZ = 130;
const NS_PER_SAMPLE = 1e9 / RATE_HZ;
/** A frame that comes so much sooner or later than it should has none of its neighbours missing. */
const TOLERANCE_SAMPLES = 2;
/** Without power it forgets the time. */
const MOST_SILENT_NS = 3.6e12;
const CONTACT = { isKnown: 0x04, isThere: 0x02 };

export class PolarH10Parser extends PacketParser {
  #lastNs: bigint | undefined;
  #isFirst = true;
  #rejected = 0;
  #isOff = false;

  constructor() {
    super(1);
  }

  /** Its clock runs on while it has power: the time of the last sample stays. */
  protected override reset(): void {
    super.reset();
    this.#isFirst = true;
  }

  protected override consume(bytes: Uint8Array, isEnd: boolean): number {
    let at = 0;
    while (bytes.length - at >= PIPE_HEAD_BYTES) {
      const place = bytes[at] as number;
      const length = (bytes[at + 1] as number) | ((bytes[at + 2] as number) << 8);
      if (place > LAST_PLACE || length > MOST_BYTES) {
        this.#drop(1);
        at++;
        continue;
      }
      const end = at + PIPE_HEAD_BYTES + length;
      if (end > bytes.length) break;
      this.#take(place, bytes.subarray(at + PIPE_HEAD_BYTES, end));
      at = end;
    }
    if (isEnd) this.#drop(bytes.length - at);
    return isEnd ? bytes.length : at;
  }

  #drop(count: number): void {
    this.#rejected += count;
    this.reject(count);
  }

  #take(place: number, payload: Uint8Array): void {
    if (place === FROM.data) this.#takeData(payload);
    else if (place === FROM.heartRate) this.#takeContact(payload[0] ?? 0);
    else if (place === FROM.battery && payload.length > 0)
      this.out.event({
        kind: 'battery',
        offset: this.out.count,
        percent: Math.min(100, payload[0] as number),
      });
  }

  #takeContact(flags: number): void {
    const isOff = (flags & CONTACT.isKnown) !== 0 && (flags & CONTACT.isThere) === 0;
    if (isOff === this.#isOff) return;
    this.#isOff = isOff;
    this.out.event({ kind: 'leadOff', offset: this.out.count, electrodes: isOff ? SOME_ELECTRODE : 0 });
  }

  #takeData(frame: Uint8Array): void {
    const count = (frame.length - DATA_HEAD_BYTES) / SAMPLE_BYTES;
    const isEcg = frame[0] === ECG && frame[DATA_HEAD_BYTES - 1] === MICROVOLTS;
    if (!isEcg || !Number.isInteger(count) || count < 1) return void this.#drop(frame.length);
    const view = new DataView(frame.buffer, frame.byteOffset, frame.length);
    const timeNs = view.getBigUint64(1, true);
    const { lost, isRestart, isRepeat } = this.#placeOf(timeNs, count);
    if (isRepeat) return;
    if (this.#isFirst || lost > 0 || this.#rejected > 0 || isRestart)
      this.break(lost, this.#rejected, isRestart);
    this.#isFirst = false;
    this.#rejected = 0;
    this.#lastNs = timeNs;
    const { out } = this;
    out.reserve(count);
    const [column] = out.columns as [Int32Array];
    for (let i = 0; i < count; i++)
      column[out.count + i] = int24Le(frame, DATA_HEAD_BYTES + i * SAMPLE_BYTES);
    out.count += count;
    this.accept(1);
  }

  /** @param timeNs of the last sample of a frame, by the clock of the device */
  #placeOf(timeNs: bigint, count: number): { lost: number; isRestart: boolean; isRepeat: boolean } {
    if (this.#lastNs === undefined) return { lost: 0, isRestart: false, isRepeat: false };
    const passedNs = Number(timeNs - this.#lastNs);
    if (passedNs === 0) return { lost: 0, isRestart: false, isRepeat: true };
    const isRestart = passedNs < 0 || passedNs > MOST_SILENT_NS;
    const missing = Math.round(passedNs / NS_PER_SAMPLE) - count;
    return { lost: isRestart || missing < TOLERANCE_SAMPLES ? 0 : missing, isRestart, isRepeat: false };
  }
}
