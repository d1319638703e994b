// States of a task and what moves it (D60), as a table. A pair that isn't here is not allowed.

export const TASK_STATES = [
  'DRAFT',
  'WAITING',
  'RECEIVING',
  'QUEUED',
  'PROCESSING',
  'AWAITING_APPROVAL',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'DELETED',
] as const;

export type TaskState = (typeof TASK_STATES)[number];

export type TaskEvent =
  | 'streamStarted'
  | 'streamEmptied'
  | 'dataComplete'
  | 'taken'
  | 'crashed'
  | 'findingsStored'
  | 'reportStored'
  | 'approved'
  | 'unreadable'
  | 'cancelled'
  | 'retried'
  /** The patient of the recording was assigned or changed: findings depend on age and sex. */
  | 'assigned'
  /** A person said which of its channels are ECG. */
  | 'channelsChosen'
  | 'deleted';

export const TASK_TRANSITIONS: { readonly [S in TaskState]: { readonly [E in TaskEvent]?: TaskState } } = {
  DRAFT: {
    assigned: 'DRAFT',
    streamStarted: 'RECEIVING',
    dataComplete: 'QUEUED',
    cancelled: 'CANCELLED',
    deleted: 'DELETED',
  },
  WAITING: {
    assigned: 'WAITING',
    streamStarted: 'RECEIVING',
    dataComplete: 'QUEUED',
    cancelled: 'CANCELLED',
    deleted: 'DELETED',
  },
  RECEIVING: {
    assigned: 'RECEIVING',
    dataComplete: 'QUEUED',
    streamEmptied: 'WAITING',
    cancelled: 'CANCELLED',
    deleted: 'DELETED',
  },
  QUEUED: {
    assigned: 'QUEUED',
    channelsChosen: 'QUEUED',
    taken: 'PROCESSING',
    cancelled: 'CANCELLED',
    deleted: 'DELETED',
  },
  PROCESSING: {
    channelsChosen: 'PROCESSING',
    crashed: 'QUEUED',
    findingsStored: 'AWAITING_APPROVAL',
    reportStored: 'COMPLETED',
    unreadable: 'FAILED',
    cancelled: 'CANCELLED',
    deleted: 'DELETED',
  },
  AWAITING_APPROVAL: {
    assigned: 'QUEUED',
    channelsChosen: 'QUEUED',
    approved: 'COMPLETED',
    cancelled: 'CANCELLED',
    deleted: 'DELETED',
  },
  COMPLETED: { deleted: 'DELETED' },
  FAILED: {
    assigned: 'QUEUED',
    channelsChosen: 'QUEUED',
    retried: 'QUEUED',
    cancelled: 'CANCELLED',
    deleted: 'DELETED',
  },
  CANCELLED: { deleted: 'DELETED' },
  DELETED: {},
};

/** The state after an event, or undefined where the event is not allowed. */
export const nextTaskState = (state: TaskState, event: TaskEvent): TaskState | undefined =>
  TASK_TRANSITIONS[state][event];

/** Nothing more will happen without a person's new action (D61). */
export const isProcessed = (state: TaskState): boolean =>
  state === 'COMPLETED' || state === 'FAILED' || state === 'CANCELLED';
