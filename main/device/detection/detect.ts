// Finds out what is behind a port: listens first, at the speeds that its adapter suggests, and asks only
// where asking can do no harm (device protocols reference, 1.4).

import { setTimeout as wait } from 'node:timers/promises';
import { IsolineError } from '../../../shared/errors.ts';
import type { Driver, PortSettings, Variant } from '../driver.ts';
import { DRIVERS } from '../drivers/drivers.ts';
import { runStep } from '../link/handshake.ts';
import type { OpenTransport, PortInfo, Transport } from '../transports/transport.ts';
import { type Recognised, Recogniser } from './recogniser.ts';

const LISTEN_MS = 2500;
/** Bytes that no parser makes a packet of tell that the speed is wrong. */
const WRONG_SPEED_MS = 700;
const WRONG_SPEED_BYTES = 200;
const SETTLE_AFTER_BAUD_MS = 50;
const TOTAL_MS = 20_000;
const LOOK_MS = 50;

const FTDI_BAUDS = [115_200, 57_600, 230_400, 9600];
const ALL_BAUDS = [115_200, 57_600, 230_400, 9600, 921_600, 460_800, 250_000, 38_400, 19_200];
/** Devices whose own controller is the USB port: a speed means nothing to them. */
const NATIVE = new Set(['2e8a', '303a', '16c0', '1915', '2fe3', '2047', '0483']);
/** With these both lines high would hold the board in reset. */
const RESET_CIRCUIT = new Set(['10c4:ea60', '1a86:55d4', '303a:1001']);
/** Debuggers and bootloaders. */
const NEVER_OPENED = new Set([
  '2047:0013',
  '2047:0014',
  '2047:0200',
  '2047:0203',
  '2047:0204',
  '2341:0036',
  '2341:0369',
  '2e8a:0003',
  '2e8a:000c',
]);
const DEFAULT_SETTLE_MS = 300;

const usbOf = ({ vendorId, productId }: PortInfo): string => `${vendorId ?? ''}:${productId ?? ''}`;

export const mayBeOpened = (port: PortInfo): boolean => !NEVER_OPENED.has(usbOf(port));

/** How much the adapter speaks for a driver, 0 to 3. It orders the work and never rules anything out. */
export function weightOf(driver: Driver, { vendorId, productId, product }: PortInfo): number {
  if (product !== undefined && driver.bluetoothName?.test(product)) return 3;
  return Math.max(
    0,
    ...driver.adapters
      .filter(
        (match) =>
          match.vendorId === vendorId && (match.productId === undefined || match.productId === productId),
      )
      .map(({ weight }) => weight),
  );
}

function baudsFor({ vendorId }: PortInfo): readonly number[] {
  if (vendorId !== undefined && NATIVE.has(vendorId)) return [115_200];
  return vendorId === '0403' ? FTDI_BAUDS : ALL_BAUDS;
}

function settingsFor(port: PortInfo): PortSettings {
  const isHeldInReset = RESET_CIRCUIT.has(usbOf(port));
  const likely = DRIVERS.filter((driver) => weightOf(driver, port) > 0);
  const settleMs = Math.max(
    DEFAULT_SETTLE_MS,
    ...likely.map((driver) => Math.min(driver.port.settleMs, LISTEN_MS)),
  );
  return { dtr: !isHeldInReset, rts: !isHeldInReset, settleMs };
}

export interface Detected {
  readonly driver: Driver;
  readonly variant: Variant;
  readonly alternatives: readonly Variant[];
  readonly baud: number;
}

/** A port that is listened to. */
class Listening {
  transport: Transport | undefined;
  recogniser = new Recogniser(DRIVERS);
  text = '';
  isGone = false;

  async open(open: OpenTransport, port: PortInfo, baud: number): Promise<void> {
    const { dtr, rts } = settingsFor(port);
    this.transport = await open(
      port.path,
      { baud, dtr, rts },
      {
        onBytes: (bytes, arrivalMs) => {
          this.recogniser.push(bytes, arrivalMs);
          this.text = (this.text + String.fromCharCode(...bytes.subarray(0, 4096))).slice(-8192);
        },
        onGone: () => {
          this.isGone = true;
        },
      },
    );
  }

  /** Starts again at another speed. */
  async restart(baud: number): Promise<void> {
    await this.transport?.setBaud(baud);
    await wait(SETTLE_AFTER_BAUD_MS);
    this.recogniser = new Recogniser(DRIVERS);
    this.text = '';
  }
}

function toDetected({ driver, variant, alternatives }: Recognised, baud: number): Detected {
  return { driver, variant, alternatives, baud };
}

async function listen(
  listening: Listening,
  limitMs: number,
  signal: AbortSignal,
): Promise<Recognised | undefined> {
  const startMs = performance.now();
  for (;;) {
    signal.throwIfAborted();
    if (listening.isGone) throw new IsolineError('device_lost', 'The device was unplugged during detection.');
    const { recogniser } = listening;
    const { recognised, fault } = recogniser;
    if (fault !== undefined) throw new IsolineError('device_unusable', fault);
    if (recognised !== undefined) return recognised;
    const elapsedMs = performance.now() - startMs;
    if (elapsedMs > WRONG_SPEED_MS && recogniser.bytes >= WRONG_SPEED_BYTES && !recogniser.hasPackets)
      return undefined;
    if (elapsedMs > limitMs) return undefined;
    await wait(LOOK_MS);
  }
}

const mayProbe = (driver: Driver, port: PortInfo): boolean =>
  (driver.probe?.adapters ?? []).some(
    (adapter) => adapter === usbOf(port) || adapter === `${port.vendorId}:*`,
  ) ||
  (driver.bluetoothName !== undefined &&
    port.product !== undefined &&
    driver.bluetoothName.test(port.product));

/** Asks a silent device, the likeliest drivers first. */
async function probe(
  listening: Listening,
  port: PortInfo,
  signal: AbortSignal,
): Promise<Detected | undefined> {
  const candidates = DRIVERS.filter((driver) => driver.probe !== undefined && mayProbe(driver, port)).sort(
    (a, b) => weightOf(b, port) - weightOf(a, port),
  );
  for (const driver of candidates)
    for (const baud of driver.probe?.bauds ?? []) {
      await listening.restart(baud);
      signal.throwIfAborted();
      const transport = listening.transport as Transport;
      const answer = await runStep(
        transport,
        driver.probe?.step ?? {},
        () => listening.text,
        () => {
          listening.text = '';
        },
        signal,
      ).catch(() => undefined);
      signal.throwIfAborted();
      if (answer === undefined) continue;
      if (answer.fault !== undefined) throw new IsolineError('device_unusable', answer.fault);
      const variant =
        driver.variants.find(({ id }) => id === answer.variant) ?? (driver.variants[0] as Variant);
      return { driver, variant, alternatives: [], baud };
    }
  return undefined;
}

/**
 * @returns undefined where nobody knows the device: a person must choose.
 * @throws IsolineError where the port can't be opened, or the device says why it can't be used; the signal's
 * reason when it is called off
 */
export async function detect(
  port: PortInfo,
  open: OpenTransport,
  cancelled: AbortSignal,
): Promise<Detected | undefined> {
  if (!mayBeOpened(port)) return undefined;
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(TOTAL_MS)]);
  const listening = new Listening();
  const bauds = baudsFor(port);
  try {
    await listening.open(open, port, bauds[0] as number);
    for (const [i, baud] of bauds.entries()) {
      if (i > 0) await listening.restart(baud);
      const limitMs = i === 0 ? settingsFor(port).settleMs + LISTEN_MS : LISTEN_MS;
      const recognised = await listen(listening, limitMs, signal);
      if (recognised !== undefined) return toDetected(recognised, baud);
      // A device that talks gives garbage at every wrong speed, never silence.
      if (i === 0 && listening.recogniser.bytes === 0) return await probe(listening, port, signal);
    }
    return undefined;
  } catch (error) {
    if (signal.aborted && !cancelled.aborted) return undefined;
    throw error;
  } finally {
    await listening.transport?.close();
  }
}
