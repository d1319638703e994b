// A day hour by hour of the clock: beats, rate, ectopic beats, fibrillation, the longest pause, ST. Choosing an hour moves all views.

import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { clockHours, type HourRow, hourTable } from '../../../shared/long/hour-table.ts';
import { decimalText, groupedNumber, numberText } from '../../parts/format-number.ts';
import { clockAt, dayAt } from './clock.ts';
import classes from './day.module.css';
import { type Holter, useHolter } from './holter.ts';

const RATES = { slowest: 35, fastest: 140 } as const;
const WHOLE_HOUR_MINUTES = 59.5;
const NOTHING = '–';
const LONG_PAUSE_MS = 2000;

export function useHourTable(): ReturnType<typeof hourTable> {
  const { reading, startMs, timeZone, lead } = useHolter();
  const { day, beats, unknown, fibrillation, pauses } = reading;
  const { sampleRateHz, samples } = day;
  const starts = useMemo(
    () => clockHours(samples, sampleRateHz, startMs === undefined ? undefined : { atMs: startMs, timeZone }),
    [samples, sampleRateHz, startMs, timeZone],
  );
  return useMemo(
    () =>
      hourTable(starts, {
        beats,
        sampleRateHz,
        sampleCount: samples,
        unknown,
        fibrillation,
        pauses,
        stMv: day.holter?.stMv?.[lead],
      }),
    [starts, beats, sampleRateHz, samples, unknown, fibrillation, pauses, day, lead],
  );
}

const place = (bpm: number): number =>
  (100 * (Math.min(RATES.fastest, Math.max(RATES.slowest, bpm)) - RATES.slowest)) /
  (RATES.fastest - RATES.slowest);

function Rate({ row }: { row: HourRow }): ReactNode {
  const { minBpm, meanBpm, maxBpm } = row;
  if (minBpm === undefined || meanBpm === undefined || maxBpm === undefined)
    return (
      <>
        <td>{NOTHING}</td>
        <td />
        <td>{NOTHING}</td>
        <td>{NOTHING}</td>
      </>
    );
  return (
    <>
      <td className="quiet">{minBpm}</td>
      <td className={classes.track} aria-hidden="true">
        <i>
          <b style={{ left: `${place(minBpm)}%`, width: `${place(maxBpm) - place(minBpm)}%` }} />
          <u style={{ left: `${place(meanBpm)}%` }} />
        </i>
      </td>
      <td className="quiet">{maxBpm}</td>
      <td>{meanBpm}</td>
    </>
  );
}

function Count({ count, most, kind }: { count: number; most: number; kind: 'V' | 'S' }): ReactNode {
  return (
    <td className={classes.count} data-kind={kind}>
      <i style={{ width: `${most === 0 ? 0 : (26 * count) / most}px` }} aria-hidden="true" />
      {count === 0 ? NOTHING : groupedNumber(count)}
    </td>
  );
}

/** What is not all is never said to be all. */
export const readText = (share: number): string => `${Math.floor(100 * share)} %`;

/** `3 min`, `40 s`. */
export const minutesText = (seconds: number): string =>
  seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;

interface RowProps {
  readonly holter: Holter;
  readonly row: HourRow;
  readonly mostV: number;
  readonly mostS: number;
  readonly hasSt: boolean;
  readonly isWhole?: boolean;
}

/** How many minutes an hour has that is not whole; the day behind midnight. */
function besideHour(holter: Holter, { startSample, endSample }: HourRow): string {
  const minutes = (endSample - startSample) / holter.reading.day.sampleRateHz / 60;
  if (minutes < WHOLE_HOUR_MINUTES) return `${Math.round(minutes)} min`;
  return holter.startMs !== undefined && clockAt(holter, startSample).startsWith('00:00')
    ? dayAt(holter, startSample)
    : '';
}

function Cells({ row, mostV, mostS, hasSt }: Omit<RowProps, 'holter'>): ReactNode {
  const { longestPauseMs = 0, stMv } = row;
  return (
    <>
      <td>{groupedNumber(row.beats)}</td>
      <Rate row={row} />
      <Count count={row.ventricular} most={mostV} kind="V" />
      <Count count={row.supraventricular} most={mostS} kind="S" />
      <td data-tone={row.fibrillationSeconds > 0 ? 'warn' : undefined}>
        {row.fibrillationSeconds > 0 ? minutesText(row.fibrillationSeconds) : NOTHING}
      </td>
      <td data-tone={longestPauseMs > LONG_PAUSE_MS ? 'bad' : undefined}>
        {longestPauseMs > LONG_PAUSE_MS ? `${decimalText(longestPauseMs / 1000, 1)} s` : NOTHING}
      </td>
      {hasSt && (
        <td className={classes.st}>
          {stMv === undefined
            ? NOTHING
            : numberText(Number(stMv.toFixed(2))).replace(/^(?=\d)/, stMv > 0 ? '+' : '')}
        </td>
      )}
      <td className="quiet">{row.readShare === 1 ? '' : readText(row.readShare)}</td>
    </>
  );
}

export function HourRows(): ReactNode {
  const { t } = useTranslation();
  const holter = useHolter();
  const { rows, whole } = useHourTable();
  const { at, goTo, reading } = holter;
  const mostV = Math.max(0, ...rows.map(({ ventricular }) => ventricular));
  const mostS = Math.max(0, ...rows.map(({ supraventricular }) => supraventricular));
  const hasSt = rows.some(({ stMv }) => stMv !== undefined);
  const beside = { mostV, mostS, hasSt };
  return (
    <div className={classes.hours}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('holter.hour')}</th>
            <th scope="col">{t('holter.beatsColumn')}</th>
            <th scope="colgroup" colSpan={3}>
              {t('holter.lowestToHighest')}
            </th>
            <th scope="col">{t('holter.mean')}</th>
            <th scope="col">V</th>
            <th scope="col">S</th>
            <th scope="col">{t('holter.af')}</th>
            <th scope="col">{t('holter.pause')}</th>
            {hasSt && (
              <th scope="col" className={classes.st}>
                {t('holter.st')}
              </th>
            )}
            <th scope="col">{t('holter.read')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const isHere = at >= row.startSample && at < row.endSample;
            return (
              <tr key={row.startSample} data-here={isHere || undefined}>
                <th scope="row">
                  <button
                    type="button"
                    aria-current={isHere ? 'time' : undefined}
                    onClick={() => goTo((row.startSample + row.endSample) / 2)}
                  >
                    {clockAt(holter, row.startSample).slice(0, 5)}
                  </button>{' '}
                  <small className="quiet">{besideHour(holter, row)}</small>
                </th>
                <Cells row={row} {...beside} />
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{minutesOrHours(reading.day.samples / reading.day.sampleRateHz)}</th>
            <Cells row={whole} mostV={0} mostS={0} hasSt={hasSt} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** `24 h`, `24 h 4 min`, `50 min`. */
export function minutesOrHours(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
