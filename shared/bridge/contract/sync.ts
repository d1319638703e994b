// Central services, and what is on its way there.

import { Type } from 'typebox';
import { PatientSchema } from '../../analysis-result.ts';
import { ConnectionTo } from '../../connections/connections.ts';
import { SYNC_LISTS, type SyncList } from '../../sync-state.ts';
import { bytes, closed, none, taskId, text } from '../fields.ts';
import { AskedView, ConnectionView, RaisedView, SyncItemView, TestOutcome } from '../sync-views.ts';
import type { Operation } from './operation.ts';

const connectionId = Type.Integer({ minimum: 1 });

export const SYNC_QUERIES = {
  'sync.overview': {
    input: none,
    output: Type.Object(
      {
        connections: Type.Array(ConnectionView),
        raised: Type.Array(RaisedView),
        asked: Type.Array(AskedView),
        isIdle: Type.Boolean(),
      },
      closed,
    ),
    right: 'signedIn',
  },
  /** What is on its way, or was. */
  'sync.items': {
    input: Type.Object(
      {
        connectionId: Type.Integer(),
        list: Type.Enum([...Object.keys(SYNC_LISTS), 'differing'] as SyncList[]),
        limit: Type.Integer({ minimum: 1, maximum: 500 }),
      },
      closed,
    ),
    output: Type.Object({ items: Type.Array(SyncItemView) }, closed),
    right: 'signedIn',
  },
  /** How much was recorded before the centre was known here. */
  'sync.earlier': {
    input: Type.Object({ connectionId }, closed),
    output: Type.Object({ count: Type.Integer() }, closed),
    right: 'signedIn',
  },
  /** The centre's own report of a task. */
  'sync.report': {
    input: Type.Object({ taskId }, closed),
    output: Type.Object({ pdf: bytes, fetchedMs: Type.Number(), patient: PatientSchema }, closed),
    right: 'signedIn',
  },
} as const satisfies Record<string, Operation>;

export const SYNC_COMMANDS = {
  'connection.add': {
    input: Type.Object(
      {
        to: ConnectionTo,
        label: text(256),
        organization: text(64),
        /** The token, or the secret of the client; absent where the connection needs none. */
        secret: Type.Optional(text(4096)),
      },
      closed,
    ),
    output: Type.Object({ connectionId }, closed),
    right: 'settings',
  },
  /** Another secret, or whether a hospital also gets what no physician has read, marked as such. */
  'connection.change': {
    input: Type.Object(
      { connectionId, secret: Type.Optional(text(4096)), takesUnread: Type.Optional(Type.Boolean()) },
      closed,
    ),
    output: none,
    right: 'settings',
  },
  'connection.remove': { input: Type.Object({ connectionId }, closed), output: none, right: 'settings' },
  'connection.test': { input: Type.Object({ connectionId }, closed), output: TestOutcome, right: 'sync' },
  'sync.pause': { input: Type.Object({ connectionId }, closed), output: none, right: 'sync' },
  'sync.resume': { input: Type.Object({ connectionId }, closed), output: none, right: 'sync' },
  'sync.now': { input: Type.Object({ connectionId }, closed), output: none, right: 'record' },
  /**
   * A person's answer: it is there under this number, it is to be sent again (or at all), it is not to be
   * sent.
   */
  'sync.answer': {
    input: Type.Object(
      {
        itemId: Type.Integer(),
        answer: Type.Enum(['there', 'again', 'stop']),
        centralId: Type.Optional(text(19)),
      },
      closed,
    ),
    output: none,
    right: 'sync',
  },
  /** Settles that a patient reads otherwise there than here. */
  'sync.settle': {
    input: Type.Object({ itemId: Type.Integer(), how: Type.Enum(['corrected', 'left', 'asNew']) }, closed),
    output: none,
    right: 'sync',
  },
  'sync.seen': { input: Type.Object({ itemId: Type.Integer() }, closed), output: none, right: 'record' },
  /** What was recorded before the centre was known here goes too. */
  'sync.sendEarlier': {
    input: Type.Object({ connectionId }, closed),
    output: Type.Object({ count: Type.Integer() }, closed),
    right: 'sync',
  },
  'sync.send': { input: Type.Object({ taskId }, closed), output: none, right: 'sync' },
  'sync.keepPatient': {
    input: Type.Object({ taskId, isKept: Type.Boolean() }, closed),
    output: none,
    right: 'sync',
  },
} as const satisfies Record<string, Operation>;
