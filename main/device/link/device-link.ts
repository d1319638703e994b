// The link to one device: finds its driver, starts it, listens to it, and takes it up again where it comes
// back. States: shared/link-state.ts.

import { setTimeout as wait } from 'node:timers/promises';
import { IsolineError, toPlainError } from '../../../shared/errors.ts';
import { type LinkEvent, type LinkState, nextLinkState } from '../../../shared/link-state.ts';
import { detect } from '../detection/detect.ts';
import type { DeviceFormat, LeadSet } from '../device-format.ts';
import type { Driver, Step, Variant } from '../driver.ts';
import { identityOf, type OpenTransport, type PortInfo, type Transport } from '../transports/transport.ts';
import type { ClockDrift } from './clock-fit.ts';
import { untilReturned } from './device-return.ts';
import { runStep } from './handshake.ts';
import type { HostClock } from './host-clock.ts';
import type { LeadBatch, LeadScale } from './lead-maker.ts';
import { deviceChanged, SignalPath } from './signal-path.ts';
import { SilenceWatch, silenceLimitMs } from './silence-watch.ts';

/**
 * A device that was silent and is still plugged in gets so long to go on by itself: what it sends then is not
 * lost.
 */
const GRACE_MS = 3000;
const FIRST_SAMPLES_MS = 6000;
const HEARD_LENGTH = 8192;

export interface LinkChoice {
  readonly driver: Driver;
  readonly variant: Variant;
  readonly baud: number;
  readonly alternatives: readonly Variant[];
}

export interface ChosenDriver {
  readonly driver: Driver;
  /** The first one where none is named. */
  readonly variant?: Variant | undefined;
  readonly baud?: number | undefined;
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
  /** By the wall clock. */
  lostSinceMs: number | undefined;
  readonly #options: LinkOptions;
  #transport: Transport | undefined;
  #path: SignalPath | undefined;
  /** Why it is not connected, or can't be taken up again. */
  #trouble: IsolineError | undefined;
  #cancel = new AbortController();
  readonly #watch = new SilenceWatch(
    () => this.#silenceMs,
    () => this.#lose(GRACE_MS),
  );
  #keepAlive: ReturnType<typeof setInterval> | undefined;
  /** What the device said during a handshake, one character a byte; undefined while there is none. */
  #heard: string | undefined;
  #wantedLeadSet: string | undefined;
  #firstSamples: PromiseWithResolvers<void> | undefined;
  #returning: Promise<void> | undefined;
  /** A silent device is given time; how that ends. */
  #grace: PromiseWithResolvers<'resumed' | 'gone'> | undefined;
  /** A recording waits for the device while it is away. */
  #isRecorded = false;
  #connecting: Promise<void> | undefined;
  #disconnecting: Promise<void> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.port = options.port;
    this.identity = identityOf(options.port);
  }

  get format(): DeviceFormat | undefined {
    return this.#path?.format;
  }

  get leadSet(): LeadSet | undefined {
    return this.#path?.leadSet;
  }

  get scale(): LeadScale | undefined {
    return this.#path?.scale;
  }

  /** Number of the sample that comes next. */
  get nextSample(): number {
    return this.#path?.nextSample ?? 0;
  }

  get drift(): ClockDrift | undefined {
    return this.#path?.drift;
  }

  get batteryPercent(): number | undefined {
    return this.#path?.batteryPercent;
  }

  /** Bits of electrodes without contact. */
  get electrodesOff(): number {
    return this.#path?.electrodesOff ?? 0;
  }

  #step(event: LinkEvent): boolean {
    const next = nextLinkState(this.state, event);
    if (next === undefined) return false;
    this.state = next;
    this.#options.events.onChange();
    return true;
  }

  /** Why it is not connected, or what the device says. */
  get trouble(): IsolineError | undefined {
    return this.#trouble ?? this.#path?.trouble;
  }

  /**
   * Finds the driver, or takes the one that was chosen, and starts the device. Returns when samples arrive.
   * @throws IsolineError with the sentence for the person at the screen
   */
  async connect(chosen?: ChosenDriver, leadSet?: string): Promise<void> {
    await this.#disconnecting;
    if (!this.#step('connect')) return;
    this.#cancel = new AbortController();
    this.#trouble = undefined;
    this.#path = undefined;
    this.#wantedLeadSet = leadSet;
    this.#connecting = this.#start(chosen, this.#cancel.signal);
    await this.#connecting;
  }

  async #start(chosen: ChosenDriver | undefined, signal: AbortSignal): Promise<void> {
    try {
      this.choice = chosen === undefined ? await this.#detect() : choiceOf(chosen);
      signal.throwIfAborted();
      this.#adopt(this.choice.variant);
      await this.#openTransport();
      await this.#settleAndStart();
      await this.#untilSamples();
      signal.throwIfAborted();
      this.#keepListening();
      this.#step('streaming');
    } catch (error) {
      if (signal.aborted) await this.#stopDevice();
      await this.#close();
      // Called off: nobody asks why.
      if (!signal.aborted)
        this.#trouble =
          error instanceof IsolineError
            ? error
            : new IsolineError('internal', toPlainError(error).message, {}, { cause: error });
      this.#step('failed');
      if (this.#trouble !== undefined) throw this.#trouble;
    }
  }

  async #detect(): Promise<LinkChoice> {
    const detected = await detect(this.port, this.#options.open, this.#cancel.signal);
    if (detected === undefined)
      throw new IsolineError(
        'device_unidentified',
        `The device on ${this.port.path} could not be identified. Choose its driver.`,
      );
    return detected;
  }

  get #startSteps(): readonly Step[] {
    const { driver, variant } = this.choice as LinkChoice;
    return driver.start(variant);
  }

  async #openTransport(): Promise<void> {
    const { signal } = this.#cancel;
    const { driver, baud } = this.choice as LinkChoice;
    const { dtr, rts } = driver.port;
    const transport = await this.#options.open(
      this.port.path,
      { baud, dtr, rts },
      {
        // Nothing is taken from a port that was let go while it was being opened.
        onBytes: (bytes, arrivalMs) => {
          if (!signal.aborted) this.#take(bytes, arrivalMs);
        },
        onGone: () => {
          if (!signal.aborted) this.#lose(0);
        },
        onNotice: (notice) => {
          if (signal.aborted || this.#trouble?.message === notice.message) return;
          this.#trouble = notice;
          this.#options.events.onChange();
        },
      },
    );
    if (signal.aborted) {
      await transport.close();
      signal.throwIfAborted();
    }
    this.#transport = transport;
    this.#watch.lastSamplesMs = performance.now();
  }

  #adopt(variant: Variant): void {
    const { events, clock } = this.#options;
    const choice = { ...(this.choice as LinkChoice), variant };
    this.choice = choice;
    this.#path = new SignalPath({
      driver: choice.driver,
      variant,
      leadSet: this.#wantedLeadSet,
      clock,
      isRecorded: () => this.#isRecorded,
      onChange: () => events.onChange(),
      onBatch: (batch) => {
        events.onBatch(batch);
        if (batch.count === 0) return;
        this.#firstSamples?.resolve();
      },
      onFault: (fault) => {
        if (this.state === 'detecting') this.#cancelWith(fault);
      },
    });
  }

  /** Boards that restart when their port is opened are not spoken to before they listen. */
  async #settleAndStart(): Promise<void> {
    if (this.#startSteps.length === 0 || this.#transport?.isDeaf === true) return;
    await wait((this.choice as LinkChoice).driver.port.settleMs, undefined, { signal: this.#cancel.signal });
    await this.#runStartSteps();
  }

  async #runStartSteps(): Promise<void> {
    const forget = (): void => {
      this.#heard = '';
    };
    forget();
    try {
      for (const step of this.#startSteps) {
        this.#cancel.signal.throwIfAborted();
        const answer = await runStep(
          this.#transport as Transport,
          step,
          () => this.#heard ?? '',
          forget,
          this.#cancel.signal,
        );
        if (answer.fault !== undefined) throw new IsolineError('device_unusable', answer.fault);
        const { driver, variant } = this.choice as LinkChoice;
        const told = driver.variants.find(({ id }) => id === answer.variant);
        if (told === undefined || told === variant) continue;
        if (this.#isRecorded) throw deviceChanged();
        this.#adopt(told);
      }
    } finally {
      this.#heard = undefined;
    }
  }

  async #untilSamples(): Promise<void> {
    const { signal } = this.#cancel;
    signal.throwIfAborted();
    if (this.nextSample > 0) return;
    this.#firstSamples = Promise.withResolvers<void>();
    const { promise: late, reject } = Promise.withResolvers<never>();
    const silence =
      'The device sends no ECG: check that it is switched on and that its driver is the right one.';
    const timer = setTimeout(
      () => reject(new IsolineError('device_silent', silence)),
      FIRST_SAMPLES_MS + (this.#path as SignalPath).learnsForMs,
    );
    const cancelled = new Promise<never>((_resolve, refuse) => {
      signal.addEventListener('abort', () => refuse(signal.reason), { once: true });
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
    if (this.#heard !== undefined)
      this.#heard = (this.#heard + String.fromCharCode(...bytes.subarray(0, 4096))).slice(-HEARD_LENGTH);
    if (this.#path?.take(bytes, arrivalMs) !== true) return;
    this.#watch.lastSamplesMs = arrivalMs;
    // It had stalled, and goes on at the same port.
    this.#grace?.resolve('resumed');
  }

  /**
   * From here on silence means that it is away. Devices that stop when their host says nothing are spoken to.
   */
  #keepListening(): void {
    this.#watch.start();
    const { keepAlive } = (this.choice as LinkChoice).driver;
    if (keepAlive === undefined) return;
    clearInterval(this.#keepAlive);
    this.#keepAlive = setInterval(
      () => void this.#transport?.write(keepAlive.send).catch(() => undefined),
      keepAlive.everyMs,
    ).unref();
  }

  get #silenceMs(): number {
    const { driver, variant } = this.choice as LinkChoice;
    return silenceLimitMs(
      (1000 * variant.packets.samplesPerPacket) / (this.format?.rateHz || 1000),
      driver.maxSilenceMs,
    );
  }

  /** @param graceMs how long its port stays open: a device that stalled goes on there. */
  #lose(graceMs: number): void {
    if (this.state === 'detecting') {
      this.#cancelWith(new IsolineError('device_lost', 'The device was unplugged while starting.'));
      return;
    }
    // The plug is pulled while it is waited for: there is nothing more to wait for.
    if (graceMs === 0) this.#grace?.resolve('gone');
    if (!this.#step('silent')) return;
    this.lostSinceMs = this.#options.clock.wallMs;
    this.#returning = this.#untilBack(graceMs, this.#cancel.signal);
  }

  /** A detection or a start under way ends with this. */
  #cancelWith(error: IsolineError): void {
    this.#trouble = error;
    this.#cancel.abort(error);
  }

  async #untilBack(graceMs: number, signal: AbortSignal): Promise<void> {
    if (graceMs === 0 || !(await this.#goesOn(graceMs))) {
      this.#path?.flush(this.#watch.lastSamplesMs);
      await this.#close();
      await untilReturned(this.#absentee, signal);
      if (!signal.aborted) this.#keepListening();
    }
    if (signal.aborted) return;
    this.lostSinceMs = undefined;
    this.#trouble = undefined;
    this.#step(this.#isRecorded ? 'backRecording' : 'back');
  }

  async #goesOn(graceMs: number): Promise<boolean> {
    const grace = Promise.withResolvers<'resumed' | 'gone'>();
    this.#grace = grace;
    const isOver = wait(graceMs, 'gone' as const, { signal: this.#cancel.signal }).catch(
      () => 'gone' as const,
    );
    const outcome = await Promise.race([grace.promise, isOver]);
    this.#grace = undefined;
    return outcome === 'resumed';
  }

  get #absentee(): Parameters<typeof untilReturned>[0] {
    const { settleMs } = (this.choice as LinkChoice).driver.port;
    return {
      find: () => this.#options.find(this.identity),
      open: async (port) => {
        this.port = port;
        await this.#openTransport();
      },
      lastSamplesMs: () => this.#watch.lastSamplesMs,
      restart: this.#startSteps.length === 0 ? undefined : { settleMs, run: () => this.#runStartSteps() },
      close: () => this.#close(),
      onTrouble: (error) => {
        if (!(error instanceof IsolineError) || error.message === this.#trouble?.message) return;
        this.#trouble = error;
        this.#options.events.onChange();
      },
    };
  }

  recordingStarted(): void {
    this.#isRecorded = true;
    this.#step('recordingStarted');
  }

  recordingStopped(): void {
    this.#isRecorded = false;
    this.#path?.recordingStopped();
    this.#step('recordingStopped');
  }

  /**
   * Chooses other leads; not while it records. @throws IsolineError `device_busy`, `device_not_ready`,
   * `invalid_request`
   */
  chooseLeads(leadSetId: string): void {
    if (this.#isRecorded)
      throw new IsolineError('device_busy', 'The leads cannot be changed during a recording. Stop it first.');
    if (this.#path === undefined)
      throw new IsolineError('device_not_ready', 'The device is not ready. Connect it first.');
    this.#path.chooseLeads(leadSetId);
    this.#wantedLeadSet = leadSetId;
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
    // Nothing can be recorded from here on, while the device is still being stopped. A connection under way
    // ends by itself.
    if (this.state !== 'detecting') this.#step('disconnect');
    await this.#connecting?.catch(() => undefined);
    await this.#stopDevice();
    await this.#close();
    await this.#returning;
    this.lostSinceMs = undefined;
  }

  async #stopDevice(): Promise<void> {
    const transport = this.#transport;
    if (transport === undefined || transport.isDeaf === true || this.choice === undefined) return;
    for (const step of this.choice.driver.stop) await runStep(transport, step).catch(() => undefined);
  }

  async #close(): Promise<void> {
    this.#watch.stop();
    clearInterval(this.#keepAlive);
    const transport = this.#transport;
    this.#transport = undefined;
    await transport?.close();
  }
}

function choiceOf({ driver, variant, baud }: ChosenDriver): LinkChoice {
  const chosen = variant ?? (driver.variants[0] as Variant);
  return {
    driver,
    variant: chosen,
    baud: baud ?? (driver.bauds[0] as number),
    alternatives: driver.variants.filter((each) => each !== chosen),
  };
}
