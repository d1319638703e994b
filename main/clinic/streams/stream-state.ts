// States of a stream and what moves it (specification, States and transitions; D72, D81 to D83), as a table.
// A pair that isn't here is not allowed.

export const STREAM_STATES = ['absent', 'open', 'finished', 'stored'] as const;
export type StreamState = (typeof STREAM_STATES)[number];
export type StreamEvent =
  | 'started'
  | 'startedAgain'
  | 'frameStored'
  | 'reported'
  | 'emptied'
  | 'finished'
  | 'filed';

export const STREAM_TRANSITIONS: {
  readonly [S in StreamState]: { readonly [E in StreamEvent]?: StreamState };
} = {
  absent: { started: 'open' },
  open: {
    startedAgain: 'open',
    frameStored: 'open',
    reported: 'open',
    emptied: 'absent',
    finished: 'finished',
  },
  /** Its frames are still rows, or rows and a file. */
  finished: { filed: 'stored' },
  /** Its frames are a file. */
  stored: {},
};

export const nextStreamState = (state: StreamState, event: StreamEvent): StreamState | undefined =>
  STREAM_TRANSITIONS[state][event];
