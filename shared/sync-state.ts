// Words for how something on its way to a central service is: of the machine that decides, of the contract
// that shows it, and of the catalogue that says it to people.

/** D136. HELD: it is not clear yet whose it is, or it is not approved yet (D130). */
export const ITEM_STATES = [
  'HELD',
  'READY',
  'SENDING',
  'WAITING_REPORT',
  'DONE',
  'REFUSED',
  'NEEDS_CHECK',
  'STOPPED',
] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** Why an item waits for a person, or will not go. Sentences: `sync.cause`. */
export const ITEM_CAUSES = [
  'lostAnswer',
  'unclearAnswer',
  'streamLost',
  'framesMissing',
  'refused',
  'uploadRefused',
  'failsAlone',
  'goneAtCentre',
  'noReport',
  'byPerson',
  'restoredCopy',
  /** What is to be sent is missing here, or damaged. */
  'damaged',
  /** The same recording went there already, in another task. */
  'sentAlready',
  /** Nothing of this patient may be sent. */
  'patientKept',
  'taskGone',
] as const;
export type ItemCause = (typeof ITEM_CAUSES)[number];

/**
 * Why nothing goes to a centre at all: a token that is not accepted, an address that points elsewhere, a copy
 * of the data, a person's wish.
 */
export const CENTRE_STOPS = ['token', 'address', 'restoredCopy', 'person'] as const;
export type CentreStop = (typeof CENTRE_STOPS)[number];

/** Why the last call came to nothing, for people; it decides nothing. Sentences: `sync.trouble`. */
export const CENTRE_TROUBLES = [
  'offline',
  'broken',
  'certificate',
  'notTls',
  'proxy',
  'silent',
  'server',
  'limited',
  'odd',
  'noToken',
] as const;
export type CentreTrouble = (typeof CENTRE_TROUBLES)[number];

export const SYNC_WAYS = ['stream', 'upload'] as const;
export type SyncWay = (typeof SYNC_WAYS)[number];

/** The lists of the screen. */
export const SYNC_LISTS = {
  queue: ['READY', 'SENDING', 'WAITING_REPORT', 'HELD'],
  decide: ['NEEDS_CHECK', 'REFUSED'],
  done: ['DONE'],
  stopped: ['STOPPED'],
} as const satisfies Record<string, readonly ItemState[]>;
export type SyncList = keyof typeof SYNC_LISTS | 'differing';
