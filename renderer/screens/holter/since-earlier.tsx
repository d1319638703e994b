// What has changed since the last long recording of the same patient, in words.

import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { decimalText, shareText } from '../../parts/format-number.ts';
import { dayOf as calendarDayOf, earlierOf, type PatientEcg } from '../compare/patient-ecgs.ts';
import classes from './findings-view.module.css';
import { useHolter } from './holter.ts';
import { minutesOrHours } from './hour-rows.tsx';
import { type Compared, compareDays, type DayChange, notCompared, numbersOf } from './model/compare-days.ts';
import { dayOf } from './model/day.ts';
import { readDay } from './model/read-day.ts';

const LEAST_MS = 3_600_000;

const valueText = (name: Compared, value: number): string => {
  if (name === 'rate') return `${Math.round(value)} /min`;
  if (name === 'pause') return `${decimalText(value / 1000, 1)} s`;
  return shareText(value);
};

function Change({ change: { name, now, before } }: { change: DayChange }): ReactNode {
  const { t } = useTranslation();
  const way = before === 0 ? 'new' : now === 0 ? 'gone' : now > before ? 'more' : 'less';
  return (
    <li>
      {t(`holter.since.${name}`)}: {valueText(name, before)} → <b>{valueText(name, now)}</b>,{' '}
      {t(`holter.since.way.${way}`)}
    </li>
  );
}

function Changes({ earlier }: { earlier: PatientEcg }): ReactNode {
  const { t } = useTranslation();
  const { reading } = useHolter();
  const { taskId } = earlier.row;
  const { data } = useBridgeQuery('day.get', { taskId });
  const { data: kept } = useBridgeQuery('day.corrections', { taskId });
  const before = useMemo(
    () =>
      data === undefined || kept === undefined
        ? undefined
        : numbersOf(
            readDay(
              dayOf(taskId, data),
              kept.corrections.map(({ change }) => change),
            ),
          ),
    [data, kept, taskId],
  );
  const now = useMemo(() => numbersOf(reading), [reading]);
  if (before === undefined) return null;
  const changes = compareDays(now, before);
  const left = notCompared(now, before);
  return (
    <section className={classes.since} aria-label={t('holter.since.title', { day: calendarDayOf(earlier) })}>
      <h3>{t('holter.since.title', { day: calendarDayOf(earlier) })}</h3>
      <p className="quiet">
        {t('holter.since.lengths', {
          before: minutesOrHours(3600 * before.hours),
          now: minutesOrHours(3600 * now.hours),
        })}
      </p>
      {changes.length === 0 ? (
        <p>{t(left.length === 0 ? 'holter.since.nothing' : 'holter.since.nothingOfCompared')}</p>
      ) : (
        <ul>
          {changes.map((change) => (
            <Change key={change.name} change={change} />
          ))}
        </ul>
      )}
      {left.length > 0 && (
        <p className="quiet">
          {t('holter.since.notCompared', { what: left.map((name) => t(`holter.since.${name}`)).join(', ') })}
        </p>
      )}
    </section>
  );
}

/** Nothing where there is none before. */
export function SinceEarlier(): ReactNode {
  const { task } = useHolter();
  const { data } = useBridgeQuery('review.patientEcgs', { taskId: task.taskId });
  const long = data?.ecgs.filter(({ row }) => (row.durationMs ?? 0) >= LEAST_MS) ?? [];
  const earlier = earlierOf(long, task.taskId);
  return earlier === undefined ? null : <Changes earlier={earlier} />;
}
