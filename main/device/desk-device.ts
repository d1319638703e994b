// One device on the desk: its link, what is said of its signal while it runs, and its recorder.

import type { CallOutput } from '../../shared/bridge/contract.ts';
import { encodeSamples } from '../../shared/bridge/sample-message.ts';
import type { DeskDevice } from '../../shared/bridge/views.ts';
import { IsolineError } from '../../shared/errors.ts';
import { given } from '../../shared/given.ts';
import { deadLeads, SOME_ELECTRODE } from '../../shared/signal/electrode.ts';
import type { LiveFindings } from '../../shared/signal/live/live-findings.ts';
import type { RecordedDevice } from '../../shared/signal/stream-file.ts';
import type { Compressors } from '../signal/compressed-delta/block.ts';
import { LiveAnalysis } from '../signal/live/live-analysis.ts';
import { trueRateHz } from '../signal/true-rate.ts';
import { tellsLosses } from './driver.ts';
import { findDriver, findVariant } from './drivers/drivers.ts';
import { TEXT } from './drivers/text/driver.ts';
import { LastBytes, receivedColumns } from './drivers/text/received.ts';
import { type ChosenDriver, DeviceLink, type LinkOptions } from './link/device-link.ts';
import type { HostClock } from './link/host-clock.ts';
import type { LeadBatch, LeadScale } from './link/lead-maker.ts';
import type { ClinicConnection } from './recorder/clinic-connection.ts';
import type { BuiltFrame } from './recorder/frame-builder.ts';
import { Recorder } from './recorder/recorder.ts';
import type { RecordingSummary, RecordRequest } from './recorder/session.ts';
import type { PortInfo } from './transports/transport.ts';
import { wayOf } from './transports/ways.ts';

/** A program that is to end does not wait for ever for a disk that takes nothing. */
const CLOSE_LIMIT_MS = 15_000;

export interface DeskDeviceOptions extends Omit<LinkOptions, 'events'> {
  readonly clinic: ClinicConnection;
  readonly clock: HostClock;
  readonly compressors: Compressors;
  frameMs(): number;
  rollOverMs(): number;
  /** Whether a device that does not keep its declared rate records nobody who is known. */
  refusesWrongRate(): boolean;
  onChange(): void;
  onSamples(bytes: Uint8Array): void;
  onBatch?(batch: LeadBatch, scale: LeadScale): void;
  onBytes?(bytes: Uint8Array): void;
  onRecorded?(taskId: number, frame: BuiltFrame): void;
}

export interface ConnectChoice {
  readonly driver?: string | undefined;
  readonly variant?: string | undefined;
  readonly baud?: number | undefined;
  readonly leadSet?: string | undefined;
}

function chosenDriver({ driver: name, variant, baud }: ConnectChoice): ChosenDriver | undefined {
  if (name === undefined) return undefined;
  const driver = findDriver(name);
  return { driver, variant: variant === undefined ? undefined : findVariant(driver, variant), baud };
}

export class ManagedDevice {
  readonly link: DeviceLink;
  readonly #options: DeskDeviceOptions;
  #recorder: Recorder | undefined;
  /** Recorders of other leads that may still have something to store. */
  readonly #former = new Set<Recorder>();
  #live: LiveAnalysis | undefined;
  #scale: LeadScale | undefined;
  #toldRateHz: number | undefined;
  /** What a text device sent last. */
  readonly #lastBytes = new LastBytes();

  constructor(options: DeskDeviceOptions) {
    this.#options = options;
    this.link = new DeviceLink({
      ...options,
      events: {
        onChange: options.onChange,
        onBatch: (batch) => this.#take(batch),
        onBytes: (bytes) => {
          if (this.#isText) this.#lastBytes.add(bytes);
          options.onBytes?.(bytes);
        },
      },
    });
  }

  get id(): string {
    return this.link.identity;
  }

  /** Nobody is connected to it who is here now. */
  get isSimulated(): boolean {
    const { port, format } = this.link;
    return wayOf(port.path)?.isLasting === false || format?.isSimulated === true;
  }

  get #isText(): boolean {
    return this.link.choice?.driver.id === TEXT.id;
  }

  /** @throws IsolineError `device_not_ready` */
  get columns(): CallOutput<'desk.columns'> {
    const { format, scale, leadSet } = this.link;
    if (!this.#isText || format === undefined || scale === undefined)
      throw new IsolineError(
        'device_not_ready',
        'The device is not ready. Wait for its signal, or check the cable.',
      );
    return {
      ...receivedColumns(this.#lastBytes.lines, format, scale.rateHz),
      ...(leadSet !== undefined && { leadSet: leadSet.id }),
    };
  }

  get isRecording(): boolean {
    return this.#recorder?.isRecording === true;
  }

  /** @throws IsolineError with the sentence for the person at the screen */
  async connect(choice: ConnectChoice): Promise<void> {
    await this.link.connect(chosenDriver(choice), choice.leadSet);
  }

  async disconnect(): Promise<void> {
    if (this.isRecording)
      throw new IsolineError('device_busy', 'This device is recording. Stop the recording first.');
    await this.link.disconnect();
    this.#lastBytes.clear();
    this.#scale = undefined;
    await this.#retireRecorder();
  }

  /** It stores what it has, and takes nothing more. */
  async #retireRecorder(): Promise<void> {
    const recorder = this.#recorder;
    if (recorder === undefined) return;
    this.#recorder = undefined;
    this.#former.add(recorder);
    await recorder.close();
    this.#former.delete(recorder);
  }

  chooseLeads(leadSet: string): void {
    this.link.chooseLeads(leadSet);
  }

  #take(batch: LeadBatch): void {
    const { scale } = this.link;
    if (scale === undefined) return;
    if (scale !== this.#scale) this.#begin(scale);
    this.#recorder?.take(batch);
    this.#options.onBatch?.(batch, scale);
    if (batch.count === 0) return;
    const isAfterGap = batch.gap !== undefined;
    if (this.#live !== undefined)
      this.#live.deadLeads = deadLeads(this.link.scale?.leadCodes ?? [], this.link.electrodesOff);
    if (batch.gap?.kind === 'disconnect' || batch.gap?.kind === 'restart') this.#live?.forget();
    this.#live?.push({
      firstSample: batch.firstSample,
      leads: batch.leads,
      isAfterGap,
      saturated: batch.saturated,
    });
    for (const event of batch.events) if (event.kind === 'pace') this.#live?.markPace(event.sample);
    this.#options.onSamples(
      encodeSamples({
        isSimulated: this.isSimulated,
        firstSample: batch.firstSample,
        arrivalMs: batch.arrivalMs ?? 0,
        rateHz: scale.rateHz,
        lsbUv: scale.lsbUv,
        leads: batch.leads,
        isAfterGap,
        saturated: batch.saturated,
      }),
    );
  }

  /** The device sends something new: what is kept of before does not go with it. */
  #begin(scale: LeadScale): void {
    this.#scale = scale;
    this.#live = new LiveAnalysis(scale);
    void this.#retireRecorder();
    const { clinic, clock, compressors, frameMs, rollOverMs, onChange, onRecorded } = this.#options;
    this.#recorder = new Recorder({
      clinic,
      clock,
      scale,
      compressors,
      electrodesOff: this.link.electrodesOff,
      device: () => this.#recorded(),
      frameMs: frameMs(),
      rollOverMs: rollOverMs(),
      onChange,
      ...(onRecorded !== undefined && { onRecorded }),
      onEnded: () => this.link.recordingStopped(),
    });
  }

  #recorded(): RecordedDevice {
    const { format, choice, drift, leadSet } = this.link;
    const { driver, variant } = choice ?? {};
    return {
      driver: driver?.id ?? '',
      variant: variant?.id ?? '',
      name: format?.deviceName ?? driver?.name ?? '',
      ...(format?.serialNumber !== undefined && { serialNumber: format.serialNumber }),
      class: format?.class ?? 'monitoring',
      isSimulated: this.isSimulated,
      isCalibrated: format?.isCalibrated ?? false,
      leadSet: leadSet?.id ?? '',
      highPassHz: format?.highPassHz ?? 0,
      lowPassHz: format?.lowPassHz ?? 0,
      ...(format?.notchHz !== undefined && { notchHz: format.notchHz }),
      hasCounter: variant !== undefined && tellsLosses(variant.packets),
      ...(drift !== undefined && { drift }),
    };
  }

  #ready(): Recorder {
    const recorder = this.#recorder;
    if (recorder === undefined || (this.link.state !== 'ready' && this.link.state !== 'recording'))
      throw new IsolineError(
        'device_not_ready',
        'The device is not ready. Wait for its signal, or check the cable.',
      );
    return recorder;
  }

  /**
   * An emergency, of whom nothing is known yet, is recorded with whatever device there is.
   * @throws IsolineError `device_rate_wrong`
   */
  #requireTrueRate({ entry }: Pick<RecordRequest, 'entry'>): void {
    if (entry === undefined || !this.#isRateRefused) return;
    throw new IsolineError(
      'device_rate_wrong',
      'This device does not keep its sampling rate. Record with another device, or allow it in the settings.',
    );
  }

  get #isRateRefused(): boolean {
    return this.#options.refusesWrongRate() && trueRateHz(this.link.drift) !== undefined;
  }

  /** Whether, since it was last asked, the device was found to keep another rate, or its own again. */
  hasRateTurned(): boolean {
    const before = this.#toldRateHz;
    this.#toldRateHz = trueRateHz(this.link.drift);
    return (before === undefined) !== (this.#toldRateHz === undefined);
  }

  async record(request: RecordRequest): Promise<number> {
    const recorder = this.#ready();
    this.#requireTrueRate(request);
    const task = recorder.record(request);
    if (recorder.isRecording) this.link.recordingStarted();
    try {
      return await task;
    } catch (error) {
      if (!recorder.isRecording) this.link.recordingStopped();
      throw error;
    }
  }

  /** @param by as `Recorder.stop` */
  async stop(by?: Promise<string | undefined>): Promise<RecordingSummary> {
    const recorder = this.#recorder;
    if (recorder === undefined) throw new IsolineError('recording_not_found', 'Nothing is being recorded.');
    const stopped = recorder.stop(by);
    this.link.recordingStopped();
    return stopped;
  }

  /** Returns when the recording is over and on the disk, whoever ended it. */
  async untilEnded(): Promise<RecordingSummary> {
    if (this.#recorder === undefined)
      throw new IsolineError('recording_not_found', 'Nothing is being recorded.');
    return this.#recorder.untilEnded();
  }

  async saveLast(request: Pick<RecordRequest, 'entry' | 'session'> = {}): Promise<number> {
    this.#requireTrueRate(request);
    return this.#ready().saveLast(request);
  }

  forgetPast(): void {
    this.#recorder?.forgetPast();
    // A recording of somebody goes on being watched as it was.
    if (this.#recorder?.isRecording !== true) this.#live?.forget();
  }

  mark(): void {
    this.#ready().mark();
  }

  /** Ends recording and link in order. */
  async close(): Promise<void> {
    await Promise.all(this.#recorders.map((recorder) => recorder.close(CLOSE_LIMIT_MS)));
    this.link.recordingStopped();
    await this.link.disconnect();
  }

  /** Tasks that it has not closed yet. */
  async openTasks(): Promise<number[]> {
    return (await Promise.all(this.#recorders.map((recorder) => recorder.openTasks()))).flat();
  }

  get #recorders(): Recorder[] {
    return this.#recorder === undefined ? [...this.#former] : [this.#recorder, ...this.#former];
  }

  get findings(): LiveFindings | undefined {
    const { state } = this.link;
    if (this.#live === undefined || (state !== 'ready' && state !== 'recording' && state !== 'lost'))
      return undefined;
    const { electrodesOff } = this.link;
    // Where the device says which electrode is off, the leads without it go on; where it can't, none is sure.
    const hindrance =
      state === 'lost' ? 'lost' : (electrodesOff & SOME_ELECTRODE) !== 0 ? 'leadOff' : undefined;
    return { id: this.id, ...this.#live.findings(hindrance), pastMs: this.#recorder?.pastMs ?? 0 };
  }

  get view(): DeskDevice {
    const { link } = this;
    const { choice, format, leadSet, scale, batteryPercent, lostSinceMs, drift, trouble } = link;
    const recording = this.#recorder?.status;
    const ended = this.#recorder?.ended;
    const notice = recording?.notice ?? this.#recorder?.notice;
    const choices = choice === undefined ? [] : [choice.variant, ...choice.alternatives];
    return {
      id: this.id,
      port: link.port.path,
      name: format?.deviceName ?? choice?.driver.name ?? nameOfPort(link.port),
      ...given({ adapter: wayOf(link.port.path)?.describe?.(link.port.path) ?? adapterOf(link.port) }),
      state: link.state,
      ...(choice !== undefined && { driver: choice.driver.id, variant: choice.variant.id }),
      variants: choices.map(({ id, name }) => ({ id, name })),
      ...(leadSet !== undefined && { leadSet: leadSet.id }),
      leadSets: (format?.leadSets ?? []).map(({ id, name }) => ({ id, name })),
      leads: [...(scale?.leadCodes ?? [])],
      ...(scale !== undefined && { rateHz: scale.rateHz, lsbUv: scale.lsbUv }),
      ...(format !== undefined && { deviceClass: format.class, isCalibrated: format.isCalibrated }),
      ...(choice !== undefined && { hasCounter: tellsLosses(choice.variant.packets) }),
      isSimulated: this.isSimulated,
      ...(batteryPercent !== undefined && { batteryPercent }),
      electrodesOff: link.electrodesOff,
      ...(lostSinceMs !== undefined && { lostSinceMs }),
      ...(drift !== undefined && { driftPpm: drift.driftPpm, ...given({ trueRateHz: trueRateHz(drift) }) }),
      ...(this.#isRateRefused && { isRateRefused: true }),
      ...(trouble !== undefined && { trouble: { reason: trouble.reason, message: trouble.message } }),
      ...(ended !== undefined && { lastRecording: ended }),
      ...(recording !== undefined && {
        recording: { ...recording, ...(notice !== undefined && { notice }) },
      }),
    };
  }
}

const CHIPS: Readonly<Record<string, string>> = {
  '0403': 'FTDI',
  '10c4': 'Silicon Labs',
  '1a86': 'WCH',
  '2341': 'Arduino',
  '2a03': 'Arduino',
  '16c0': 'Teensy',
  '2e8a': 'Raspberry Pi',
  '303a': 'Espressif',
  '1915': 'Nordic',
  '2fe3': 'Zephyr',
  '2047': 'Texas Instruments',
  '067b': 'Prolific',
  '0483': 'STMicroelectronics',
};

/** `USB serial, FTDI`: nobody has to know the number of a port. */
export function adapterOf({ vendorId, manufacturer }: PortInfo): string | undefined {
  if (vendorId === undefined) return undefined;
  return `USB serial, ${CHIPS[vendorId] ?? manufacturer ?? vendorId}`;
}

export const nameOfPort = (port: PortInfo): string => port.product ?? adapterOf(port) ?? port.path;
