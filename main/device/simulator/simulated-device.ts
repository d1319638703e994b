// A device that is not there: measures the simulated electrodes, speaks the protocol of a driver byte for
// byte, answers its commands. Time is told by whoever runs it, so that an hour passes in a second in tests.

import { lowPass } from '../../../shared/signal/butterworth.ts';
import { ELECTRODES } from '../../../shared/signal/electrode.ts';
import { RunningFilter } from '../../../shared/signal/running-filter.ts';
import { gaussian, type Random, seededRandom } from '../../signal/synthetic/random.ts';
import { type ElectrodeOptions, SimulatedElectrodes, type Wiring } from './electrodes.ts';

export interface SimulatedChannel {
  readonly wiring: Wiring;
  readonly lsbUv: number;
  readonly zero: number;
  readonly minimum: number;
  readonly maximum: number;
}

/** Bytes that follow a command after a while. */
export interface Reply {
  readonly afterMs: number;
  readonly bytes: Uint8Array;
}

export interface DeviceControl {
  readonly isStreaming: boolean;
  start(): void;
  stop(): void;
}

/** The state of a device that its packets may carry beside samples. */
export interface PacketContext {
  /** Packets since the stream began. */
  readonly packet: number;
  readonly firstSample: number;
  /** Bits of electrodes without contact. */
  readonly electrodesOff: number;
  readonly isButtonPressed: boolean;
}

/** The device's side of a driver. */
export interface SimulatedProtocol {
  readonly driver: string;
  readonly variant: string;
  readonly rateHz: number;
  readonly samplesPerPacket: number;
  readonly channels: readonly SimulatedChannel[];
  readonly highPassHz: number;
  readonly lowPassHz: number;
  /** It streams from power on. */
  readonly streamsAtOnce: boolean;
  readonly greeting?: string;
  /** Said while it does not stream. */
  readonly idle?: { readonly everyMs: number; readonly bytes: Uint8Array };
  /** @param columns the codes of the packet, one array a channel. */
  encode(columns: readonly Int32Array[], context: PacketContext): Uint8Array;
  /** Takes what the host sent. */
  receive?(bytes: Uint8Array, control: DeviceControl): readonly Reply[];
}

export interface SimulatedDeviceOptions extends Omit<ElectrodeOptions, 'rateHz'> {
  /** How much faster its clock runs than ours. */
  readonly clockPpm?: number;
}

/** One channel of the device's converter: its filters and its steps. */
class Converter {
  readonly #channel: SimulatedChannel;
  readonly #weights: readonly (readonly [number, number])[];
  readonly #highPassDecay: number;
  readonly #lowPass: RunningFilter | undefined;
  readonly #random: Random;
  readonly #hasNoise: boolean;
  #mean = Number.NaN;

  constructor(
    channel: SimulatedChannel,
    { rateHz, highPassHz, lowPassHz }: SimulatedProtocol,
    random: Random,
    hasNoise: boolean,
  ) {
    this.#channel = channel;
    this.#weights = channel.wiring.map(([electrode, weight]) => [ELECTRODES.indexOf(electrode), weight]);
    this.#highPassDecay = highPassHz === 0 ? 0 : 1 - Math.exp((-2 * Math.PI * highPassHz) / rateHz);
    this.#lowPass =
      lowPassHz > 0 && lowPassHz < 0.45 * rateHz ? new RunningFilter(lowPass(lowPassHz, rateHz)) : undefined;
    this.#random = random;
    this.#hasNoise = hasNoise;
  }

  convert(potentialsUv: readonly Float64Array[], i: number): number {
    let uv = 0;
    for (const [electrode, weight] of this.#weights) uv += weight * (potentialsUv[electrode]?.[i] as number);
    if (this.#highPassDecay > 0) {
      if (Number.isNaN(this.#mean)) this.#mean = uv;
      this.#mean += this.#highPassDecay * (uv - this.#mean);
      uv -= this.#mean;
    }
    if (this.#lowPass !== undefined) uv = this.#lowPass.next(uv);
    const { lsbUv, zero, minimum, maximum } = this.#channel;
    const noise = this.#hasNoise ? gaussian(this.#random) : 0;
    return Math.max(minimum, Math.min(maximum, Math.round(uv / lsbUv + noise) + zero));
  }
}

export class SimulatedDevice implements DeviceControl {
  readonly protocol: SimulatedProtocol;
  readonly electrodes: SimulatedElectrodes;
  readonly #converters: readonly Converter[];
  readonly #packetMs: number;
  #packet = 0;
  #streamSinceMs = 0;
  #nowMs = 0;
  #nextIdleMs = 0;
  #replies: { dueMs: number; bytes: Uint8Array }[] = [];
  isStreaming = false;
  isButtonPressed = false;
  /** Hears the codes of every packet as they are measured: what a recording must hold. */
  onPacket: ((columns: readonly Int32Array[], context: PacketContext) => void) | undefined;
  /** Turns the bytes of a packet into what goes over the wire: faults. */
  onWire: (bytes: Uint8Array, packet: number) => readonly Uint8Array[] = (bytes) => [bytes];

  constructor(protocol: SimulatedProtocol, options: SimulatedDeviceOptions) {
    this.protocol = protocol;
    const { rateHz, samplesPerPacket, channels, greeting, streamsAtOnce } = protocol;
    this.electrodes = new SimulatedElectrodes({ ...options, rateHz });
    const random = seededRandom(options.seed ^ 0xadc);
    this.#converters = channels.map(
      (channel) => new Converter(channel, protocol, random, options.noise !== 'none'),
    );
    this.#packetMs = (1000 * samplesPerPacket) / (rateHz * (1 + (options.clockPpm ?? 0) * 1e-6));
    if (greeting !== undefined)
      this.#replies.push({ dueMs: 0, bytes: Uint8Array.from(greeting, (letter) => letter.charCodeAt(0)) });
    if (streamsAtOnce) this.start();
  }

  /** From the first packet on. */
  start(): void {
    if (this.isStreaming) return;
    this.isStreaming = true;
    this.#packet = 0;
    this.#streamSinceMs = this.#nowMs;
  }

  stop(): void {
    this.isStreaming = false;
  }

  receive(bytes: Uint8Array): void {
    for (const { afterMs, bytes: answer } of this.protocol.receive?.(bytes, this) ?? [])
      this.#replies.push({ dueMs: this.#nowMs + afterMs, bytes: answer });
  }

  /** What it sends up to `nowMs` since power on. */
  advance(nowMs: number): Uint8Array[] {
    this.#nowMs = nowMs;
    const due = this.#replies.filter(({ dueMs }) => dueMs <= nowMs).map(({ bytes }) => bytes);
    if (due.length > 0) this.#replies = this.#replies.filter(({ dueMs }) => dueMs > nowMs);
    const { idle } = this.protocol;
    if (!this.isStreaming && idle !== undefined && nowMs >= this.#nextIdleMs) {
      due.push(idle.bytes);
      this.#nextIdleMs = nowMs + idle.everyMs;
    }
    while (this.isStreaming && this.#streamSinceMs + (this.#packet + 1) * this.#packetMs <= nowMs)
      due.push(...this.#nextPacket());
    return due;
  }

  #nextPacket(): readonly Uint8Array[] {
    const { samplesPerPacket } = this.protocol;
    const potentials = this.electrodes.next(samplesPerPacket);
    const columns = this.#converters.map((converter) => {
      const codes = new Int32Array(samplesPerPacket);
      for (let i = 0; i < samplesPerPacket; i++) codes[i] = converter.convert(potentials, i);
      return codes;
    });
    const context: PacketContext = {
      packet: this.#packet,
      firstSample: this.#packet * samplesPerPacket,
      electrodesOff: this.electrodes.off,
      isButtonPressed: this.isButtonPressed,
    };
    this.isButtonPressed = false;
    this.#packet++;
    this.onPacket?.(columns, context);
    return this.onWire(this.protocol.encode(columns, context), context.packet);
  }
}
