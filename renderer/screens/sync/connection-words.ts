// Sentences of a connection: a central service and an archive are spoken of in different words.

import type { TFunction } from 'i18next';
import type { SyncItemView } from '../../../shared/bridge/sync-views.ts';
import type { CentreTrouble } from '../../../shared/sync-state.ts';

export const troubleWords = (t: TFunction, isArchive: boolean, trouble: CentreTrouble): string =>
  t(isArchive ? `sync.archive.trouble.${trouble}` : `sync.trouble.${trouble}`);

/** What comes next, or why nothing does. */
export function itemWords(t: TFunction, { way, state, cause }: SyncItemView): string {
  const words = way === 'delivery' ? 'sync.archive' : 'sync';
  return cause === undefined ? t(`${words}.next.${state}`) : t(`${words}.cause.${cause}`);
}
