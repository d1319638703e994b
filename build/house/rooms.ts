// The rooms of the house and what each may use: the one list of who may import whom, touch files, speak SQL,
// or use which package. A test holds it, and docs/architecture.md is drawn from it.

export interface Room {
  readonly purpose: string;
  /** On which floor it is drawn; imports run downwards. */
  readonly floor: number;
  /** Beginnings of paths in this repository; within its own folder a room imports what it likes. */
  readonly imports: readonly string[];
  /** Parts of these that it may not import. */
  readonly without?: readonly string[];
  /** Modules of Node. */
  readonly node: readonly string[];
  readonly packages: readonly string[];
}

/** The names of the interface stay where bytes go out, come in, or are kept. */
const WIRE = ['shared/v3'];

const FILES = ['fs', 'fs/promises', 'path'];

/** By folder; a file belongs to the longest one that it lies in. */
export const ROOMS = {
  'main/host': {
    purpose: 'the doors (Electron, browser, command line), and what puts the rooms together',
    floor: 1,
    imports: ['main', 'shared'],
    node: [
      ...FILES,
      'child_process',
      'crypto',
      'events',
      'http',
      'https',
      'module',
      'net',
      'os',
      'readline',
      'stream',
      'stream/promises',
      'stream/consumers',
      'timers/promises',
      'url',
      'util',
      'worker_threads',
    ],
    packages: ['csv-parse', 'electron', 'electron-updater', 'ws'],
  },
  'main/door': {
    purpose: 'how many may connect, and who makes room for whom',
    floor: 4,
    imports: ['shared'],
    without: WIRE,
    node: ['net'],
    packages: [],
  },
  'main/bridge': {
    purpose: 'answers what the screens ask',
    floor: 2,
    imports: ['main/clinic', 'main/v3', 'shared'],
    node: ['worker_threads'],
    packages: ['@msgpack/msgpack', 'ws'],
  },
  'main/service': {
    purpose: 'the /v3 interface over HTTP',
    floor: 2,
    imports: ['main/clinic', 'main/door', 'main/ground', 'main/v3', 'shared'],
    node: ['crypto', 'fs', 'http', 'https', 'net', 'os', 'path', 'stream'],
    packages: ['fastify', 'selfsigned', 'typebox'],
  },
  'main/device': {
    purpose: 'ports, network streams, drivers, detection, the recorder, simulators',
    floor: 2,
    imports: ['main/clinic', 'main/ground', 'main/signal', 'shared'],
    without: WIRE,
    node: [...FILES, 'dgram', 'net', 'os', 'timers/promises'],
    packages: ['serialport'],
  },
  'main/connections': {
    purpose:
      'the central service, archives, hospital systems, the practice software: results out, orders in; a folder for each',
    floor: 2,
    imports: [
      'main/clinic',
      'main/door',
      'main/hospital',
      'main/formats',
      'main/ground',
      'main/signal',
      'main/v3',
      'shared',
    ],
    node: [
      'fs/promises',
      'path',
      'worker_threads',
      'zlib',
      'crypto',
      'diagnostics_channel',
      'stream',
      'timers/promises',
      'util',
    ],
    packages: ['undici', 'tinyqueue'],
  },
  'main/store': {
    purpose: 'the database and the files of a data folder, and their backups',
    floor: 2,
    imports: ['main/clinic', 'main/ground', 'main/v3', 'shared'],
    node: [...FILES, 'child_process', 'crypto', 'timers/promises', 'worker_threads'],
    packages: ['better-sqlite3', 'typebox'],
  },
  'main/pool': {
    purpose: 'workers for what takes long: reading files, analysis, reports',
    floor: 2,
    imports: [
      'main/clinic',
      'main/analysis',
      'main/formats',
      'main/report',
      'main/product',
      'main/ground',
      'main/signal',
      'shared',
    ],
    without: WIRE,
    node: ['crypto', 'fs', 'os', 'path', 'stream', 'v8', 'worker_threads', 'zlib'],
    packages: ['piscina', '@zip.js/zip.js'],
  },
  'main/updates': {
    purpose: 'releases of the program: read, and checked against their signature',
    floor: 2,
    imports: ['main/clinic', 'shared'],
    without: WIRE,
    node: [...FILES, 'crypto', 'http', 'net', 'stream/promises'],
    packages: ['typebox'],
  },
  'main/hospital': {
    purpose: 'how hospitals are spoken to: connections and messages of DICOM, the framing of HL7, and FHIR',
    floor: 3,
    imports: ['main/door', 'main/formats'],
    node: ['net', 'tls'],
    packages: ['undici'],
  },
  'main/clinic': {
    purpose: 'the domain: the only room that changes state',
    floor: 3,
    imports: ['main/ground', 'main/signal', 'shared'],
    without: WIRE,
    node: ['crypto', 'path', 'timers/promises', 'util', 'zlib'],
    packages: [],
  },
  'main/analysis': {
    purpose: 'recording → findings',
    floor: 4,
    imports: ['main/signal', 'shared'],
    without: WIRE,
    node: [],
    packages: [],
  },
  'main/report': {
    purpose: 'findings → PDF',
    floor: 4,
    imports: ['main/signal', 'shared'],
    without: WIRE,
    node: [],
    packages: ['pdfkit', 'bidi-js'],
  },
  'main/formats': {
    purpose: 'bytes ↔ recordings',
    floor: 4,
    imports: ['main/ground', 'main/signal', 'shared'],
    without: WIRE,
    node: ['buffer', 'crypto', 'stream', 'zlib'],
    packages: [
      '@zip.js/zip.js',
      'csv-parse',
      'dcmjs',
      'dicom-parser',
      'iconv-lite',
      'pako',
      'pdfjs-dist',
      'tar-stream',
      'typebox',
      'unbzip2-stream',
      'xz-decompress',
    ],
  },
  'main/ground': {
    purpose:
      'what several rooms of the main process agree on: faults of a disk, how far a reading is, what is handed on, XML',
    floor: 5,
    imports: ['shared'],
    without: WIRE,
    node: [],
    packages: ['saxes', 'typebox'],
  },
  'main/signal': {
    purpose:
      'signals as they arrive: frames, the laws of the limb leads, what is watched live, synthetic hearts',
    floor: 5,
    imports: ['shared'],
    without: WIRE,
    node: [],
    packages: ['fzstd', 'pako'],
  },
  'main/v3': {
    purpose: 'what /v3 offers, and its names beside our own',
    floor: 4,
    imports: ['main/ground', 'shared'],
    node: [],
    packages: ['typebox'],
  },
  'main/product': {
    purpose: 'where the program’s own files are, and its version',
    floor: 5,
    imports: [],
    node: ['fs', 'path', 'url'],
    packages: [],
  },
  preload: {
    purpose: 'hands the bridge to the page in Electron',
    floor: 2,
    imports: ['shared/bridge', 'shared/errors.ts'],
    node: [],
    packages: ['electron'],
  },
  renderer: {
    purpose: 'the screens',
    floor: 1,
    imports: ['shared'],
    node: [],
    packages: [
      '@mantine/core',
      '@mantine/hooks',
      'chart.js',
      '@msgpack/msgpack',
      '@tanstack/react-query',
      '@zip.js/zip.js',
      'get-nonce',
      'i18next',
      'markdown-to-jsx',
      'pdfjs-dist',
      'qr',
      'react',
      'react-dom',
      'react-error-boundary',
      'react-i18next',
    ],
  },
  shared: {
    purpose: 'the contract between both sides, signals, words',
    floor: 6,
    imports: [],
    node: [],
    packages: ['typebox'],
  },
} as const satisfies Record<string, Room>;

export type RoomName = keyof typeof ROOMS;

export const ROOM_NAMES = Object.keys(ROOMS) as RoomName[];

export const roomOf = (path: string): RoomName | undefined =>
  ROOM_NAMES.filter((name) => path.startsWith(`${name}/`)).sort((a, b) => b.length - a.length)[0];
