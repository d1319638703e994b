// Words for how something on its way to a central service or an archive is: of the machine that decides, of the contract
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

/** Why an item waits for a person, or will not go. Sentences: `connection.KIND.cause`. */
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
  /** An archive cannot hold such a recording. */
  'unsuitable',
  /** What is to be sent is missing here, or damaged. */
  'damaged',
  /** The same recording went there already, in another task. */
  'sentAlready',
  /** Nothing of this patient may be sent. */
  'patientKept',
  'taskGone',
  /** An archive has taken it several times, and says that it does not keep it. */
  'notKept',
  /** The patient's number is somebody else's there; or several have it. */
  'otherPatient',
  'severalPatients',
] as const;
export type ItemCause = (typeof ITEM_CAUSES)[number];

/**
 * Why nothing goes to a centre at all: a token that is not accepted, an address that points elsewhere, a copy
 * of the data, a person's wish.
 */
export const CONNECTION_STOPS = ['token', 'address', 'restoredCopy', 'person'] as const;
export type ConnectionStop = (typeof CONNECTION_STOPS)[number];

/** Why the last call came to nothing, for people; it decides nothing. Sentences: `connection.KIND.trouble`. */
export const CONNECTION_TROUBLES = [
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
  /** An archive does not know our name, or not the one that we call it by. */
  'nameRefused',
  /** It answers, but does not offer the service that is needed. */
  'serviceRefused',
  /** It answers, but does not let us store. */
  'storeRefused',
  /** An archive stores, and cannot be asked what it keeps. */
  'unconfirmed',
  /** Another program uses the port at which it would say what it keeps. */
  'portTaken',
] as const;
export type ConnectionTrouble = (typeof CONNECTION_TROUBLES)[number];

/** To a central service as frames or as a file; to an archive as objects that it keeps. */
export const SYNC_WAYS = ['stream', 'upload', 'delivery'] as const;
export type SyncWay = (typeof SYNC_WAYS)[number];

/** The lists of the screen. */
export const SYNC_LISTS = {
  queue: ['READY', 'SENDING', 'WAITING_REPORT', 'HELD'],
  decide: ['NEEDS_CHECK', 'REFUSED'],
  done: ['DONE'],
  stopped: ['STOPPED'],
} as const satisfies Record<string, readonly ItemState[]>;
export type SyncList = keyof typeof SYNC_LISTS | 'differing';
