// One lane a measurement, all on one axis of time; a mark an ECG, in the shape of its severity.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { sideOfUsual } from '../../../shared/findings/usual-values.ts';
import { signedText } from '../../parts/format-number.ts';
import { SeverityBadge, SeverityShape } from '../../parts/severity-badge.tsx';
import { TREND_PADDING_PX, TrendChart } from '../../parts/trend-chart.tsx';
import { unitOf } from '../compare/changes.tsx';
import {
  dayOf,
  measuredOf,
  type PatientEcg,
  TRENDS,
  type Trend,
  trendOf,
  usualOf,
} from '../compare/patient-ecgs.ts';
import classes from './timeline.module.css';

interface LanesProps {
  /** The newest first. */
  readonly ecgs: readonly PatientEcg[];
  readonly open: PatientEcg;
  readonly otherId: number | undefined;
}

/** Where an instant stands between the ends of the lanes. */
const placeOf = (atMs: number, fromMs: number, toMs: number): string => {
  const share = toMs === fromMs ? 0.5 : (atMs - fromMs) / (toMs - fromMs);
  return `calc(${TREND_PADDING_PX}px + ${share.toFixed(5)} * (100% - ${2 * TREND_PADDING_PX}px))`;
};

const MOST_YEARS = 12;

/** The first of January of each year within; of every second, fifth … where there are many. */
function yearsBetween(fromMs: number, toMs: number): number[] {
  const [first, last] = [new Date(fromMs).getFullYear() + 1, new Date(toMs).getFullYear()];
  const step = [1, 2, 5, 10, 20].find((years) => (last - first) / years < MOST_YEARS) ?? 50;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i).filter(
    (year) => year % step === 0,
  );
}

function usualText(from: number | undefined, to: number | undefined): string {
  if (from === undefined) return to === undefined ? '' : `≤ ${to}`;
  return to === undefined ? `≥ ${from}` : `${from}–${to}`;
}

function Lane({ name, ecgs, open, otherId, fromMs, toMs }: LanesProps & LaneProps): ReactNode {
  const { t } = useTranslation();
  const usual = usualOf(open, name);
  const range = usualText(usual.from, usual.to);
  const points = trendOf(ecgs, name, open.row.taskId, otherId);
  const other = ecgs.find(({ row }) => row.taskId === otherId);
  // Another person's is nothing to compare with.
  const compared = other?.differs.length === 0 ? other : undefined;
  const [value, before] = [measuredOf(open, name), compared && measuredOf(compared, name)];
  const label = t(`compare.value.${name}`);
  return (
    <>
      <div className={classes.name}>
        <b>{label}</b>
        <span>{range === '' ? unitOf(name) : t('timeline.usual', { range, unit: unitOf(name) })}</span>
      </div>
      <div className={classes.lane}>
        <TrendChart
          points={points}
          fromMs={fromMs}
          toMs={toMs}
          usual={usual}
          hasValues
          label={t('compare.trend', {
            name: label,
            values: points.map((point) => `${point.day}: ${point.value ?? '–'}`).join('; '),
          })}
        />
      </div>
      <div className={classes.now} data-outside={sideOfUsual(value, usual) !== undefined || undefined}>
        <b>
          {value ?? '–'} <em>{unitOf(name)}</em>
        </b>
        {value !== undefined && before !== undefined && other !== undefined && (
          <span>{t('timeline.since', { change: signedText(value - before), day: dayOf(other) })}</span>
        )}
      </div>
    </>
  );
}

interface LaneProps {
  readonly name: Trend;
  readonly fromMs: number;
  readonly toMs: number;
}

export function Lanes(props: LanesProps): ReactNode {
  const { ecgs, open, otherId } = props;
  const { t } = useTranslation();
  const [fromMs, toMs] = [ecgs.at(-1)?.atMs ?? open.atMs, ecgs[0]?.atMs ?? open.atMs];
  return (
    <section className={classes.lanes} aria-label={t('timeline.title')}>
      <div className={classes.name}>
        <b>{t('timeline.ecgs')}</b>
      </div>
      <div className={classes.marks}>
        {ecgs.map((ecg) => (
          <a
            key={ecg.row.taskId}
            href={`#/review/${ecg.row.taskId}`}
            style={{ left: placeOf(ecg.atMs, fromMs, toMs) }}
            aria-label={dayOf(ecg)}
            data-chosen={ecg.row.taskId === open.row.taskId || ecg.row.taskId === otherId || undefined}
          >
            {ecg.row.severity === undefined ? '–' : <SeverityShape severity={ecg.row.severity} />}
          </a>
        ))}
      </div>
      <div className={classes.now}>
        {open.row.severity !== undefined && <SeverityBadge severity={open.row.severity} />}
      </div>
      {TRENDS.map((name) => (
        <Lane key={name} {...props} name={name} fromMs={fromMs} toMs={toMs} />
      ))}
      <div />
      <div className={classes.axis} aria-hidden="true">
        {yearsBetween(fromMs, toMs).map((year) => (
          <span key={year} style={{ left: placeOf(new Date(year, 0, 1).getTime(), fromMs, toMs) }}>
            {year}
          </span>
        ))}
      </div>
      <div />
    </section>
  );
}
