// One recording on its way: of whom, how far, what comes next.

import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { clockTime, rowTime } from '../../parts/format-time.ts';
import { nameOf } from '../../parts/patient-line.tsx';
import { kindWords } from './connection-words.ts';
import classes from './sync.module.css';

/** How far it is, in words. */
export function stateText(
  t: TFunction,
  { state, way, kind, progress, nextTryMs, failures, centralId, isLive, isWithoutReport }: SyncItemView,
): string {
  if (state === 'SENDING' && isLive) return t('sync.state.live');
  if ((state === 'READY' || state === 'SENDING') && nextTryMs !== undefined && failures > 0)
    return t('sync.state.retry', { time: clockTime(nextTryMs).clock.slice(0, 5), count: failures });
  if (state === 'SENDING' && progress !== undefined)
    return t('sync.state.progress', { percent: Math.floor(progress * 100) });
  if (way === 'delivery' && (state === 'WAITING_REPORT' || state === 'DONE'))
    return kindWords(t, kind, `state.${state}`);
  if (state === 'WAITING_REPORT' && isWithoutReport) return t('sync.state.withoutReport', { id: centralId });
  if (state === 'STOPPED' && centralId !== undefined) return t('sync.state.stoppedThere', { id: centralId });
  return t(`sync.state.${state}`, { id: centralId });
}

interface ItemRowProps {
  readonly item: SyncItemView;
  readonly isChosen: boolean;
  onChoose(): void;
}

export function ItemRow({ item, isChosen, onChoose }: ItemRowProps): ReactNode {
  const { t } = useTranslation();
  const name = nameOf(item.patient);
  return (
    <li>
      <button type="button" className={classes.row} aria-pressed={isChosen} onClick={onChoose}>
        <span className={classes.time}>{rowTime(item.createdMs, Date.now())}</span>
        <span className={classes.names}>
          <b>{name}</b>
          <small>
            {t('sync.taskLine', {
              id: item.taskId,
              way: item.way === 'delivery' ? kindWords(t, item.kind, 'way') : t(`sync.way.${item.way}`),
            })}
          </small>
        </span>
        {item.isCritical && <span className={classes.urgent}>{t('sync.first')}</span>}
        <span className={classes.state} data-state={item.state}>
          {stateText(t, item)}
          {item.state === 'SENDING' && item.progress !== undefined && item.nextTryMs === undefined && (
            <progress aria-label={t('sync.progress')} max={1} value={item.progress} />
          )}
        </span>
      </button>
    </li>
  );
}
