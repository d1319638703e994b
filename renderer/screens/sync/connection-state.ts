// How a connection is, for its card: at a glance, and in one sentence with its remedy.

import type { TFunction } from 'i18next';
import type { ConnectionView } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';
import { kindWords, stopWords, troubleWords } from './connection-words.ts';

export type ConnectionState = 'working' | 'attention' | 'unreached' | 'paused' | 'untried';

/** It answers, and something of it does not work. */
const HALF_WORKING: readonly (ConnectionTrouble | undefined)[] = ['unconfirmed', 'portTaken'];

export function connectionState({ stop, trouble, toDecide, lastContactMs }: ConnectionView): ConnectionState {
  if (stop === 'person') return 'paused';
  if (stop !== undefined || toDecide > 0 || HALF_WORKING.includes(trouble)) return 'attention';
  if (trouble !== undefined) return 'unreached';
  return lastContactMs === undefined ? 'untried' : 'working';
}

/** What was proven, or what is in the way. */
export function connectionNote(t: TFunction, connection: ConnectionView): string {
  const { kind, takesResults, isConfirming, stop, trouble, toDecide, waiting, atCentre, done } = connection;
  if (stop !== undefined) return stopWords(t, connection);
  if (toDecide > 0) return t('sync.toDecide', { count: toDecide });
  if (trouble !== undefined) return troubleWords(t, kind, trouble);
  if (connection.lastContactMs === undefined) return t('sync.card.untried');
  if (isConfirming === true && atCentre > 0) return kindWords(t, kind, 'unconfirmed', { count: atCentre });
  if (!takesResults) return t(waiting > 0 ? 'sync.card.sending' : 'sync.card.sent');
  if (done === 0) return kindWords(t, kind, 'nothingYet');
  return kindWords(t, kind, isConfirming === true ? 'confirmed' : 'accepted');
}
