// What a page of Electron may not do: go elsewhere, open anything, reach the network or a device.

import type { App, Session } from 'electron';
import { isAllowedPermission, isAllowedRequest, isOwnPage } from './window.ts';

/** SEC4: a page goes nowhere and opens nothing. */
export function refuseNavigation(app: Pick<App, 'on'>): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    });
    contents.on('will-frame-navigate', (event) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    });
  });
}

/** SEC5, SEC7: no other permissions, no network for pages, no devices but those of Bluetooth that a person pairs (`chooseBluetooth`). */
export function closeSession(session: Session, isPackaged: boolean): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(isAllowedPermission(permission, contents.getURL())),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) =>
    isAllowedPermission(permission, `${origin}/`),
  );
  session.setDevicePermissionHandler(() => false);
  session.on('select-serial-port', (event, _ports, _contents, answer) => {
    event.preventDefault();
    answer('');
  });
  session.on('select-hid-device', (event, _details, answer) => {
    event.preventDefault();
    answer(null);
  });
  session.on('select-usb-device', (event, _details, answer) => {
    event.preventDefault();
    answer();
  });
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.webRequest.onBeforeRequest((details, answer) =>
    answer({ cancel: !isAllowedRequest(details.url, isPackaged) }),
  );
}
