// The menu of the program. On macOS it is seen; elsewhere its bar stays hidden, and its shortcuts work. The keys of the
// screens are the pages' own.

import type { MenuItemConstructorOptions } from 'electron';
import type { HostWords } from './words.ts';

/** @param go opens a screen, by its place in the address */
export function menuTemplate(
  words: HostWords,
  platform: NodeJS.Platform,
  go: (place: string) => void,
): MenuItemConstructorOptions[] {
  const places = Object.entries(words.places).map(
    ([place, label]): MenuItemConstructorOptions => ({ label, click: () => go(place) }),
  );
  const isMac = platform === 'darwin';
  return [
    ...(isMac
      ? [{ role: 'appMenu' } as const]
      : [{ label: words.file, submenu: [{ role: 'quit' as const, label: words.quit }] }]),
    { role: 'editMenu', label: words.edit },
    {
      label: words.view,
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
      ],
    },
    { label: words.go, submenu: places },
    ...(isMac ? [{ role: 'windowMenu' } as const] : []),
    {
      role: 'help',
      label: words.help,
      submenu: [{ label: words.guide, click: () => go('help/user-guide') }],
    },
  ];
}
