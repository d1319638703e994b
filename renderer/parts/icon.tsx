// The icons of the frame and the lists: line drawings on a 24 × 24 grid, always beside a word.

import type { ReactNode } from 'react';

const DRAWINGS = {
  patient: 'M15.6 8a3.6 3.6 0 1 1-7.2 0a3.6 3.6 0 0 1 7.2 0M5 20c.6-4 3.4-6 7-6s6.400 2 7 6',
  live: 'M2.500 12.500h4l1.500-3 1.800 3h1.400L13 4l2.300 15 1.600-6.500h4.600',
  worklist: 'M8.500 6h12M8.500 12h12M8.500 18h12M4 6h.01M4 12h.01M4 18h.01',
  review:
    'M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zM3 13h5l1.500-3 2.500 6 2-4.500.800 1.500H21',
  sync: 'M20 11a8 8 0 0 0-14.300-4L3.500 9.300M4 13a8 8 0 0 0 14.300 4l2.200-2.300M3.500 4.800v4.500H8M20.500 19.200v-4.500H16',
  devices: 'M9 3v5M15 3v5M7 8h10v4a5 5 0 0 1-10 0zM12 17v4',
  settings:
    'M4 7h9M19 7h1M4 17h1M11 17h9M18.600 7a2.600 2.600 0 1 1-5.200 0a2.600 2.600 0 0 1 5.200 0M10.600 17a2.600 2.600 0 1 1-5.200 0a2.600 2.600 0 0 1 5.200 0',
  seat: 'M7 3h10a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM11 18h2',
  lock: 'M7 11h10a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2zM8 11V8a4 4 0 0 1 8 0v3',
  import: 'M12 4v11M7.500 10.500 12 15l4.500-4.500M5 20h14',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 0 0 0-14M20 20l-4-4',
  check: 'm5 12.500 4.500 4.500L19 7',
  cross: 'M6 6l12 12M18 6 6 18',
  clock: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0',
  bell: 'M18 9a6 6 0 0 0-12 0c0 6-2 7-2 7h16s-2-1-2-7M10 20a2 2 0 0 0 4 0',
  down: 'm7 10 5 5 5-5',
  back: 'M15 5l-7 7 7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM13.500 7.500l3 3',
  undo: 'M9 7 4.500 11.500 9 16M5 11.500h9a5 5 0 0 1 5 5V18',
  redo: 'M15 7l4.500 4.500L15 16M19 11.500h-9a5 5 0 0 0-5 5V18',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  save: 'M12 4v10M8 10.500l4 4 4-4M5 19h14',
  report: 'M7 3h7l4 4v14H7zM14 3v4h4M10 12h5M10 16h5',
  retry: 'M20 11a8 8 0 1 0-2.300 6.300M20 5v6h-6',
  pause: 'M9 5v14M15 5v14',
  stop: 'M7 7h10v10H7z',
  flag: 'M6 21V4M6 5h11l-2.500 4 2.500 4H6',
  flash: 'M13 3 5 14h6l-1 7 8-11h-6z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  person: 'M12 4a4 4 0 1 1 0 8a4 4 0 0 1 0-8M5 20c.6-4 3.4-6 7-6s6.400 2 7 6',
  delete: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  enlarge: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  print: 'M7 8V4h10v4M7 17H5a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2M7 14h10v6H7z',
  storage:
    'M5 6c0-1.700 3.100-3 7-3s7 1.300 7 3-3.100 3-7 3-7-1.300-7-3M5 6v12c0 1.700 3.100 3 7 3s7-1.300 7-3V6M5 12c0 1.700 3.100 3 7 3s7-1.300 7-3',
  key: 'M14.500 4a5.500 5.500 0 1 1-4.400 8.800L4 19v1h3v-2h2v-2h2M16 8h.01',
  cloud: 'M7 18h10a4 4 0 0 0 .700-7.950A6 6 0 0 0 6.200 10.100 4 4 0 0 0 7 18z',
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  code: 'm8 7-5 5 5 5M16 7l5 5-5 5',
  folder: 'M3 7a2 2 0 0 1 2-2h4l2 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z',
  turnOver: 'M4 12h16M8 8V4M8 4 6 6.500M8 4l2 2.500M16 16v4M16 20l-2-2.500M16 20l2-2.500',
  borders: 'M4.500 5v14M19.500 5v14M8 12h8M10.500 9.500 8 12l2.500 2.500M13.500 9.500 16 12l-2.500 2.500',
  warning: 'M12 4 2.500 20h19zM12 10v4M12 17h.01',
} as const;

export type IconName = keyof typeof DRAWINGS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      aria-hidden="true"
      focusable="false"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={DRAWINGS[name]} />
    </svg>
  );
}
