// Pairs of pseudo-terminals (socat): what is written to one end comes out of the other, and killing the pair
// unplugs it.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { simulatedProtocol } from '../../main/device/simulator/protocols.ts';
import {
  SimulatedDevice,
  type SimulatedDeviceOptions,
} from '../../main/device/simulator/simulated-device.ts';
import { openSerial } from '../../main/device/transports/serial.ts';
import type { Transport } from '../../main/device/transports/transport.ts';
import { INVALID_SAMPLE } from '../../shared/signal/recording.ts';

export const socatMissing =
  process.platform === 'win32'
    ? 'needs pseudo-terminals'
    : spawnSync('socat', ['-V']).error === undefined
      ? undefined
      : 'needs socat';

const PATIENCE_MS = 5000;

export interface TerminalPair extends AsyncDisposable {
  readonly host: string;
  readonly device: string;
  /** Ends the pair at once, as pulling the plug does. */
  unplug(): Promise<void>;
}

/** @param name of the two links; the same again after `unplug` is the same device plugged in again. */
export async function openTerminals(folder: string, name = 'device'): Promise<TerminalPair> {
  const [host, device] = [join(folder, `${name}-host`), join(folder, `${name}-device`)];
  const child: ChildProcess = spawn(
    'socat',
    [`pty,raw,echo=0,link=${host}`, `pty,raw,echo=0,link=${device}`],
    { stdio: 'ignore' },
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for (const deadline = performance.now() + PATIENCE_MS; !existsSync(host) || !existsSync(device); ) {
    if (performance.now() > deadline) throw new Error('socat made no terminals');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const unplug = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
    // Their terminals may be somebody else's soon.
    for (const link of [host, device]) rmSync(link, { force: true });
  };
  return { host, device, unplug, [Symbol.asyncDispose]: unplug };
}

const QUIET_MS = 100;

/** What stays in a terminal when the program that reads it ends; held open from before, or it would be thrown away. */
export class UnreadBytes {
  readonly #terminal: number;

  constructor(path: string) {
    this.#terminal = openSync(path, constants.O_RDONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  }

  #read(): Buffer {
    const bytes = Buffer.alloc(65_536);
    try {
      return bytes.subarray(0, readSync(this.#terminal, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return Buffer.alloc(0);
      throw error;
    }
  }

  /** Once the reader has ended; until nothing more comes. */
  async take(): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let last = performance.now(); performance.now() - last < QUIET_MS; ) {
      const piece = this.#read();
      pieces.push(piece);
      if (piece.length > 0) last = performance.now();
      else await wait(5);
    }
    closeSync(this.#terminal);
    return Buffer.concat(pieces);
  }
}

/** A simulated device that stays switched on while its plug comes and goes. */
export class PluggedDevice {
  readonly device: SimulatedDevice;
  /** All it measured, a channel. */
  readonly measured: Int32Array[][] = [];
  readonly #startMs = performance.now();
  #lastMs = 0;
  #written: Promise<void> = Promise.resolve();
  #transport: Transport | undefined;
  readonly #timer: ReturnType<typeof setInterval>;

  /** @param speed how much faster its clock runs than that of the computer */
  constructor(driver: string, variant?: string, options: Partial<SimulatedDeviceOptions> = {}, speed = 1) {
    this.device = new SimulatedDevice(simulatedProtocol(driver, variant), {
      rhythm: 'sinus',
      noise: 'clean',
      mainsHz: 50,
      seed: 1,
      ...options,
    });
    this.device.onPacket = (codes, { packet }) => {
      // A device that is started again did not measure meanwhile; its place in time goes on.
      if (packet === 0 && this.measured.length > 0) this.#pad(codes.length);
      this.measured.push([...codes]);
      this.#lastMs = performance.now();
    };
    this.#timer = setInterval(() => {
      const pieces = this.device.advance(speed * (performance.now() - this.#startMs));
      if (pieces.length > 0 && this.#transport !== undefined)
        this.#written = this.#transport.write(Buffer.concat(pieces)).catch(() => undefined);
    }, 10);
  }

  #pad(channels: number): void {
    const { rateHz } = this.device.protocol;
    const missing = Math.max(
      0,
      Math.round(((performance.now() - this.#lastMs) * rateHz) / 1000) -
        this.device.protocol.samplesPerPacket,
    );
    this.measured.push(Array.from({ length: channels }, () => new Int32Array(missing).fill(INVALID_SAMPLE)));
  }

  async plugInto(path: string): Promise<void> {
    this.#transport = await openSerial(
      path,
      { baud: 115_200, dtr: true, rts: true },
      { onBytes: (bytes) => this.device.receive(bytes.slice()), onGone: () => undefined },
    );
  }

  async pullOut(): Promise<void> {
    const transport = this.#transport;
    this.#transport = undefined;
    await transport?.close();
  }

  /** Codes of one channel from the first sample on. */
  channel(index: number): number[] {
    return this.measured.flatMap((packet) => [...(packet[index] as Int32Array)]);
  }

  /** What it has measured is written. */
  async switchOff(): Promise<void> {
    clearInterval(this.#timer);
    await this.#written;
    await this.pullOut();
  }
}
