// A stand-in for the module `electron`, enough to run our IPC glue without its program: two ends of an IPC
// channel that copy structured values, frames with addresses, and a context bridge that remembers what was
// exposed.

import { EventEmitter } from 'node:events';

export interface FakeFrame {
  url: string;
}

export class FakeWebContents extends EventEmitter {
  mainFrame: FakeFrame = { url: 'app://isoline/index.html' };
  readonly toPage = new EventEmitter();
  #isDestroyed = false;

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  send(channel: string, message: unknown): void {
    const copy = structuredClone(message);
    setImmediate(() => this.toPage.emit(channel, {}, copy));
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.emit('destroyed');
  }
}

export class FakeElectron {
  readonly contents = new FakeWebContents();
  readonly ipcMain = new EventEmitter();
  readonly exposed: Record<string, unknown> = {};

  readonly contextBridge = {
    exposeInMainWorld: (name: string, api: unknown): void => {
      this.exposed[name] = api;
    },
  };

  readonly ipcRenderer = {
    send: (channel: string, message: unknown): void => {
      const copy = structuredClone(message);
      setImmediate(() =>
        this.ipcMain.emit(channel, { sender: this.contents, senderFrame: this.contents.mainFrame }, copy),
      );
    },
    on: (channel: string, listener: (event: unknown, message: unknown) => void): void => {
      this.contents.toPage.on(channel, listener);
    },
  };
}
