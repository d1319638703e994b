// The main numbers as they stand, and as the program measured them where a person has changed that.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Measurements } from '../../../shared/analysis-result.ts';
import { numberText } from '../../parts/format-number.ts';
import classes from './dock.module.css';

const ROWS = [
  ['rate', 'heartRateBpm', 'perMinute'],
  ['p', 'pMs', 'ms'],
  ['pr', 'prMs', 'ms'],
  ['qrs', 'qrsMs', 'ms'],
  ['qt', 'qtMs', 'ms'],
  ['qtcF', 'qtcFridericiaMs', 'ms'],
  ['qtcB', 'qtcBazettMs', 'ms'],
  ['axis', 'qrsAxisDeg', 'degrees'],
] as const;

export interface MeasurementTableProps {
  readonly now: Measurements;
  /** Before the corrections that nobody has approved yet. */
  readonly before: Measurements | undefined;
  /** The numbers are of before the last step. */
  readonly isMeasuring: boolean;
}

export function MeasurementTable({ now, before, isMeasuring }: MeasurementTableProps): ReactNode {
  const { t } = useTranslation();
  const isChanged = before !== undefined && ROWS.some(([, key]) => now[key] !== before[key]);
  return (
    <table className={classes.numbers} aria-busy={isMeasuring}>
      <thead>
        <tr>
          <th scope="col">{t('review.measurement')}</th>
          <th scope="col">{t('review.now')}</th>
          {isChanged && <th scope="col">{t('review.before')}</th>}
        </tr>
      </thead>
      <tbody>
        {ROWS.map(([name, key, unit]) => {
          const [value, old] = [now[key], before?.[key]];
          return (
            <tr key={name}>
              <th scope="row">{t(`review.value.${name}`)}</th>
              <td>
                {value === undefined ? (
                  '–'
                ) : (
                  <>
                    <b>{numberText(value)}</b> <em>{t(`review.unit.${unit}`)}</em>
                  </>
                )}
              </td>
              {isChanged && <td>{value !== old && <s>{old === undefined ? '–' : numberText(old)}</s>}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
