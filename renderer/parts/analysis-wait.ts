// Why a recording has no result yet: where its analysis is, and what it waits for, in whole sentences.

import { t } from 'i18next';
import type { TaskRow } from '../../shared/bridge/views.ts';

type Analysed = Pick<TaskRow, 'state' | 'lane' | 'queuedAhead' | 'waitsForLong' | 'progress'>;

/** In a few words, for a row. Undefined where the state alone says it. */
export function analysisPlace({ state, queuedAhead, waitsForLong, progress }: Analysed): string | undefined {
  if (state === 'QUEUED') {
    if (waitsForLong === true) return t('state.QUEUED_long');
    if (queuedAhead === undefined) return undefined;
    return queuedAhead === 0 ? t('state.QUEUED_next') : t('state.QUEUED_ahead', { count: queuedAhead });
  }
  const { minute, ofMinutes } = progress ?? {};
  if (state !== 'PROCESSING' || minute === undefined || ofMinutes === undefined) return undefined;
  return t('state.PROCESSING_minutes', { minute, of: ofMinutes });
}

/** With the reason why. Undefined where nothing is to be analysed now. */
export function analysisWait(task: Analysed): string | undefined {
  if (task.state !== 'QUEUED' && task.state !== 'PROCESSING') return undefined;
  const place = `${analysisPlace(task) ?? t(`state.${task.state}`)}.`;
  if (task.state === 'PROCESSING') return place;
  const why = task.waitsForLong === true ? t('status.behindLong') : undefined;
  const lane = task.lane === undefined ? undefined : t(`status.lane.${task.lane}`);
  return [place, why ?? lane].filter((part) => part !== undefined).join(' ');
}

/** What its file says of it is not known yet. */
export const isBeingRead = ({ state, durationMs }: Pick<TaskRow, 'state' | 'durationMs'>): boolean =>
  durationMs === undefined && (state === 'QUEUED' || state === 'PROCESSING');
