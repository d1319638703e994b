// Reads a serial port when it has bytes, on the thread that wants them. The package hands each read to Node's
// pool of threads, where it waits behind every sync of the disk and every hash: a disk that stands still for
// some seconds would make a device that is there look silent, and its bytes overflow. The port never blocks:
// it is only read when the system says that there is something.

import { readSync } from 'node:fs';
import { SerialPort } from 'serialport';

/** What is used of a port of the package on Linux and macOS. */
interface UnixPort {
  readonly fd: number | null;
  readonly isOpen: boolean;
  readonly poller: { once(event: 'readable', listener: (error: Error | null) => void): void };
  read(buffer: Buffer, offset: number, length: number): Promise<{ bytesRead: number; buffer: Buffer }>;
}

type Binding = typeof SerialPort.binding;
type OpenOptions = Parameters<Binding['open']>[0];

const isUnixPort = (port: object): port is UnixPort => 'fd' in port && 'poller' in port;
/** Nothing there after all, or interrupted: asked again. */
const AGAIN: readonly unknown[] = ['EAGAIN', 'EWOULDBLOCK', 'EINTR'];

const closed = (): Error => Object.assign(new Error('Port is not open'), { canceled: true });

async function readPromptly(
  port: UnixPort,
  buffer: Buffer,
  offset: number,
  length: number,
): Promise<{ bytesRead: number; buffer: Buffer }> {
  for (;;) {
    if (!port.isOpen) throw closed();
    // Each read takes a turn of the event loop, so that a device that never pauses leaves time for others.
    await new Promise<void>((resolve, reject) =>
      port.poller.once('readable', (error) => (error === null ? resolve() : reject(error))),
    );
    const { fd } = port;
    if (fd === null) throw closed();
    try {
      const bytesRead = readSync(fd, buffer, offset, length, null);
      // No bytes, although there was something: the other end hung up. The package would ask again for ever.
      if (bytesRead === 0) throw new Error('the device hung up');
      return { bytesRead, buffer };
    } catch (error) {
      if (!AGAIN.includes((error as NodeJS.ErrnoException).code)) throw error;
    }
  }
}

/** For `new SerialPort({ binding })`. */
export const PROMPT_BINDING = {
  ...SerialPort.binding,
  async open(options: OpenOptions) {
    const port = await (SerialPort.binding as { open(options: OpenOptions): Promise<object> }).open(options);
    if (isUnixPort(port)) port.read = (buffer, offset, length) => readPromptly(port, buffer, offset, length);
    return port;
  },
};
