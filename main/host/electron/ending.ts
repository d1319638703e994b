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
  #isAsking = false;
  #isUnderWay = false;
  #isClosed = false;

  constructor(parts: EndingParts) {
    this.#parts = parts;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  readonly close = async (): Promise<void> => {
    this.#isUnderWay = true;
    try {
      await this.#parts.closeAll();
    } finally {
      this.#isClosed = true;
      // The version that is started next, maybe at once, takes it.
      this.#parts.app.releaseSingleInstanceLock();
    }
  };

  /**
   * @param mayAsk a computer that shuts down waits for nobody, and not for a question that somebody has left
   * open either
   */
  async end(mayAsk = true): Promise<void> {
    if (mayAsk && this.#parts.isRecording() && !(await this.#mayEndRecording())) return;
    if (this.#isUnderWay) return;
    await this.close().finally(() => this.#parts.app.quit());
  }

  async #mayEndRecording(): Promise<boolean> {
    if (this.#isAsking || this.#isUnderWay) return false;
    this.#isAsking = true;
    const { endQuestion, endDetail, goOnRecording, endRecording } = this.#parts.words;
    try {
      const { response } = await this.#parts.dialog.showMessageBox({
        type: 'warning',
        message: endQuestion,
        detail: endDetail,
        buttons: [goOnRecording, endRecording],
        defaultId: 0,
        cancelId: 0,
      });
      return response === 1;
    } finally {
      this.#isAsking = false;
    }
  }
}
