// Four measurements of all ECGs of the patient, small, below the two that are compared.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { sideOfUsual } from '../../../shared/findings/usual-values.ts';
import { TrendChart } from '../../parts/trend-chart.tsx';
import { unitOf } from './changes.tsx';
import classes from './compare.module.css';
import { dayOf, measuredOf, type PatientEcg, TRENDS, trendOf, usualOf } from './patient-ecgs.ts';

interface OverTheYearsProps {
  /** The newest first. */
  readonly ecgs: readonly PatientEcg[];
  readonly openId: number;
  readonly now: PatientEcg;
  readonly before: PatientEcg;
}

export function OverTheYears({ ecgs, openId, now, before }: OverTheYearsProps): ReactNode {
  const { t } = useTranslation();
  const [fromMs, toMs] = [ecgs.at(-1)?.atMs ?? now.atMs, ecgs[0]?.atMs ?? now.atMs];
  const days = [ecgs.at(-1) ?? now, ecgs[0] ?? now].map(dayOf);
  const years = days.map((day) => day.slice(-4));
  const ends = years[0] === years[1] ? days : years;
  return (
    <section className={classes.years} aria-label={t('compare.years')}>
      <header>
        <h2>{t('compare.years')}</h2>
        <span className="quiet">{t('compare.yearsText', { count: ecgs.length })}</span>
        <a href={`#/timeline/${openId}`}>{t('timeline.title')}</a>
      </header>
      <div className={classes.charts}>
        {TRENDS.map((name) => {
          const value = measuredOf(now, name);
          const usual = usualOf(now, name);
          const points = trendOf(ecgs, name, now.row.taskId, before.row.taskId);
          return (
            <figure key={name} data-outside={sideOfUsual(value, usual) !== undefined || undefined}>
              <figcaption>
                <span>{t(`compare.value.${name}`)}</span>
                <b>
                  {value ?? '–'} <em>{unitOf(name)}</em>
                </b>
              </figcaption>
              <TrendChart
                points={points}
                fromMs={fromMs}
                toMs={toMs}
                usual={usual}
                label={t('compare.trend', {
                  name: t(`compare.value.${name}`),
                  values: points.map((point) => `${point.day}: ${point.value ?? '–'}`).join('; '),
                })}
              />
              <p className={classes.ends}>
                <span>{ends[0]}</span>
                <span>{ends[1]}</span>
              </p>
            </figure>
          );
        })}
      </div>
    </section>
  );
}
