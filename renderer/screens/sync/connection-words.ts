// Sentences of a connection: each kind is spoken of in its own words, and where it has none, in those that fit any.

import type { TFunction, TOptions } from 'i18next';
import type { ConnectionView, SyncItemView } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionKind } from '../../../shared/connections/connections.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';

/** @param key below `connection.KIND` of the catalogue */
export const kindWords = (t: TFunction, kind: ConnectionKind, key: string, options: TOptions = {}): string =>
  t([`connection.${kind}.${key}`, `connection.any.${key}`], options);

export const troubleWords = (t: TFunction, kind: ConnectionKind, trouble: ConnectionTrouble): string =>
  kindWords(t, kind, `trouble.${trouble}`);

/** Why nothing is sent to a connection. */
export function stopWords(t: TFunction, { kind, hasCredential, stop, waiting }: ConnectionView): string {
  // Whoever comes without a secret is refused for what he is.
  if (stop === 'token' && !hasCredential) return troubleWords(t, kind, 'serviceRefused');
  return kindWords(t, kind, `stop.${stop}`, { count: waiting });
}

/** What comes next, or why nothing does. */
export const itemWords = (t: TFunction, { kind, state, cause }: SyncItemView): string =>
  kindWords(t, kind, cause === undefined ? `next.${state}` : `cause.${cause}`);
