// Sentences of a connection: a central service, an archive and a hospital information system are spoken of in different words.

import type { TFunction } from 'i18next';
import type { ConnectionView, SyncItemView } from '../../../shared/bridge/sync-views.ts';
import type { ConnectionKind, ConnectionTrouble } from '../../../shared/sync-state.ts';

/** Where they stand in the catalogue. */
export const WORDS_OF: Readonly<
  Record<ConnectionKind, 'sync' | 'sync.archive' | 'sync.results' | 'sync.fhir'>
> = {
  central: 'sync',
  archive: 'sync.archive',
  results: 'sync.results',
  fhir: 'sync.fhir',
};

export const troubleWords = (t: TFunction, kind: ConnectionKind, trouble: ConnectionTrouble): string =>
  t(`${WORDS_OF[kind]}.trouble.${trouble}`);

/** Why nothing is sent to a connection. */
export function stopWords(t: TFunction, { fhir, stop, waiting }: ConnectionView): string {
  // What a FHIR server refuses is the secret of a client, or whoever comes without one.
  if (fhir !== undefined && stop === 'token')
    return t(fhir.isClient ? 'sync.fhir.stop.token' : 'sync.fhir.trouble.serviceRefused');
  return t(`sync.stop.${stop}`, { count: waiting });
}

/** What comes next, or why nothing does. */
export function itemWords(t: TFunction, { kind, state, cause }: SyncItemView): string {
  const words = WORDS_OF[kind];
  return cause === undefined ? t(`${words}.next.${state}`) : t(`${words}.cause.${cause}`);
}
