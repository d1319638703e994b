// Updates, wired and switched off: nothing is looked for or fetched until the signed release manifest of
// SEC81 is there to check it against. The order of assignments matters: setting the channel turns downgrades
// on (SEC82).

import type { AppUpdater } from 'electron-updater';

export type UpdateSwitches = Pick<
  AppUpdater,
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'channel'
  | 'allowDowngrade'
  | 'allowPrerelease'
  | 'disableWebInstaller'
>;

export function switchUpdatesOff(updater: UpdateSwitches): void {
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.channel = 'latest';
  updater.allowDowngrade = false;
  updater.allowPrerelease = false;
  updater.disableWebInstaller = true;
}
