// The link to one device: finds its driver, starts it, turns its bytes into leads, notices when it is away, and takes it up again where it
// comes back. States: shared/link-state.ts.

import { setTimeout as wait } from 'node:timers/promises';
import { IsolineError, toPlainError } from '../../../shared/errors.ts';
import { type LinkEvent, type LinkState, nextLinkState } from '../../../shared/link-state.ts';
import { type Detected, detect } from '../detection/detect.ts';
import type { DeviceFormat, Driver, LeadSet, Step, Variant } from '../driver.ts';
import { usualRate } from '../drivers/text/layout.ts';
import type { PacketEvent } from '../packets/packet-output.ts';
import type { PacketParser } from '../packets/packet-parser.ts';
import { identityOf, type OpenTransport, type PortInfo, type Transport } from '../transports/transport.ts';
import { type ClockDrift, ClockFit } from './clock-fit.ts';
import { runStep } from './handshake.ts';
import type { HostClock } from './host-clock.ts';
import { type LeadBatch, LeadMaker, type LeadScale } from './lead-maker.ts';
import { type SampleBatch, SamplePlacer } from './sample-placer.ts';

const WATCH_MS = 250;
/** A look that comes later than this says that we were held up, not that the device is silent. */
const HELD_UP_MS = 500;
const LONGEST_SILENCE_MS = 2000;
const SHORTEST_SILENCE_MS = 1000;
const SILENT_PACKETS = 20;
/** A device that was silent and is still plugged in gets so long to go on by itself: what it sends then is not lost. */
const GRACE_MS = 3000;
/** While a device is away, so often its port is looked for. */
const RETURN_MS = 250;
/** A device that came back and still streams is not started again: its counter then tells the gap. */
const LISTEN_ON_RETURN_MS = 400;
const FIRST_SAMPLES_MS = 6000;
const MEASURE_RATE_MS = 5000;

export interface LinkChoice {
  readonly driver: Driver;
  readonly variant: Variant;
  readonly baud: number;
  readonly alternatives: readonly Variant[];
}

export interface LinkEvents {
  /** Something about the link is new. */
  onChange(): void;
  onBatch(batch: LeadBatch): void;
  /** As they came, for support. */
  onBytes?(bytes: Uint8Array): void;
}

export interface LinkOptions {
  readonly port: PortInfo;
  readonly open: OpenTransport;
  readonly clock: HostClock;
  /** Where the device is now, if it is anywhere. */
  find(identity: string): PortInfo | undefined;
  readonly events: LinkEvents;
}

export class DeviceLink {
  readonly identity: string;
  state: LinkState = 'disconnected';
  port: PortInfo;
  choice: LinkChoice | undefined;
  format: DeviceFormat | undefined;
  leadSet: LeadSet | undefined;
  batteryPercent: number | undefined;
  /** Bits of electrodes without contact. */
  electrodesOff = 0;
  saturated = 0;
  /** By the wall clock. */
  lostSinceMs: number | undefined;
  /** Why it is not connected, or what the device says. */
  trouble: IsolineError | undefined;
  readonly #options: LinkOptions;
  #transport: Transport | undefined;
  #parser: PacketParser | undefined;
  #placer: SamplePlacer | undefined;
  #maker: LeadMaker | undefined;
  #fit: ClockFit | undefined;
  #cancel = new AbortController();
  #watch: ReturnType<typeof setInterval> | undefined;
  #keepAlive: ReturnType<typeof setInterval> | undefined;
  #lastSamplesMs = 0;
  #lastLookMs = 0;
  #heard = '';
  #isShakingHands = false;
  #wantedLeadSet: string | undefined;
  #firstSamples: PromiseWithResolvers<void> | undefined;
  #returning: Promise<void> | undefined;
  #rateMeasure: { readonly startMs: number; readonly startSamples: number } | undefined;
  #isRateKnown = false;
  /** A silent device is given time; how that ends. */
  #grace: PromiseWithResolvers<'resumed' | 'gone'> | undefined;
  /** The device sends what the recording under way has no place for. */
  #isForeign = false;
  #connecting: Promise<void> | undefined;
  #disconnecting: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.port = options.port;
    this.identity = identityOf(options.port);
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

  get lostSamples(): number {
    return this.#placer?.lostSamples ?? 0;
  }

  #step(event: LinkEvent): boolean {
    const next = nextLinkState(this.state, event);
    if (next === undefined) return false;
    this.state = next;
    this.#options.events.onChange();
    return true;
  }

  /**
   * Finds the driver, or takes the one that was chosen, and starts the device. Returns when samples arrive.
   * @throws IsolineError with the sentence for the person at the screen
   */
  async connect(
    chosen?: { readonly driver: Driver; readonly variant?: string | undefined; readonly baud?: number | undefined },
    leadSet?: string,
  ): Promise<void> {
    await this.#disconnecting;
    if (!this.#step('connect')) return;
    this.#cancel = new AbortController();
    this.trouble = undefined;
    this.#wantedLeadSet = leadSet;
    this.#connecting = this.#start(chosen, this.#cancel.signal);
    await this.#connecting;
  }

  async #start(chosen: Parameters<DeviceLink['connect']>[0], signal: AbortSignal): Promise<void> {
    try {
      this.choice = chosen === undefined ? await this.#detect() : choiceOf(chosen);
      signal.throwIfAborted();
      await this.#open();
      await this.#runSteps(this.#startSteps);
      await this.#untilSamples();
      signal.throwIfAborted();
      this.#keepAwake();
      this.#startWatching();
      this.#step('streaming');
    } catch (error) {
      if (signal.aborted) await this.#stopDevice();
      await this.#close();
      // Called off: nobody asks why.
      if (!signal.aborted)
        this.trouble =
          error instanceof IsolineError ? error : new IsolineError('internal', toPlainError(error).message, {}, { cause: error });
      this.#step('failed');
      if (this.trouble !== undefined) throw this.trouble;
    }
  }

  async #detect(): Promise<LinkChoice> {
    const { open } = this.#options;
    const detected: Detected | undefined = await detect(this.port, open, this.#cancel.signal);
    if (detected === undefined)
      throw new IsolineError('device_unidentified', `What is connected to ${this.port.path} is not known: choose its driver.`);
    return detected;
  }

  async #open(): Promise<void> {
    const { driver, variant } = this.choice as LinkChoice;
    this.#adoptVariant(variant);
    await this.#openTransport();
    // Boards that restart when their port is opened are not spoken to before they listen.
    if (this.#startSteps.length > 0) await wait(driver.port.settleMs, undefined, { signal: this.#cancel.signal });
  }

  async #openTransport(): Promise<void> {
    const { signal } = this.#cancel;
    const { driver, baud } = this.choice as LinkChoice;
    const { dtr, rts } = driver.port;
    const transport = await this.#options.open(
      this.port.path,
      { baud, dtr, rts },
      {
        // Of a port that was let go while it was being opened nothing is taken.
        onBytes: (bytes, arrivalMs) => {
          if (!signal.aborted) this.#take(bytes, arrivalMs);
        },
        onGone: () => {
          if (!signal.aborted) this.#lose(0);
        },
      },
    );
    if (signal.aborted) {
      await transport.close();
      signal.throwIfAborted();
    }
    this.#transport = transport;
    this.#lastSamplesMs = performance.now();
  }

  get #startSteps(): readonly Step[] {
    const { driver, variant } = this.choice as LinkChoice;
    return driver.start(variant);
  }

  #adoptVariant(variant: Variant): void {
    const { driver } = this.choice as LinkChoice;
    this.choice = { ...(this.choice as LinkChoice), variant };
    this.#parser = driver.createParser(variant);
    this.#parser.joinMidway();
    this.#placer = undefined;
    this.#maker = undefined;
    this.#isRateKnown = false;
    this.#isForeign = false;
    // A new parser tells both only when they are not so.
    this.electrodesOff = 0;
    this.batteryPercent = undefined;
    if (variant.format !== undefined) this.#adoptFormat(variant.format);
  }

  #adoptFormat(format: DeviceFormat): void {
    this.format = format;
    if (this.#needsRate) return;
    const { variant } = this.choice as LinkChoice;
    this.leadSet = format.leadSets.find(({ id }) => id === this.#wantedLeadSet) ?? format.leadSets[0];
    if (this.leadSet === undefined) return;
    this.#placer = new SamplePlacer({ rateHz: format.rateHz, packets: variant.packets, isRateMeasured: format.isRateMeasured ?? false });
    this.#maker = new LeadMaker(format, this.leadSet);
    this.#fit = new ClockFit(format.rateHz);
  }

  /** The device does not tell its rate, or tells one that its sketch does not keep. */
  get #needsRate(): boolean {
    return this.format?.isRateMeasured === true && !this.#isRateKnown;
  }

  /** Devices that stop when their host says nothing. */
  #keepAwake(): void {
    const { keepAlive } = (this.choice as LinkChoice).driver;
    if (keepAlive === undefined) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = setInterval(() => void this.#transport?.write(keepAlive.send).catch(() => undefined), keepAlive.everyMs).unref();
  }

  async #runSteps(steps: readonly Step[]): Promise<void> {
    this.#isShakingHands = true;
    this.#heard = '';
    try {
      for (const step of steps) {
        this.#cancel.signal.throwIfAborted();
        const answer = await runStep(
          this.#transport as Transport,
          step,
          () => this.#heard,
          () => {
            this.#heard = '';
          },
        );
        if (answer.fault !== undefined) throw new IsolineError('device_silent', answer.fault);
        const { driver, variant } = this.choice as LinkChoice;
        const told = driver.variants.find(({ id }) => id === answer.variant);
        if (told !== undefined && told !== variant) this.#adoptVariant(told);
      }
    } finally {
      this.#isShakingHands = false;
      this.#heard = '';
    }
  }

  async #untilSamples(): Promise<void> {
    if (this.#maker !== undefined && this.nextSample > 0) return;
    this.#firstSamples = Promise.withResolvers<void>();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const limitMs = FIRST_SAMPLES_MS + (this.format === undefined || this.#needsRate ? MEASURE_RATE_MS : 0);
    const timer = setTimeout(
      () =>
        reject(
          new IsolineError('device_silent', 'The device sends no ECG: check that it is switched on and that its driver is the right one.'),
        ),
      limitMs,
    );
    const cancelled = new Promise<never>((_resolve, refuse) => {
      this.#cancel.signal.addEventListener('abort', () => refuse(this.#cancel.signal.reason), { once: true });
    });
    try {
      await Promise.race([this.#firstSamples.promise, late, cancelled]);
    } finally {
      clearTimeout(timer);
      this.#firstSamples = undefined;
    }
  }

  #take(bytes: Uint8Array, arrivalMs: number): void {
    this.#options.events.onBytes?.(bytes);
    if (this.#isShakingHands) this.#heard = (this.#heard + String.fromCharCode(...bytes.subarray(0, 4096))).slice(-8192);
    const parser = this.#parser;
    if (parser === undefined) return;
    parser.push(bytes);
    // A device that only talks, as one does that was switched on anew, is not there yet.
    if (parser.out.count > 0) {
      this.#lastSamplesMs = arrivalMs;
      // It had stalled, and goes on at the same port.
      this.#grace?.resolve('resumed');
    }
    this.#publish(parser, this.#options.clock.fromMonotonic(arrivalMs));
  }

  #publish(parser: PacketParser, arrivalMs: number): void {
    const { out } = parser;
    if (out.format !== undefined) this.#takeFormat(out.format);
    for (const event of out.events) this.#note(event);
    if (this.#needsRate && out.count > 0) this.#measureRate(parser, arrivalMs);
    if (this.#placer === undefined || this.#maker === undefined) {
      out.clear();
      return;
    }
    if (this.#isForeign || (out.count > 0 && out.columns.length !== this.format?.channels.length)) {
      // Nobody knows what these numbers mean. Where known ones come again, the time that passed tells their place.
      out.clear();
      this.#give(this.#placer.disconnected());
      return;
    }
    this.#give(this.#placer.take(out, arrivalMs));
  }

  #give(batches: readonly SampleBatch[]): void {
    for (const batch of batches) {
      if (batch.arrivalMs !== undefined && batch.count > 0) this.#fit?.add(batch.firstSample + batch.count - 1, batch.arrivalMs);
      const made = (this.#maker as LeadMaker).make(batch);
      this.saturated = made.saturated;
      this.#options.events.onBatch(made);
      if (made.count > 0) this.#firstSamples?.resolve();
    }
  }

  #takeFormat(format: DeviceFormat): void {
    const known = this.format;
    if (known === undefined || this.#maker === undefined) {
      this.#adoptFormat(format);
      return;
    }
    const isSame =
      known.rateHz === format.rateHz &&
      known.channels.length === format.channels.length &&
      known.channels.every(({ lsbUv, name }, i) => lsbUv === format.channels[i]?.lsbUv && name === format.channels[i]?.name);
    // Numbers of another meaning must not go into a recording that has begun.
    const isForeign = !isSame && this.isRecorded;
    if (isForeign !== this.#isForeign) {
      this.#isForeign = isForeign;
      this.trouble = isForeign
        ? new IsolineError(
            'device_not_ready',
            'The device changed what it sends. Stop the recording, connect it anew, and start another one.',
          )
        : undefined;
      this.#options.events.onChange();
    }
    if (!isSame && !isForeign) this.#adoptFormat(format);
  }

  /** Of devices that tell no rate: samples that arrived in five seconds. What came meanwhile is shown to nobody. */
  #measureRate(parser: PacketParser, arrivalMs: number): void {
    const samples = parser.packets * (this.choice?.variant.packets.samplesPerPacket ?? 1);
    this.#rateMeasure ??= { startMs: arrivalMs, startSamples: samples };
    const elapsedMs = arrivalMs - this.#rateMeasure.startMs;
    if (elapsedMs < MEASURE_RATE_MS) return;
    const measuredHz = (1000 * (samples - this.#rateMeasure.startSamples)) / elapsedMs;
    this.#rateMeasure = undefined;
    this.#isRateKnown = true;
    parser.out.clear();
    const { format } = this;
    if (format !== undefined) this.#adoptFormat({ ...format, rateHz: usualRate(measuredHz) });
  }

  #note(event: PacketEvent): void {
    if (event.kind === 'battery') this.batteryPercent = event.percent;
    else if (event.kind === 'leadOff') this.electrodesOff = event.electrodes;
    else return;
    this.#options.events.onChange();
  }

  #startWatching(): void {
    this.#lastLookMs = performance.now();
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
  }

  /** No event is relied upon: a device that says nothing for long enough is away. */
  #look(): void {
    const nowMs = performance.now();
    const wasHeldUp = nowMs - this.#lastLookMs > HELD_UP_MS;
    this.#lastLookMs = nowMs;
    if (wasHeldUp) {
      // What arrived meanwhile has not been read yet.
      this.#lastSamplesMs = Math.max(this.#lastSamplesMs, nowMs - WATCH_MS);
      return;
    }
    if (this.state !== 'ready' && this.state !== 'recording') return;
    if (nowMs - this.#lastSamplesMs > this.#silenceMs) this.#lose(GRACE_MS);
  }

  get #silenceMs(): number {
    const { driver, variant } = this.choice as LinkChoice;
    const packetMs = (1000 * variant.packets.samplesPerPacket) / (this.format?.rateHz || 1000);
    return Math.min(LONGEST_SILENCE_MS - 2 * WATCH_MS, Math.max(SHORTEST_SILENCE_MS, SILENT_PACKETS * packetMs, driver.maxSilenceMs));
  }

  /** @param graceMs how long its port stays open: a device that stalled goes on there. */
  #lose(graceMs: number): void {
    if (this.state === 'detecting') {
      this.#cancelWith(new IsolineError('device_lost', 'The device was unplugged while it was being started.'));
      return;
    }
    // The plug is pulled while it is waited for: there is nothing more to wait for.
    if (graceMs === 0) this.#grace?.resolve('gone');
    if (!this.#step('silent')) return;
    this.lostSinceMs = this.#options.clock.wallMs;
    this.#returning = this.#untilBack(graceMs).catch((error: unknown) => {
      if (!this.#cancel.signal.aborted) this.trouble = error instanceof IsolineError ? error : undefined;
    });
  }

  /** A detection or a start under way ends with this. */
  #cancelWith(error: IsolineError): void {
    this.trouble = error;
    this.#cancel.abort(error);
  }

  async #untilBack(graceMs: number): Promise<void> {
    const { signal } = this.#cancel;
    if (graceMs > 0 && (await this.#goesOn(graceMs)) && !signal.aborted) {
      this.#back();
      return;
    }
    this.#flush();
    await this.#close();
    while (!signal.aborted && this.state === 'lost') {
      await wait(RETURN_MS, undefined, { signal }).catch(() => undefined);
      const port = this.#options.find(this.identity);
      if (port === undefined || signal.aborted) continue;
      try {
        await this.#takeUpAgain(port);
        signal.throwIfAborted();
      } catch {
        // Not there yet, or not awake: it is tried again as long as somebody wants it.
        await this.#close();
        continue;
      }
      this.#keepAwake();
      this.#startWatching();
      this.#back();
      return;
    }
  }

  async #goesOn(graceMs: number): Promise<boolean> {
    const grace = Promise.withResolvers<'resumed' | 'gone'>();
    this.#grace = grace;
    const isOver = wait(graceMs, 'gone' as const, { signal: this.#cancel.signal }).catch(() => 'gone' as const);
    const outcome = await Promise.race([grace.promise, isOver]);
    this.#grace = undefined;
    return outcome === 'resumed';
  }

  #back(): void {
    this.lostSinceMs = undefined;
    this.#step(this.isRecorded ? 'backRecording' : 'back');
  }

  /** Whether a recording waits for the device. */
  isRecorded = false;

  async #takeUpAgain(port: PortInfo): Promise<void> {
    this.port = port;
    await this.#openTransport();
    const openedMs = this.#lastSamplesMs;
    const hasSamples = (): boolean => this.#lastSamplesMs > openedMs;
    const until = async (limitMs: number): Promise<boolean> => {
      for (const endMs = performance.now() + limitMs; performance.now() < endMs && !hasSamples(); )
        await wait(10, undefined, { signal: this.#cancel.signal });
      return hasSamples();
    };
    if (await until(LISTEN_ON_RETURN_MS)) return;
    const steps = this.#startSteps;
    if (steps.length > 0) {
      await wait((this.choice as LinkChoice).driver.port.settleMs, undefined, { signal: this.#cancel.signal });
      if (!hasSamples()) await this.#runSteps(steps);
    }
    if (!(await until(LONGEST_SILENCE_MS))) throw new IsolineError('device_silent', 'The device is back and sends nothing yet.');
  }

  /** What the parser kept for what would follow. */
  #flush(): void {
    const parser = this.#parser;
    if (parser === undefined || this.#placer === undefined || this.#maker === undefined) return;
    parser.flush();
    this.#publish(parser, this.#options.clock.fromMonotonic(this.#lastSamplesMs));
    this.#give(this.#placer.disconnected());
  }

  recordingStarted(): void {
    this.isRecorded = true;
    this.#step('recordingStarted');
  }

  recordingStopped(): void {
    this.isRecorded = false;
    this.#step('recordingStopped');
  }

  /** Chooses other leads; not while it records. */
  chooseLeads(leadSetId: string): void {
    if (this.state === 'recording' || this.isRecorded)
      throw new IsolineError('device_busy', 'The leads can not be changed while the device is recorded: stop the recording first.');
    this.#wantedLeadSet = leadSetId;
    const { format } = this;
    const leadSet = format?.leadSets.find(({ id }) => id === leadSetId);
    if (format === undefined || leadSet === undefined) throw new IsolineError('invalid_request', 'The device has no such leads.');
    this.leadSet = leadSet;
    this.#maker = new LeadMaker(format, leadSet);
    this.#options.events.onChange();
  }

  /** Stops the device and lets go of its port; also while it is being detected. */
  async disconnect(): Promise<void> {
    this.#cancel.abort();
    this.#disconnecting ??= this.#letGo().finally(() => {
      this.#disconnecting = undefined;
    });
    await this.#disconnecting;
  }

  async #letGo(): Promise<void> {
    // Nothing can be recorded from here on, while the device is still being stopped. A connection under way ends by itself.
    if (this.state !== 'detecting') this.#step('disconnect');
    await this.#connecting?.catch(() => undefined);
    await this.#stopDevice();
    await this.#close();
    await this.#returning;
    this.lostSinceMs = undefined;
  }

  async #stopDevice(): Promise<void> {
    const transport = this.#transport;
    if (transport === undefined || this.choice === undefined) return;
    for (const step of this.choice.driver.stop)
      await runStep(
        transport,
        step,
        () => '',
        () => undefined,
      ).catch(() => undefined);
  }

  async #close(): Promise<void> {
    clearInterval(this.#watch);
    clearInterval(this.#keepAlive);
    const transport = this.#transport;
    this.#transport = undefined;
    await transport?.close();
  }
}

function choiceOf({
  driver,
  variant,
  baud,
}: {
  readonly driver: Driver;
  readonly variant?: string | undefined;
  readonly baud?: number | undefined;
}): LinkChoice {
  const chosen = driver.variants.find(({ id }) => id === variant) ?? (driver.variants[0] as Variant);
  return {
    driver,
    variant: chosen,
    baud: baud ?? (driver.bauds[0] as number),
    alternatives: driver.variants.filter((each) => each !== chosen),
  };
}
