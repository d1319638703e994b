// The end of the program: in order, and not before somebody has agreed where something is recorded.

import type { App, Dialog } from 'electron';
import type { HostWords } from './words.ts';

export interface EndingParts {
  readonly app: Pick<App, 'quit' | 'releaseSingleInstanceLock'>;
  readonly dialog: Pick<Dialog, 'showMessageBox'>;
  readonly words: HostWords;
  readonly isRecording: () => boolean;
  /** What is being recorded is ended in order before the store closes. */
  readonly closeAll: () => Promise<void>;
}

export class Ending {
  readonly #parts: EndingParts;
  #isUnderWay = false;
  #isClosed = false;

  constructor(parts: EndingParts) {
    this.#parts = parts;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  readonly close = async (): Promise<void> => {
    try {
      await this.#parts.closeAll();
    } finally {
      this.#isClosed = true;
      // The version that is started next, maybe at once, takes it.
      this.#parts.app.releaseSingleInstanceLock();
    }
  };

  /** @param mayAsk a computer that shuts down waits for nobody */
  async end(mayAsk = true): Promise<void> {
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    try {
      if (mayAsk && this.#parts.isRecording() && !(await this.#mayEndRecording())) return;
      await this.close();
    } finally {
      this.#isUnderWay = false;
    }
    this.#parts.app.quit();
  }

  async #mayEndRecording(): Promise<boolean> {
    const { endQuestion, endDetail, goOnRecording, endRecording } = this.#parts.words;
    const { response } = await this.#parts.dialog.showMessageBox({
      type: 'warning',
      message: endQuestion,
      detail: endDetail,
      buttons: [goOnRecording, endRecording],
      defaultId: 0,
      cancelId: 0,
    });
    return response === 1;
  }
}
