// A day in a dozen numbers, as the report's first page has them. What was not assessed is a dash.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRow } from '../../../shared/long/hour-table.ts';
import { decimalText, groupedNumber, shareText } from '../../parts/format-number.ts';
import { useMoment } from '../review/moments.ts';
import { burdenText } from './episode-words.ts';
import classes from './findings-view.module.css';
import { useHolter } from './holter.ts';
import { minutesOrHours, minutesText, readText } from './hour-rows.tsx';
import type { DayReading } from './model/read-day.ts';
import { SinceEarlier } from './since-earlier.tsx';

const NOTHING = '–';

/** Whether beats, classes and fibrillation are as they were found. */
const sameLabels = ({ day, beats, episodes }: DayReading): boolean =>
  beats.labels.length === day.beats.labels.length &&
  beats.labels.every((label, beat) => label === day.beats.labels[beat]) &&
  episodes.every(({ code, state }) => code !== 'AFIB' || state === 'found' || state === 'accepted');

export function Summary({ whole }: { whole: HourRow }): ReactNode {
  const { t } = useTranslation();
  const { reading } = useHolter();
  const moment = useMoment();
  const { day, pauses, fibrillation, episodes } = reading;
  // What is measured between normal beats is measured again for the report.
  const isChanged = !sameLabels(reading);
  const hrv = isChanged ? undefined : day.holter?.hrv;
  const assessed = (words: string): string => (day.isEctopyAssessed ? words : t('holter.notAssessed'));
  const share = (count: number): string => (whole.beats === 0 ? '' : ` · ${shareText(count / whole.beats)}`);
  const longest = pauses.reduce<readonly [number, number] | undefined>(
    (most, each) => (most === undefined || each[1] - each[0] > most[1] - most[0] ? each : most),
    undefined,
  );
  const runs = (code: string): number =>
    episodes.filter((each) => each.code === code && each.state !== 'rejected').length;
  const ms = (value: number | undefined): string =>
    value === undefined ? NOTHING : `${Math.round(value)} ms`;
  const paced =
    day.isPaced === undefined
      ? t('holter.pacingNotAssessed')
      : t(day.isPaced ? 'holter.paced' : 'holter.notPaced');
  const rows: readonly (readonly [string, string])[] = [
    [t('holter.recorded'), minutesOrHours(day.samples / day.sampleRateHz)],
    [t('holter.read'), readText(whole.readShare)],
    [t('holter.beatsColumn'), groupedNumber(whole.beats)],
    [
      t('holter.lowestToHighest'),
      whole.minBpm === undefined ? NOTHING : `${whole.minBpm} – ${whole.meanBpm} – ${whole.maxBpm} /min`,
    ],
    [t('holter.counted.V'), assessed(`${groupedNumber(whole.ventricular)}${share(whole.ventricular)}`)],
    [
      t('holter.counted.S'),
      assessed(`${groupedNumber(whole.supraventricular)}${share(whole.supraventricular)}`),
    ],
    [t('holter.short.VT'), assessed(String(runs('VT')))],
    [t('holter.short.SVTA'), assessed(String(runs('SVTA')))],
    [
      t('holter.af'),
      fibrillation.length === 0
        ? t(day.isFibrillationAssessed ? 'holter.none' : 'holter.notAssessed')
        : `${minutesText(whole.fibrillationSeconds)} · ${burdenText(reading)}`,
    ],
    [
      t('holter.longestPause'),
      longest === undefined
        ? t(day.arePausesAssessed ? 'holter.none' : 'holter.notAssessed')
        : `${decimalText((longest[1] - longest[0]) / day.sampleRateHz, 1)} s · ${moment(longest[0])}`,
    ],
    ['SDNN', ms(hrv?.sdnnMs)],
    ['SDANN', ms(hrv?.sdannMs)],
    ['RMSSD', ms(hrv?.rmssdMs)],
    ['pNN50', hrv === undefined ? NOTHING : `${decimalText(hrv.pnn50Percent, 1)} %`],
    [t('holter.pacing'), paced],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
    <aside className={classes.summary} aria-label={t('holter.summary')} tabIndex={0}>
      <h2>{t('holter.summary')}</h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {hrv?.sdnnMs === undefined && (
        <p className="quiet">{t(isChanged ? 'holter.hrvLater' : 'holter.noHrv')}</p>
      )}
      <SinceEarlier />
    </aside>
  );
}
