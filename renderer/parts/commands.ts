// What can be done by a key, by screen: the one table of which keys the screens listen to, the list behind F1 and the hints on buttons
// are made of (screens, 1.2).

/** What is done (`keys.does.…`) → its commands, each with its key as `useKeys` names it. Without one, a list of its own hears it. */
interface Line {
  readonly keys: Readonly<Record<string, string>>;
  /** What is printed where the keys alone don't tell. */
  readonly shown?: string;
}

export const COMMANDS = {
  everywhere: {
    keys: { keys: { showKeys: 'F1' } },
    patient: { keys: { toPatient: 'F2' } },
    live: { keys: { toLive: 'F3' } },
    worklist: { keys: { toWorklist: 'F4' } },
    emergency: { keys: { emergency: 'F9' } },
    review: { keys: { toReview: 'Alt+R' } },
    sync: { keys: { toSync: 'Alt+Y' } },
    devices: { keys: { toDevices: 'Alt+D' } },
    settings: { keys: { toSettings: 'Alt+S' } },
    lock: { keys: { lock: 'Ctrl+l' } },
    silence: { keys: { silence: 'F10' } },
    close: { keys: {}, shown: 'Esc' },
  },
  patient: {
    newPatient: { keys: { newPatient: 'F7' } },
    search: { keys: { search: 'Ctrl+k' } },
    start: { keys: { start: 'Ctrl+Enter', startToo: 'F3' } },
    clear: { keys: { clear: 'Escape' }, shown: 'Esc Esc' },
  },
  live: {
    record: { keys: { record: 'F5' } },
    saveLast: { keys: { saveLast: 'F6' } },
    finish: { keys: { finish: 'Enter' } },
    repeat: { keys: { repeat: 'r' } },
    discard: { keys: { discard: 'Delete' } },
    freeze: { keys: { freeze: 'Space' } },
    mark: { keys: { mark: 'e' } },
    tone: { keys: { tone: 't' } },
    mode: { keys: { mode: 'w' } },
    layout: { keys: { layout1: '1', layout2: '2', layout3: '3', layout4: '4' }, shown: '1 – 4' },
    lead: { keys: { nextLead: '+', previousLead: '-' } },
    gain: { keys: { taller: 'ArrowUp', lower: 'ArrowDown' } },
    speed: { keys: { slower: 'ArrowLeft', faster: 'ArrowRight' } },
  },
  worklist: {
    row: { keys: {}, shown: '↑ ↓' },
    report: { keys: {}, shown: 'Enter' },
    search: { keys: { search: 'Ctrl+k', searchToo: '/' } },
    import: { keys: { import: 'Ctrl+o' } },
    preview: { keys: { preview: 'F8' } },
  },
  review: {
    addFinding: { keys: { addFinding: 'a' } },
    normalEcg: { keys: { normalEcg: '0' } },
    phrases: { keys: { phrases: 'o' } },
    beatClass: { keys: {}, shown: 'N S V F Q' },
    shapeClass: { keys: {}, shown: 'Shift N …' },
    removeBeat: { keys: {}, shown: 'Del' },
    undo: { keys: { undo: 'Ctrl+z' } },
    redo: { keys: { redo: 'Ctrl+Shift+z', redoToo: 'Ctrl+y' } },
    approve: { keys: { approve: 'Ctrl+Enter' } },
    nextOpen: { keys: { nextOpen: 'Ctrl+ArrowRight' } },
    paperOnly: { keys: { paperOnly: 'z' } },
    calipers: { keys: { calipers: 'c' } },
    caliperMore: { keys: { march: 'm', height: 'h', snap: 'l', keepCaliper: 'k' } },
    compare: { keys: { compare: 'v' } },
    second: { keys: { secondBack: 'ArrowLeft', secondOn: 'ArrowRight' } },
    gain: { keys: { taller: 'ArrowUp', lower: 'ArrowDown' } },
    page: { keys: { pageBack: 'PageUp', pageOn: 'PageDown' }, shown: 'Page ↑ ↓' },
    ends: { keys: { toStart: 'Home', toEnd: 'End' } },
    back: { keys: { back: 'Escape' } },
  },
  holter: {
    holterViews: {
      keys: { toQuestions: '1', toDay: '2', toFamilies: '3', toFull: '4', toStrips: '5', toFindings: '6' },
      shown: '1 – 6',
    },
    toTime: { keys: { toTime: '/' } },
    toReport: { keys: { toReport: 'p' } },
    undo: { keys: { undo: 'Ctrl+z' } },
    redo: { keys: { redo: 'Ctrl+Shift+z', redoToo: 'Ctrl+y' } },
    approve: { keys: { approve: 'Ctrl+Enter' } },
    onPaper: { keys: { onPaper: 'z' } },
    back: { keys: { back: 'Escape' } },
  },
  holterQuestions: {
    question: { keys: { questionUp: 'ArrowUp', questionDown: 'ArrowDown' } },
    answer: {
      keys: { normal: 'n', supraventricular: 's', ventricular: 'v', fusion: 'f', unknown: '?' },
      shown: 'N S V F ?',
    },
    yes: { keys: { yes: 'y' } },
    no: { keys: { no: 'x' } },
    later: { keys: { later: 'l' } },
    allBeats: { keys: { allBeats: 'Space' } },
  },
  holterDay: {
    episode: { keys: { episodeUp: 'ArrowUp', episodeDown: 'ArrowDown' } },
    accept: { keys: { accept: 'Enter' } },
    acceptKind: { keys: { acceptKind: 'Shift+Enter' } },
    reject: { keys: { reject: 'x' } },
    borders: { keys: { borders: 'b' } },
    note: { keys: { note: 'e' } },
    draw: { keys: { draw: 'd' } },
  },
  holterFamilies: {
    family: {
      keys: {
        familyLeft: 'ArrowLeft',
        familyRight: 'ArrowRight',
        familyUp: 'ArrowUp',
        familyDown: 'ArrowDown',
      },
    },
    label: {
      keys: { normal: 'n', supraventricular: 's', ventricular: 'v', fusion: 'f', unknown: '?' },
      shown: 'N S V F ?',
    },
    scope: { keys: { scope: 'a' } },
    merge: { keys: { merge: 'm' } },
    divide: { keys: { divide: 'd' } },
  },
  holterFull: {
    rows: { keys: { rowUp: 'ArrowUp', rowDown: 'ArrowDown' } },
    tenSeconds: { keys: { tenBack: 'ArrowLeft', tenOn: 'ArrowRight' } },
    page: { keys: { pageBack: 'PageUp', pageOn: 'PageDown' }, shown: 'Page ↑ ↓' },
    nextThing: { keys: { nextVentricular: 'e', nextFibrillation: 'a', nextGap: 'g' } },
    rowLength: { keys: { longer: '+', shorter: '-' } },
  },
  holterStrips: {
    strip: { keys: { stripUp: 'ArrowUp', stripDown: 'ArrowDown' } },
    exchange: { keys: { exchangeBack: 'ArrowLeft', exchange: 'ArrowRight' } },
    annotate: { keys: { annotate: 'Enter' } },
    order: { keys: { earlier: 'Alt+ArrowUp', laterStrip: 'Alt+ArrowDown' } },
    takeOut: { keys: { takeOut: 'Delete' } },
  },
  compare: {
    toReading: { keys: { toReading: 'v', back: 'Escape' } },
    second: { keys: { secondBack: 'ArrowLeft', secondOn: 'ArrowRight' } },
    page: { keys: { pageBack: 'PageUp', pageOn: 'PageDown' }, shown: 'Page ↑ ↓' },
    toStart: { keys: { toStart: 'Home' } },
  },
  timeline: {
    compare: { keys: { compare: 'v' } },
    toReading: { keys: { back: 'Escape' } },
  },
  report: {
    print: { keys: { print: 'Ctrl+p' } },
    save: { keys: { save: 'Ctrl+s' } },
    approve: { keys: { approve: 'Ctrl+Enter' } },
    find: { keys: { find: 'Ctrl+f' } },
    size: { keys: { larger: '+', smaller: '-' } },
    wholePage: { keys: { wholePage: '0' } },
    fullSize: { keys: { fullSize: '1' } },
    back: { keys: { back: 'Escape' } },
  },
  settings: {
    search: { keys: { search: '/' } },
  },
} as const satisfies Record<string, Record<string, Line>>;

export type Place = keyof typeof COMMANDS;
type KeysOf<P extends Place> = {
  [D in keyof (typeof COMMANDS)[P]]: (typeof COMMANDS)[P][D] extends { keys: infer K } ? K : never;
};
type NameOf<T> = T extends T ? keyof T : never;
/** The commands of a screen. */
export type CommandOf<P extends Place> = NameOf<KeysOf<P>[keyof KeysOf<P>]> & string;
/** `live.record` */
export type CommandName = { [P in Place]: `${P}.${CommandOf<P>}` }[Place];

/** The keys of a screen by their commands. */
export function keysOf(place: Place): ReadonlyMap<string, string> {
  const lines: Readonly<Record<string, Line>> = COMMANDS[place];
  return new Map(Object.values(lines).flatMap(({ keys }) => Object.entries(keys)));
}

const PRINTED: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageUp: 'Page ↑',
  PageDown: 'Page ↓',
  Delete: 'Del',
  Escape: 'Esc',
  '-': '−',
};

/** A key as it is printed on the keyboard. */
const printedKey = (key: string): string =>
  key === '+'
    ? key
    : key
        .split('+')
        .map((part) => PRINTED[part] ?? (part.length === 1 ? part.toUpperCase() : part))
        .join(' ');

/** A command's key as it stands on its button. */
export function printedKeyOf(command: CommandName): string {
  const [place = '', name = ''] = command.split('.');
  return printedKey(keysOf(place as Place).get(name) as string);
}

export interface ShownLine {
  readonly does: string;
  readonly key: string;
}

/** What the list behind F1 says of a screen; a second key for the same is left out. */
export const shownLines = (place: Place): ShownLine[] =>
  Object.entries<Line>(COMMANDS[place]).map(([does, { keys, shown }]) => ({
    does,
    key:
      shown ??
      Object.entries(keys)
        .filter(([name]) => !name.endsWith('Too'))
        .map(([, key]) => printedKey(key))
        .join(' '),
  }));

export const isPlace = (place: string): place is Place => place in COMMANDS;
