// A colleague asks, or has answered: on every screen of the one who is asked, until it is answered or read.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../bridge/use-bridge.tsx';
import { useSession } from '../bridge/use-session.ts';
import { Icon } from './icon.tsx';
import { taskNameOf } from './patient-line.tsx';
import classes from './standing-banner.module.css';

export function ConsultationNotice(): ReactNode {
  const { t } = useTranslation();
  const { person, may, isLocked } = useSession();
  const isReader = !isLocked && person !== undefined && may('review');
  const { data } = useBridgeQuery('consultation.waiting', {}, { isEnabled: isReader });
  const [first, ...others] = isReader ? (data?.consultations ?? []) : [];
  if (first === undefined) return null;
  const { from, to, answer } = first;
  const name = taskNameOf(first);
  return (
    <p className={classes.asked} role="status">
      <Icon name="review" />
      <span>
        {answer === undefined
          ? t('banner.colleagueAsks', { from, name })
          : t('banner.colleagueAnswered', { to, name })}
        {others.length > 0 && ` ${t('banner.colleaguesMore', { count: others.length })}`}
      </span>
      <a href={`#/review/${first.taskId}`}>{t('rail.review')}</a>
    </p>
  );
}
