// States of the link to a device on the desk and what moves it, as a table. A pair that isn't here is not
// allowed.

export const LINK_STATES = ['disconnected', 'detecting', 'ready', 'recording', 'lost'] as const;
export type LinkState = (typeof LINK_STATES)[number];

export type LinkEvent =
  /** Somebody, or a device that was plugged in, asks for it. */
  | 'connect'
  /** The driver is known and samples arrive. */
  | 'streaming'
  /** Nobody knows it, it does not answer, or nobody wants it any more. */
  | 'failed'
  | 'recordingStarted'
  | 'recordingStopped'
  /** Unplugged, or silent for too long. */
  | 'silent'
  /** Samples arrive again. */
  | 'back'
  /** The same, in the middle of a recording. */
  | 'backRecording'
  | 'disconnect';

const LINK_TRANSITIONS: { readonly [S in LinkState]: { readonly [E in LinkEvent]?: LinkState } } = {
  disconnected: { connect: 'detecting' },
  detecting: { streaming: 'ready', failed: 'disconnected' },
  ready: { recordingStarted: 'recording', silent: 'lost', disconnect: 'disconnected' },
  recording: { recordingStopped: 'ready', silent: 'lost' },
  // A recording can be ended while its device is away; a device that isn't recorded can be given up.
  lost: { back: 'ready', backRecording: 'recording', recordingStopped: 'lost', disconnect: 'disconnected' },
};

/** The state after an event, or undefined where the event is not allowed. */
export const nextLinkState = (state: LinkState, event: LinkEvent): LinkState | undefined =>
  LINK_TRANSITIONS[state][event];
