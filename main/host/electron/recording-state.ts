// What follows from a recording that runs: the computer does not sleep, and the tray says so.

import type { Menu, NativeImage, PowerSaveBlocker, Tray } from 'electron';
import type { Desk } from '../../device/desk.ts';
import type { HostWords } from './words.ts';

/** Calls back once at the beginning, and whenever it changes. */
export function watchRecording(
  desk: Pick<Desk, 'isRecording' | 'onEvent'>,
  onChange: (isOn: boolean) => void,
): void {
  let wasOn = desk.isRecording;
  onChange(wasOn);
  desk.onEvent((name) => {
    if (name !== 'desk.changed') return;
    const isOn = desk.isRecording;
    if (isOn !== wasOn) onChange(isOn);
    wasOn = isOn;
  });
}

/** The screen may go dark; the computer stays awake. */
export function stayAwake(blocker: Pick<PowerSaveBlocker, 'start' | 'stop'>): (isOn: boolean) => void {
  let id: number | undefined;
  return (isOn) => {
    if (isOn) id ??= blocker.start('prevent-app-suspension');
    else if (id !== undefined) {
      blocker.stop(id);
      id = undefined;
    }
  };
}

interface TrayParts {
  readonly electron: {
    readonly Tray: new (image: NativeImage) => Tray;
    readonly Menu: Pick<typeof Menu, 'buildFromTemplate'>;
  };
  readonly icon: NativeImage;
  readonly words: HostWords;
  readonly show: () => void;
  readonly quit: () => void;
}

/** @returns what to call when it changes */
export function openTray({ electron, icon, words, show, quit }: TrayParts): (isOn: boolean) => void {
  const tray = new electron.Tray(icon);
  tray.on('click', show);
  return (isOn) => {
    const state = isOn ? words.recording : words.ready;
    tray.setToolTip(state);
    tray.setContextMenu(
      electron.Menu.buildFromTemplate([
        { label: state, enabled: false },
        { type: 'separator' },
        { label: words.open, click: show },
        { label: words.quit, click: quit },
      ]),
    );
  };
}
