// Filters of the worklist: days, severity, state, real recordings alone.

import { Switch } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { SEVERITIES } from '../../../shared/severity.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import classes from './filter-bar.module.css';
import {
  EVERYTHING,
  FILTER_STATES,
  type Filter,
  isFiltered,
  PERIODS,
  type Period,
  queryOf,
} from './task-filter.ts';

const SETTLED_MS = 250;

interface PeriodsProps {
  readonly filter: Filter;
  /** How many recordings the chosen period has. */
  readonly total: number | undefined;
  readonly onChange: (period: Period) => void;
}

function Periods({ filter, total, onChange }: PeriodsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="radiogroup" aria-label={t('filter.period')} className={classes.group}>
      {PERIODS.map((period) => (
        <PeriodChip
          key={period}
          filter={{ ...filter, period }}
          isChosen={filter.period === period}
          total={total}
          onChoose={() => onChange(period)}
        />
      ))}
    </div>
  );
}

interface PeriodChipProps {
  readonly filter: Filter;
  readonly isChosen: boolean;
  readonly total: number | undefined;
  readonly onChoose: () => void;
}

function PeriodChip({ filter, isChosen, total, onChoose }: PeriodChipProps): ReactNode {
  const { t } = useTranslation();
  // The others can wait until nobody types.
  const [asked] = useDebouncedValue(filter, SETTLED_MS);
  const question = useMemo(() => queryOf(asked, Date.now()), [asked]);
  // How many the chosen one has is known from the list.
  const other = useBridgeQuery(
    'task.list',
    { limit: 1, ...question },
    { isEnabled: !isChosen, isKeptMeanwhile: true },
  );
  return (
    <label className={classes.period} data-chosen={isChosen}>
      <input type="radio" name="period" checked={isChosen} onChange={onChoose} />
      {t(`filter.${filter.period}`)} <b>{(isChosen ? total : other.data?.total) ?? ''}</b>
    </label>
  );
}

function Choice<V extends string>({
  label,
  value,
  values,
  nameOf,
  onChange,
}: {
  label: string;
  value: V | '';
  values: readonly V[];
  nameOf: (value: V) => string;
  onChange: (value: V | '') => void;
}): ReactNode {
  return (
    <select
      className={classes.choice}
      aria-label={label}
      data-chosen={value !== ''}
      value={value}
      onChange={(event) => onChange(event.target.value as V | '')}
    >
      <option value="">{label}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {nameOf(each)}
        </option>
      ))}
    </select>
  );
}

interface NeedsActionProps {
  readonly filter: Filter;
  onChange(state: Filter['state']): void;
}

/** What waits for somebody among what is looked for. */
function NeedsAction({ filter, onChange }: NeedsActionProps): ReactNode {
  const { t } = useTranslation();
  const [asked] = useDebouncedValue(filter, SETTLED_MS);
  const question = useMemo(() => queryOf({ ...asked, state: 'needsAction' }, Date.now()), [asked]);
  const { data } = useBridgeQuery('task.list', { limit: 1, ...question }, { isKeptMeanwhile: true });
  const isOn = filter.state === 'needsAction';
  return (
    <button
      type="button"
      className={classes.chip}
      aria-pressed={isOn}
      onClick={() => onChange(isOn ? '' : 'needsAction')}
    >
      {t('filter.needsAction')} {data !== undefined && <b>{data.total}</b>}
    </button>
  );
}

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  /** Undefined until it is known. */
  readonly total: number | undefined;
}

export function FilterBar({ filter, onChange, total }: FilterBarProps): ReactNode {
  const { t } = useTranslation();
  const change = (part: Partial<Filter>): void => onChange({ ...filter, ...part });
  return (
    <search className={classes.bar} aria-label={t('filter.label')}>
      <Periods filter={filter} total={total} onChange={(period) => change({ period })} />
      <NeedsAction filter={filter} onChange={(state) => change({ state })} />
      <Choice
        label={t('filter.severity')}
        value={filter.lowestSeverity}
        values={SEVERITIES.slice(1)}
        nameOf={(severity) =>
          t(severity === 'CRITICAL' ? 'severity.CRITICAL' : 'filter.orWorse', {
            severity: t(`severity.${severity}`),
          })
        }
        onChange={(lowestSeverity) => change({ lowestSeverity })}
      />
      <Choice
        label={t('worklist.column.state')}
        value={filter.state === 'needsAction' ? '' : filter.state}
        values={FILTER_STATES}
        nameOf={(state) => t(`filter.states.${state}`)}
        onChange={(state) => change({ state })}
      />
      {isFiltered(filter) && (
        <button type="button" className={classes.clear} onClick={() => onChange(EVERYTHING)}>
          {t('filter.clear')}
        </button>
      )}
      <Switch
        className={classes.real ?? ''}
        label={t('filter.realOnly')}
        checked={filter.isRealOnly}
        onChange={(event) => change({ isRealOnly: event.currentTarget.checked })}
      />
    </search>
  );
}
