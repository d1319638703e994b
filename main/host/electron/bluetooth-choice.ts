// Which Bluetooth device a page gets: Electron asks again with every device that appears, and waits for one answer. A person
// says which, also where there is one: a dry strap is not seen, and the one that is may be somebody else's.

import type { BluetoothDevice, Dialog, WebContents } from 'electron';
import type { HostWords } from './words.ts';

/** After the first one, others of the kind get so long to appear. */
const OTHERS_MS = 3000;
/** Nothing appears any more. */
const NOTHING_MS = 30_000;

type Choose = (devices: readonly BluetoothDevice[]) => Promise<string>;

/** One search of a page. */
export class BluetoothChoice {
  readonly #choose: Choose;
  readonly #onEnded: () => void;
  #devices: readonly BluetoothDevice[] = [];
  #answer: (id: string) => void = () => undefined;
  #timer: ReturnType<typeof setTimeout>;
  #isChoosing = false;

  constructor(choose: Choose, onEnded: () => void) {
    this.#choose = choose;
    this.#onEnded = onEnded;
    this.#timer = setTimeout(() => this.#end(''), NOTHING_MS);
  }

  /** @param answer with the id of a device, or with nothing where none is wanted; the newest one counts */
  found(devices: readonly BluetoothDevice[], answer: (id: string) => void): void {
    const isFirst = this.#devices.length === 0 && devices.length > 0;
    this.#devices = devices;
    this.#answer = answer;
    if (!isFirst || this.#isChoosing) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#decide(), OTHERS_MS);
  }

  async #decide(): Promise<void> {
    this.#isChoosing = true;
    this.#end(await this.#choose(this.#devices));
  }

  #end(id: string): void {
    clearTimeout(this.#timer);
    this.#answer(id);
    this.#onEnded();
  }
}

/** @param dialog shows the names of the devices as buttons */
export function chooseBluetooth(
  contents: Pick<WebContents, 'on'>,
  dialog: Pick<Dialog, 'showMessageBox'>,
  words: HostWords,
): void {
  let current: BluetoothChoice | undefined;
  const choose: Choose = async (devices) => {
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: words.bluetoothQuestion,
      buttons: [...devices.map(({ deviceName }) => deviceName), words.cancel],
      cancelId: devices.length,
      noLink: true,
    });
    return devices[response]?.deviceId ?? '';
  };
  contents.on('select-bluetooth-device', (event, devices, answer) => {
    event.preventDefault();
    current ??= new BluetoothChoice(choose, () => {
      current = undefined;
    });
    current.found(devices, answer);
  });
}
