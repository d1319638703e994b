// The main numbers of two ECGs beside each other.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Measurements } from '../../../shared/analysis-result.ts';
import { numberText, signedText } from '../../parts/format-number.ts';
import { unitOf } from './changes.tsx';
import classes from './compare.module.css';
import { COMPARED_VALUES, type ComparedReadings, VALUE_KEYS } from './compare-readings.ts';

interface DifferenceTableProps {
  readonly now: Measurements;
  readonly before: Measurements;
  readonly compared: ComparedReadings;
}

const text = (value: number | undefined): string => (value === undefined ? '–' : numberText(value));

export function DifferenceTable({ now, before, compared }: DifferenceTableProps): ReactNode {
  const { t } = useTranslation();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t('review.measurement')}</th>
          <th scope="col">{t('compare.now')}</th>
          <th scope="col">{t('compare.before')}</th>
          <th scope="col">{t('compare.change')}</th>
        </tr>
      </thead>
      <tbody>
        {COMPARED_VALUES.map((name) => {
          const value = compared.values.find((each) => each.name === name);
          return (
            <tr key={name} data-marked={value?.isMarked || undefined}>
              <th scope="row">
                {t(`compare.value.${name}`)} <em>{unitOf(name)}</em>
              </th>
              <td>
                <b>{text(now[VALUE_KEYS[name]])}</b>
              </td>
              <td>{text(before[VALUE_KEYS[name]])}</td>
              <td>{value === undefined ? '–' : signedText(value.difference)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
