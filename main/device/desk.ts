// All devices on the desk: looks for them, answers what screens and commands ask of them, tells what is new.
// Lives on the main thread and touches no disk.

import { bluetoothPath } from '../../shared/bluetooth-pipes.ts';
import type { Operation } from '../../shared/bridge/contract/operation.ts';
import {
  DESK_CALLS,
  type DeskCall,
  type EventName,
  type EventPayload,
} from '../../shared/bridge/contract.ts';
import type { BridgePort } from '../../shared/bridge/messages.ts';
import { guardAtSeat } from '../../shared/bridge/seat-rules.ts';
import type { HandlersOf } from '../../shared/bridge/server.ts';
import type { DeskDevice, InterruptedRecording } from '../../shared/bridge/views.ts';
import type { RecordingEntry } from '../../shared/entry/recording-entry.ts';
import { IsolineError } from '../../shared/errors.ts';
import { given } from '../../shared/given.ts';
import type { Compressors } from '../signal/compressed-delta/block.ts';
import { ClinicNames } from './clinic-names.ts';
import {
  adapterOf,
  type ConnectChoice,
  type DeskDeviceOptions,
  ManagedDevice,
  nameOfPort,
} from './desk-device.ts';
import { mayBeOpened } from './detection/detect.ts';
import { BRAINFLOW } from './drivers/brainflow/driver.ts';
import { DRIVERS } from './drivers/drivers.ts';
import { HostClock } from './link/host-clock.ts';
import { ClinicConnection } from './recorder/clinic-connection.ts';
import { RHYTHMS } from './simulator/rhythms.ts';
import { findLslStreams } from './transports/find-lsl-streams.ts';
import { writeLslPath } from './transports/lsl-path.ts';
import { PagePipes } from './transports/page-pipes.ts';
import { requireSerialPath } from './transports/port-path.ts';
import { senders } from './transports/same-sender.ts';
import { forgetSimulator, isSimulatorPath } from './transports/simulator.ts';
import { identityOf, type OpenTransport, type PortInfo } from './transports/transport.ts';
import { wayOf } from './transports/ways.ts';

const MAX_SIMULATORS = 8;
const POLL_MS = 1000;
/**
 * Each look costs a process: less often while something is recorded, more often while something is missed.
 */
const POLL_RECORDING_MS = 3000;
const POLL_LOST_MS = 500;
/** A beat is heard soon behind it. */
const LIVE_MS = 100;
/** How far a recording is, is told every so many times. */
const LIVE_PER_PROGRESS = 3;
const CHANGE_MS = 100;
const STREAM_SEARCH_MS = 2000;

/** What the desk needs of the settings; they count from the next start on. */
export interface DeskSettings {
  readonly autoConnect: boolean;
  readonly frameMs: number;
  readonly rollOverHours: number;
  /** A device that does not keep its declared rate records no patient who is known. */
  readonly refusesWrongRate: boolean;
}

export interface DeskOptions {
  /** A connection of the recorder to the clinic. */
  connect(): BridgePort;
  readonly openSerial: OpenTransport;
  listPorts(): Promise<PortInfo[]>;
  readonly compressors: Compressors;
  settings(): DeskSettings;
  readonly clock?: HostClock;
  /** Commands that use one port look for no others. */
  readonly isWatching?: boolean;
  readonly hooks?: Pick<DeskDeviceOptions, 'onBatch' | 'onBytes' | 'onRecorded'>;
}

export type DeskPublish = <K extends EventName>(name: K, payload: EventPayload<K>) => void;

export class Desk {
  readonly #options: DeskOptions;
  readonly #clock: HostClock;
  readonly #clinic: ClinicConnection;
  readonly #devices = new Map<string, ManagedDevice>();
  readonly #listeners = new Set<DeskPublish>();
  #ports: PortInfo[] = [];
  /** Found out already, or in vain: not tried again before it is plugged in again. */
  readonly #tried = new Set<string>();
  readonly #names: ClinicNames;
  #pollTimer: ReturnType<typeof setTimeout> | undefined;
  #liveTimer: ReturnType<typeof setInterval> | undefined;
  #changeTimer: ReturnType<typeof setTimeout> | undefined;
  #liveCount = 0;
  /** Where a patient was last confirmed, or finished with; the workstation itself is no seat. */
  #confirmed: { readonly seatId: number | undefined } | undefined;
  readonly #pipes = new PagePipes((session, port, bytes) => {
    this.#pages.get(session)?.('desk.pipe', { port, bytes });
  });
  /** How a page is told what is meant for it alone. */
  readonly #pages = new Map<string, DeskPublish>();
  #isClosed = false;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#clock = (options.clock ?? new HostClock()).start();
    this.#clinic = new ClinicConnection(
      () => options.connect(),
      () => this.#changed(),
    );
    this.#names = new ClinicNames(this.#clinic, () => this.#changed());
    this.#liveTimer = setInterval(() => this.#publishLive(), LIVE_MS).unref();
    if (options.isWatching !== false) void this.#poll();
  }

  onEvent(listener: DeskPublish): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #publish: DeskPublish = (name, payload) => {
    for (const listener of this.#listeners) listener(name, payload);
  };

  /** Told at most ten times a second. */
  #changed(): void {
    this.#changeTimer ??= setTimeout(() => {
      this.#changeTimer = undefined;
      this.#publish('desk.changed', {});
    }, CHANGE_MS).unref();
  }

  #publishLive(): void {
    if (this.#listeners.size === 0) return;
    const isProgressDue = this.#liveCount++ % LIVE_PER_PROGRESS === 0;
    for (const device of this.#devices.values()) {
      const { findings } = device;
      if (findings !== undefined) this.#publish('desk.live', findings);
      if (isProgressDue && (device.hasRateTurned() || device.isRecording)) this.#changed();
    }
  }

  async #poll(): Promise<void> {
    this.#names.learn();
    const ports = await this.#options.listPorts();
    if (this.#isClosed) return;
    const before = new Set(this.#ports.map(identityOf));
    this.#ports = ports;
    const now = new Set(ports.map(identityOf));
    for (const identity of [...this.#tried]) if (!now.has(identity)) this.#tried.delete(identity);
    for (const [identity, { link }] of this.#devices)
      if (before.has(identity) && !now.has(identity) && link.state === 'disconnected')
        this.#devices.delete(identity);
    if (now.size !== before.size || [...now].some((identity) => !before.has(identity))) this.#changed();
    if (this.#options.settings().autoConnect) for (const port of ports) this.#connectByItself(port);
    const states = [...this.#devices.values()].map(({ link }) => link.state);
    const pauseMs = states.includes('lost')
      ? POLL_LOST_MS
      : states.includes('recording')
        ? POLL_RECORDING_MS
        : POLL_MS;
    this.#pollTimer = setTimeout(() => void this.#poll(), pauseMs).unref();
  }

  /** Only what is plugged in by USB: at a socket of the board may hang anything. */
  #connectByItself(port: PortInfo): void {
    const identity = identityOf(port);
    if (
      port.vendorId === undefined ||
      this.#tried.has(identity) ||
      this.#devices.has(identity) ||
      !mayBeOpened(port)
    )
      return;
    this.#tried.add(identity);
    this.#connectPort(port, {}).catch(() => {
      // Why stands with the device in the list.
    });
  }

  #device(port: PortInfo): ManagedDevice {
    const identity = identityOf(port);
    const known = this.#devices.get(identity);
    if (known !== undefined) return known;
    const { compressors, settings, hooks } = this.#options;
    const device = new ManagedDevice({
      port,
      open: this.#openerOf(port.path),
      clock: this.#clock,
      clinic: this.#clinic,
      compressors,
      find: (wanted) => this.#whereIs(wanted, port),
      frameMs: () => settings().frameMs,
      rollOverMs: () => settings().rollOverHours * 3_600_000,
      refusesWrongRate: () => settings().refusesWrongRate,
      onChange: () => this.#changed(),
      onSamples: (bytes) => this.#publish('desk.samples', { id: identity, bytes }),
      ...hooks,
    });
    this.#devices.set(identity, device);
    return device;
  }

  #openerOf(path: string): OpenTransport {
    const way = wayOf(path);
    return way?.id === 'bluetooth' ? this.#pipes.open : (way?.open ?? this.#options.openSerial);
  }

  /** Looks for a device without an identity at the path where it was; a capture that has ended does not come back. */
  #whereIs(identity: string, { path }: PortInfo): PortInfo | undefined {
    if (wayOf(path)?.id === 'replay') return undefined;
    return identity.startsWith('path:')
      ? { path }
      : this.#ports.find((each) => identityOf(each) === identity);
  }

  async #connectPort(port: PortInfo, choice: ConnectChoice): Promise<string> {
    const device = this.#device(port);
    if (device.link.state !== 'disconnected') {
      // What a path leads to is the device that is there, or that is awaited there.
      const isSame = wayOf(port.path) !== undefined && choice.variant === undefined;
      if (choice.driver === undefined || isSame || device.link.state === 'recording') {
        // While it is being connected it has none yet.
        if (choice.leadSet !== undefined && ![undefined, choice.leadSet].includes(device.link.leadSet?.id))
          device.chooseLeads(choice.leadSet);
        return device.id;
      }
      // Somebody chose another driver than the one that is there.
      await device.disconnect();
    }
    // It may hang at another socket than the last time, and come from another computer.
    device.link.port = port;
    senders.forget(port.path);
    // A serial port may have another device behind it now, which a person has named; other paths say what they lead to.
    const isAsBefore = choice.driver === undefined || wayOf(port.path) !== undefined;
    const known = isAsBefore ? await this.#known(device.id, choice) : undefined;
    try {
      if (known === undefined) await device.connect(choice);
      else await device.connect({ ...known, ...given(choice) }).catch(() => device.connect(choice));
    } catch (error) {
      // A typed path behind which nothing was leaves nothing in the list.
      const isListed = this.#ports.some((each) => identityOf(each) === device.id);
      if (!isListed && device.link.state === 'disconnected') this.#devices.delete(device.id);
      throw error;
    } finally {
      this.#changed();
    }
    await this.#requireLeads(device, choice);
    await this.#remember(device);
    return device.id;
  }

  /** Leads that were asked for by name must be those: others would carry a wrong name. */
  async #requireLeads({ id, link }: ManagedDevice, { leadSet }: ConnectChoice): Promise<void> {
    if (leadSet === undefined || link.leadSet?.id === leadSet) return;
    const offered = (link.format?.leadSets ?? []).map((set) => set.id).join(', ');
    await this.disconnect(id);
    throw new IsolineError(
      'invalid_request',
      `The device has no leads "${leadSet}": choose one of ${offered}.`,
    );
  }

  /** What was behind it the last time; nothing where the clinic can't say now. */
  async #known(identity: string, { variant }: ConnectChoice): Promise<ConnectChoice | undefined> {
    if (!isRemembered(identity)) return undefined;
    const { device } = await this.#clinic
      .call('recorder.known', { identity })
      .catch(() => ({ device: undefined }));
    // An address says nothing of the board behind it: leads of another one would have the same names, and other electrodes.
    return device === undefined || (variant !== undefined && variant !== device.variant)
      ? undefined
      : { driver: device.driver, variant: device.variant, baud: device.baud, leadSet: device.leadSet };
  }

  async #remember({ id, link }: ManagedDevice): Promise<void> {
    const { choice, leadSet } = link;
    if (!isRemembered(id) || choice === undefined || leadSet === undefined) return;
    const { driver, variant, baud } = choice;
    await this.#clinic
      .call('recorder.remember', {
        identity: id,
        driver: driver.id,
        variant: variant.id,
        baud,
        leadSet: leadSet.id,
      })
      .catch(() => undefined);
  }

  #find(id: string): ManagedDevice {
    const device = this.#devices.get(id);
    if (device === undefined) throw deviceMissing();
    return device;
  }

  /** Connects the port with this path, or any other path that is typed. */
  async connect(path: string, choice: ConnectChoice = {}): Promise<string> {
    const port = this.#ports.find((each) => each.path === path || identityOf(each) === path) ?? { path };
    const driver = choice.driver ?? wayOf(path)?.driverOf(path);
    return this.#connectPort(port, { ...choice, driver });
  }

  device(id: string): ManagedDevice {
    return this.#find(id);
  }

  get isRecording(): boolean {
    return [...this.#devices.values()].some((device) => device.isRecording);
  }

  get views(): DeskDevice[] {
    const views = [...this.#devices.values()].map(({ view }) => view);
    const connected = new Set(views.map(({ id }) => id));
    const others = this.#ports.filter((port) => !connected.has(identityOf(port)));
    return this.#names.numbered([...views, ...others.map(unconnected)]);
  }

  async disconnect(id: string): Promise<void> {
    const device = this.#find(id);
    await device.disconnect();
    const { path } = device.link.port;
    if (wayOf(path) === undefined) return;
    forgetSimulator(path);
    senders.forget(path);
    this.#pipes.letGo(path);
    this.#devices.delete(id);
    this.#names.forget(id);
    this.#changed();
  }

  /** Recordings that nobody ended. */
  async interrupted(): Promise<InterruptedRecording[]> {
    const { recordings } = await this.#clinic.call('recorder.open', {});
    const running = new Set(
      (await Promise.all([...this.#devices.values()].map((device) => device.openTasks()))).flat(),
    );
    return recordings.filter(({ taskId }) => !running.has(taskId));
  }

  /** Pages reach devices, not files, and not as many simulators as they like. */
  async #requireReachable(port: string): Promise<void> {
    const way = wayOf(port);
    if (way?.id === 'replay')
      throw new IsolineError(
        'device_not_found',
        'Captures can only be replayed from the command line: isoline record.',
      );
    if (this.#ports.some((each) => each.path === port || identityOf(each) === port)) return;
    if (way === undefined) return requireSerialPath(port);
    if (way.id !== 'simulator') return;
    const simulators = [...this.#devices.values()].filter(
      ({ link }) => isSimulatorPath(link.port.path) && link.port.path !== port,
    );
    if (simulators.length >= MAX_SIMULATORS)
      throw new IsolineError(
        'device_busy',
        `${MAX_SIMULATORS} simulators are already running. Disconnect one first.`,
      );
  }

  /**
   * Answers for a page. Without sign-in, where people have to, it sees what runs, records an emergency and
   * stops a recording; everything else asks the clinic first.
   * @param seatId of a page on another computer or tablet
   */
  handlersFor(session: string, seatId?: number): HandlersOf<DeskCall> {
    const handlers = this.#handlers(session, seatId);
    const guarded = (Object.keys(handlers) as DeskCall[]).map((name) => {
      const operation: Operation = DESK_CALLS[name];
      const answer = handlers[name] as (input: unknown) => Promise<unknown>;
      return [
        name,
        async (input: unknown) => {
          const { right, needsAccount } = seatId !== undefined ? guardAtSeat(name, operation) : operation;
          if (right !== 'anybody') await this.#requireSignedIn(session, needsAccount);
          return answer(input);
        },
      ];
    });
    return Object.fromEntries(guarded) as typeof handlers;
  }

  async #requireSignedIn(session: string, needsAccount: true | undefined): Promise<void> {
    await this.#clinic.call('recorder.requireSignedIn', {
      session,
      ...(needsAccount === true && { needsAccount }),
    });
  }

  /** Who is at a page now, for the audit: later somebody else may be. */
  #actorAt(session: string): Promise<string | undefined> {
    return this.#clinic.call('recorder.actor', { session }).then(
      ({ actor }) => actor,
      () => undefined,
    );
  }

  /** Whether somebody has signed in at a seat; nobody has where the clinic can't say now. */
  async isSignedIn(session: string): Promise<boolean> {
    return this.#requireSignedIn(session, true).then(
      () => true,
      () => false,
    );
  }

  /**
   * Two places may each have somebody confirmed; one couch holds one of them. Who is recorded without a name, as in
   * an emergency, is nobody's mistake.
   * @throws IsolineError `patient_confirmed_elsewhere`
   */
  #requireConfirmedHere(entry: RecordingEntry | undefined, seatId: number | undefined): void {
    if (entry === undefined || this.#confirmed === undefined || this.#confirmed.seatId === seatId) return;
    throw new IsolineError(
      'patient_confirmed_elsewhere',
      'Meanwhile a patient was confirmed at another place. Check who is on the couch, then confirm name and date of birth again.',
    );
  }

  #handlers(session: string, seatId: number | undefined): HandlersOf<DeskCall> {
    return {
      'desk.list': async () => ({ devices: this.views }),
      'desk.drivers': async () => ({
        drivers: DRIVERS.map(({ id, name, variants }) => ({
          id,
          name,
          variants: variants.map((variant) => ({ id: variant.id, name: variant.name })),
        })),
        rhythms: [...RHYTHMS],
        brainFlowBoards: BRAINFLOW.variants.map(({ id, name }) => ({ id, name })),
      }),
      'desk.streams': async ({ host }) => ({
        streams: (await findLslStreams(host, STREAM_SEARCH_MS)).map(({ info, address }) => ({
          port: writeLslPath(info, host),
          name: info.name,
          type: info.type,
          channels: info.channelCount,
          rateHz: info.rateHz,
          hostname: info.hostname,
          address,
        })),
      }),
      'desk.openPipe': async ({ driver, deviceName }) => {
        const port = bluetoothPath({ driver, deviceName });
        if (wayOf(port)?.id !== 'bluetooth') throw deviceMissing();
        const isAwaited = this.#devices.get(identityOf({ path: port }))?.link.state === 'lost';
        // Whoever has it already brings it again, also where nobody is signed in any more; others say who they are.
        if (!isAwaited || !this.#pipes.isOwner(port, session, seatId))
          await this.#requireSignedIn(session, seatId === undefined ? undefined : true);
        this.#pipes.begin(port, session, seatId);
        return { id: await this.connect(port) };
      },
      'desk.fillPipe': async ({ port, bytes }) => {
        this.#pipes.receive(port, session, bytes);
        return {};
      },
      'desk.closePipe': async ({ port }) => {
        this.#pipes.end(port, session);
        return {};
      },
      'desk.columns': async ({ id }) => this.#find(id).columns,
      'desk.interrupted': async () => ({ recordings: await this.interrupted() }),
      'desk.connect': async ({ port, driver, variant, leadSet }) => {
        await this.#requireReachable(port);
        return { id: await this.connect(port, { driver, variant, leadSet }) };
      },
      'desk.disconnect': async ({ id }) => {
        await this.disconnect(id);
        return {};
      },
      'desk.rename': async ({ id, name }) => {
        if (!this.views.some((each) => each.id === id)) throw deviceMissing();
        await this.#names.rename(id, name.trim(), session);
        return {};
      },
      'desk.chooseLeads': async ({ id, leadSet }) => {
        const device = this.#find(id);
        device.chooseLeads(leadSet);
        await this.#remember(device);
        return {};
      },
      'desk.record': async ({ id, ...request }) => {
        this.#requireConfirmedHere(request.entry, seatId);
        return { taskId: await this.#find(id).record({ ...request, session }) };
      },
      'desk.stop': async ({ id }) => ({ taskId: (await this.#find(id).stop(this.#actorAt(session))).taskId }),
      'desk.saveLast': async ({ id, entry }) => {
        this.#requireConfirmedHere(entry, seatId);
        return { taskId: await this.#find(id).saveLast({ entry, session }) };
      },
      'desk.forgetPast': async () => {
        this.#confirmed = { seatId };
        for (const device of this.#devices.values()) device.forgetPast();
        return {};
      },
      'desk.mark': async ({ id }) => {
        this.#find(id).mark();
        return {};
      },
    };
  }

  pageCame(session: string, publish: DeskPublish): void {
    this.#pages.set(session, publish);
  }

  /** A page is gone, and with it the devices that it has paired. */
  pageLeft(session: string): void {
    this.#pages.delete(session);
    this.#pipes.pageLeft(session);
  }

  /** The screen of the computer was locked: nobody is signed in any more. Recordings go on. */
  async lockPages(): Promise<void> {
    // A clinic thread that is away has no sessions either: they end with it.
    await this.#clinic.call('recorder.lockAll', {}).catch(() => undefined);
  }

  /** Ends all recordings and links in order. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pollTimer);
    clearInterval(this.#liveTimer);
    clearTimeout(this.#changeTimer);
    await Promise.allSettled([...this.#devices.values()].map((device) => device.close()));
    this.#clock.stop();
  }
}

/** A path alone may lead to another device tomorrow, unless it names what it leads to. */
const isRemembered = (identity: string): boolean =>
  identity.startsWith('usb:') || wayOf(identity.replace(/^path:/, ''))?.isLasting === true;

const deviceMissing = (): IsolineError =>
  new IsolineError('device_not_found', 'This device is not connected. Plug it in, or connect it first.');

function unconnected(port: PortInfo): DeskDevice {
  const adapter = adapterOf(port);
  return {
    id: identityOf(port),
    port: port.path,
    name: nameOfPort(port),
    ...(adapter !== undefined && { adapter }),
    state: 'disconnected',
    variants: [],
    leadSets: [],
    leads: [],
    isSimulated: false,
    electrodesOff: 0,
  };
}
