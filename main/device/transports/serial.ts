// Serial ports through the package serialport, with its traps covered: device protocols reference, 1.1.

import { access, constants } from 'node:fs/promises';
import { SerialPort } from 'serialport';
import { IsolineError } from '../../../shared/errors.ts';
import { PROMPT_BINDING } from './prompt-reading.ts';
import {
  BAUD,
  type OpenTransport,
  type PortOptions,
  type Transport,
  type TransportEvents,
} from './transport.ts';

const WRITE_LIMIT_MS = 1000;
const READ_BYTES = 65_536;

/** Errors of the package are plain sentences: only their text tells what happened. */
function toDeviceError(error: Error, path: string): IsolineError {
  const { message } = error;
  const because = (reason: ConstructorParameters<typeof IsolineError>[0], sentence: string): IsolineError =>
    new IsolineError(reason, sentence, {}, { cause: error });
  if (/no such file|file not found|no such device|cannot find/i.test(message))
    return because(
      'device_not_found',
      `There is no port ${path}: plug the device in, or choose another port.`,
    );
  if (/permission denied/i.test(message))
    return because(
      'device_no_permission',
      `This account may not use ${path}: add it to the group "dialout" (on Arch: "uucp"), and log in again.`,
    );
  if (/cannot lock|temporarily unavailable|access denied|busy/i.test(message))
    return because(
      'device_in_use',
      `${path} is used by another program: close that, or choose another port.`,
    );
  return because('device_not_serial', `${path} is no serial port: choose another one.`);
}

const call = (run: (done: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => run((error) => (error ? reject(error) : resolve())));

/** Calls on a port that is closed meanwhile may never come back. */
function withLimit(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new IsolineError('device_lost', 'The device is not responding. Check the cable.')),
    WRITE_LIMIT_MS,
  );
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

class SerialTransport implements Transport {
  readonly #port: SerialPort;
  #isClosing = false;

  constructor(port: SerialPort, events: TransportEvents) {
    this.#port = port;
    port.on('data', (bytes: Buffer) => {
      if (!this.#isClosing) events.onBytes(bytes, performance.now());
    });
    port.on('close', () => {
      if (!this.#isClosing) events.onGone();
    });
    port.on('error', () => {
      // What failed tells whoever asked for it; without a listener it would end the program.
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#port.isOpen) throw new IsolineError('device_lost', 'The device was unplugged.');
    await withLimit(call((done) => this.#port.write(Buffer.from(bytes), done)));
  }

  setBaud(baud: number): Promise<void> {
    return withLimit(call((done) => this.#port.update({ baudRate: baud }, done)));
  }

  /** A pseudo-terminal can't: never fatal. */
  discard(): Promise<void> {
    return withLimit(call((done) => this.#port.flush(done))).catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    // Closed already, or gone: as good.
    if (this.#port.isOpen) await withLimit(call((done) => this.#port.close(done))).catch(() => undefined);
  }
}

/** Pseudo-terminals have no such lines, and some adapters no such timer: never fatal. */
async function setLines(port: SerialPort, { dtr, rts }: PortOptions): Promise<void> {
  const set = (lowLatency: boolean): Promise<void> =>
    withLimit(call((done) => port.set({ dtr, rts, brk: false, ...(lowLatency && { lowLatency }) }, done)));
  await set(true)
    .catch(() => set(false))
    .catch(() => undefined);
}

export const openSerial: OpenTransport = async (path, options, events) => {
  const { baud } = options;
  if (!Number.isInteger(baud) || baud < BAUD.least || baud > BAUD.most)
    throw new IsolineError('device_not_serial', `${baud} is not a valid serial port speed.`);
  let port: SerialPort;
  try {
    // Else the package waits for nothing at a path that is not there.
    if (process.platform === 'linux')
      await access(path, constants.F_OK).catch(() => Promise.reject(new Error('No such file or directory')));
    const settings = {
      path,
      baudRate: baud,
      autoOpen: false,
      hupcl: false,
      lock: true,
      highWaterMark: READ_BYTES,
    };
    // The types of the package hide that the binding can be named; it takes it.
    port = new SerialPort({ ...settings, binding: PROMPT_BINDING } as typeof settings);
    const transport = new SerialTransport(port, events);
    await call((done) => port.open(done));
    await setLines(port, options);
    return transport;
  } catch (error) {
    throw toDeviceError(error instanceof Error ? error : new Error(String(error)), path);
  }
};
