// From the bytes of a connected device to its leads: packets, places in time, leads. Learns what the device
// sends, and its rate where nobody tells it.

import { IsolineError } from '../../../shared/errors.ts';
import type { DeviceFormat, LeadSet } from '../device-format.ts';
import type { Driver, Variant } from '../driver.ts';
import { usualRate } from '../drivers/text/layout.ts';
import type { PacketEvent, PacketOutput } from '../packets/packet-output.ts';
import type { PacketParser } from '../packets/packet-parser.ts';
import { type ClockDrift, ClockFit } from './clock-fit.ts';
import type { HostClock } from './host-clock.ts';
import { type LeadBatch, LeadMaker, type LeadScale } from './lead-maker.ts';
import { type SampleBatch, SamplePlacer } from './sample-placer.ts';
import { SenderClock } from './sender-clock.ts';

const MEASURE_RATE_MS = 5000;

export interface SignalPathOptions {
  readonly driver: Driver;
  readonly variant: Variant;
  /** The first of the device's lead sets where it has no such. */
  readonly leadSet: string | undefined;
  readonly clock: HostClock;
  /** A recording holds what the device sends now: nothing of another meaning may go into it. */
  isRecorded(): boolean;
  /** Something that the device says of itself is new. */
  onChange(): void;
  onBatch(batch: LeadBatch): void;
  /** The device says that it can't be used. */
  onFault(fault: IsolineError): void;
}

export const deviceChanged = (): IsolineError =>
  new IsolineError(
    'device_changed',
    'The device changed its signal. Stop the recording and start a new one.',
  );

const isSameFormat = (a: DeviceFormat, b: DeviceFormat): boolean =>
  a.rateHz === b.rateHz &&
  a.channels.length === b.channels.length &&
  a.channels.every(({ lsbUv, name }, i) => lsbUv === b.channels[i]?.lsbUv && name === b.channels[i]?.name);

export class SignalPath {
  readonly variant: Variant;
  format: DeviceFormat | undefined;
  leadSet: LeadSet | undefined;
  batteryPercent: number | undefined;
  /** Bits of electrodes without contact. */
  electrodesOff = 0;
  /** What the device says is wrong with it, or that it sends what can't be recorded now. */
  trouble: IsolineError | undefined;
  readonly #options: SignalPathOptions;
  readonly #parser: PacketParser;
  #placer: SamplePlacer | undefined;
  #maker: LeadMaker | undefined;
  #fit: ClockFit | undefined;
  #wantedLeadSet: string | undefined;
  readonly #senderClock = new SenderClock();
  #rateMeasure: { readonly startMs: number; readonly startSamples: number } | undefined;
  #isRateKnown = false;
  /** A format that the device has changed to, and that does not fit the recording under way. */
  #foreign: DeviceFormat | undefined;

  constructor(options: SignalPathOptions) {
    this.#options = options;
    this.#wantedLeadSet = options.leadSet;
    this.variant = options.variant;
    this.#parser = options.driver.createParser(options.variant);
    this.#parser.joinMidway();
    if (options.variant.format !== undefined) this.#adopt(options.variant.format);
  }

  get scale(): LeadScale | undefined {
    return this.#maker?.scale;
  }

  get drift(): ClockDrift | undefined {
    return this.#fit?.drift;
  }

  /** Number of the sample that comes next. */
  get nextSample(): number {
    return this.#placer?.next ?? 0;
  }

  /** How long it may take until what arrives has a meaning. */
  get learnsForMs(): number {
    return this.format === undefined || this.#needsRate ? MEASURE_RATE_MS : 0;
  }

  /** The device does not tell its rate, or tells one that its sketch does not keep. */
  get #needsRate(): boolean {
    return this.format?.isRateMeasured === true && !this.#isRateKnown;
  }

  #adopt(format: DeviceFormat): void {
    this.format = format;
    if (this.#needsRate) return;
    this.leadSet =
      format.leadSets.find(({ id }) => id === this.#wantedLeadSet) ??
      format.leadSets.find(({ formerId }) => formerId !== undefined && formerId === this.#wantedLeadSet) ??
      format.leadSets[0];
    if (this.leadSet === undefined) return;
    const { rateHz, isRateMeasured = false } = format;
    this.#placer = new SamplePlacer({ rateHz, packets: this.variant.packets, isRateMeasured });
    this.#maker = new LeadMaker(format, this.leadSet);
    this.#fit = new ClockFit(rateHz);
  }

  /**
   * Takes the next bytes of the device.
   * @param arrivalMs by the monotonic clock
   * @returns whether they held samples: a device that only talks, as one does that was just switched on,
   * sends no ECG yet.
   */
  take(bytes: Uint8Array, arrivalMs: number): boolean {
    this.#parser.push(bytes);
    const hasSamples = this.#parser.out.count > 0;
    this.#publish(arrivalMs);
    return hasSamples;
  }

  /** The device is gone: gives out what was kept for what would follow. */
  flush(arrivalMs: number): void {
    if (this.#placer === undefined) return;
    this.#parser.flush();
    this.#publish(arrivalMs);
    this.#give(this.#placer.disconnected());
    this.#senderClock.restart();
  }

  #publish(monotonicMs: number): void {
    const { out } = this.#parser;
    const cameMs = this.#options.clock.fromMonotonic(monotonicMs);
    if (out.format !== undefined) this.#takeFormat(out.format);
    for (const event of out.events) this.#note(event);
    if (this.#needsRate && out.count > 0) this.#measureRate(cameMs);
    if (this.#placer === undefined) out.clear();
    else if (
      this.#foreign !== undefined ||
      (out.count > 0 && out.columns.length !== this.format?.channels.length)
    ) {
      // Nobody knows what these numbers mean. Where known ones come again, the time that passed tells their
      // place.
      out.clear();
      this.#give(this.#placer.disconnected());
    } else this.#place(out, cameMs);
  }

  #place(out: PacketOutput, cameMs: number): void {
    for (const part of out.parts()) {
      const ours = part.stampMs === undefined ? cameMs : this.#senderClock.toOurs(part.stampMs, cameMs);
      this.#give((this.#placer as SamplePlacer).take(part, ours));
    }
    out.clear();
  }

  #give(batches: readonly SampleBatch[]): void {
    for (const batch of batches) {
      // A gap that our clock has measured has the length that our clock says.
      if (batch.gap !== undefined && batch.gap.kind !== 'counter') this.#fit?.break();
      if (batch.arrivalMs !== undefined && batch.count > 0)
        this.#fit?.add(batch.firstSample + batch.count - 1, batch.arrivalMs);
      this.#options.onBatch((this.#maker as LeadMaker).make(batch));
    }
  }

  #takeFormat(format: DeviceFormat): void {
    const known = this.format;
    if (known === undefined || this.#maker === undefined) {
      this.#adopt(format);
      return;
    }
    const isSame = isSameFormat(known, format);
    // Numbers of another meaning must not go into a recording that has begun.
    const foreign = !isSame && this.#options.isRecorded() ? format : undefined;
    this.#setForeign(foreign);
    if (!isSame && foreign === undefined) this.#adopt(format);
  }

  /** Nothing holds what the device sent before: what it sends now can be taken. */
  recordingStopped(): void {
    const foreign = this.#foreign;
    if (foreign === undefined) return;
    this.#setForeign(undefined);
    this.#adopt(foreign);
  }

  #setForeign(foreign: DeviceFormat | undefined): void {
    if ((foreign === undefined) !== (this.#foreign === undefined)) {
      this.trouble = foreign === undefined ? undefined : deviceChanged();
      this.#options.onChange();
    }
    this.#foreign = foreign;
  }

  /**
   * Counts the samples that arrive in five seconds, for devices that tell no rate. What came meanwhile is shown to
   * nobody.
   */
  #measureRate(arrivalMs: number): void {
    const parser = this.#parser;
    const samples = parser.packets * this.variant.packets.samplesPerPacket;
    this.#rateMeasure ??= { startMs: arrivalMs, startSamples: samples };
    const elapsedMs = arrivalMs - this.#rateMeasure.startMs;
    if (elapsedMs < MEASURE_RATE_MS) return;
    const measuredHz = (1000 * (samples - this.#rateMeasure.startSamples)) / elapsedMs;
    this.#rateMeasure = undefined;
    this.#isRateKnown = true;
    parser.out.clear();
    const { format } = this;
    if (format !== undefined) this.#adopt({ ...format, rateHz: usualRate(measuredHz) });
  }

  #note(event: PacketEvent): void {
    if (event.kind === 'fault') {
      this.trouble = new IsolineError('device_unusable', event.text);
      this.#options.onFault(this.trouble);
    } else if (event.kind === 'recovered') this.trouble = undefined;
    else if (event.kind === 'battery') this.batteryPercent = event.percent;
    else if (event.kind === 'leadOff') this.electrodesOff = event.electrodes;
    else return;
    this.#options.onChange();
  }

  /** @throws IsolineError `invalid_request` */
  chooseLeads(leadSetId: string): void {
    const { format } = this;
    const leadSet = format?.leadSets.find(({ id }) => id === leadSetId);
    if (format === undefined || leadSet === undefined)
      throw new IsolineError('invalid_request', 'The device does not have these leads.');
    this.#wantedLeadSet = leadSetId;
    this.leadSet = leadSet;
    this.#maker = new LeadMaker(format, leadSet);
    this.#options.onChange();
  }
}
