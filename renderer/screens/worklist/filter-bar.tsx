// What of the worklist is shown: what was typed, days, state, severity, real recordings alone.

import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskQuery } from '../../../shared/bridge/contract.ts';
import { dateOrderOf } from '../../../shared/entry/typed-date.ts';
import { SEVERITIES, type Severity } from '../../../shared/severity.ts';
import type { TaskState } from '../../../shared/task-state.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import classes from './filter-bar.module.css';

const PERIODS = ['today', 'week', 'all'] as const;
type Period = (typeof PERIODS)[number];
/** What waits for somebody first, then in the order of a task's life. */
const STATES = [
  'needsAction',
  'DRAFT',
  'WAITING',
  'RECEIVING',
  'QUEUED',
  'PROCESSING',
  'AWAITING_APPROVAL',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const;
const NEEDS_ACTION: readonly TaskState[] = ['AWAITING_APPROVAL', 'FAILED'];
const DAY_MS = 86_400_000;

export interface Filter {
  readonly text: string;
  readonly period: Period;
  readonly state: (typeof STATES)[number] | '';
  readonly lowestSeverity: Severity | '';
  readonly isRealOnly: boolean;
}

/** Nothing is hidden from somebody who asked for nothing. */
export const EVERYTHING: Filter = { text: '', period: 'all', state: '', lowestSeverity: '', isRealOnly: false };

export const isFiltered = (filter: Filter): boolean =>
  Object.entries(EVERYTHING).some(([key, value]) => filter[key as keyof Filter] !== value);

function sinceMs(period: Period, nowMs: number): number | undefined {
  if (period === 'all') return undefined;
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  return period === 'today' ? midnight : midnight - 6 * DAY_MS;
}

export function queryOf({ text, period, state, lowestSeverity, isRealOnly }: Filter, nowMs: number): Omit<TaskQuery, 'limit'> {
  const since = sinceMs(period, nowMs);
  return {
    ...(text.trim() !== '' && { text: text.slice(0, 200), dateOrder: dateOrderOf(navigator.language) }),
    ...(since !== undefined && { sinceMs: since }),
    ...(state !== '' && { states: state === 'needsAction' ? [...NEEDS_ACTION] : [state] }),
    ...(lowestSeverity !== '' && { lowestSeverity }),
    ...(isRealOnly && { isRealOnly }),
  };
}

export function SearchBox({ text, onChange }: { text: string; onChange: (text: string) => void }): ReactNode {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      const isWanted = ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') || (event.key === '/' && !isTyping);
      if (!isWanted) return;
      event.preventDefault();
      input.current?.select();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <label className={classes.search}>
      <Icon name="search" size={18} />
      <input
        ref={input}
        type="search"
        value={text}
        maxLength={200}
        placeholder={t('filter.search')}
        aria-label={t('filter.search')}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
      />
      <kbd>Ctrl K</kbd>
    </label>
  );
}

function Periods({ filter, onChange }: { filter: Filter; onChange: (period: Period) => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <div role="radiogroup" aria-label={t('filter.period')} className={classes.group}>
      {PERIODS.map((period) => (
        <PeriodChip key={period} filter={{ ...filter, period }} isChosen={filter.period === period} onChoose={() => onChange(period)} />
      ))}
    </div>
  );
}

function PeriodChip({ filter, isChosen, onChoose }: { filter: Filter; isChosen: boolean; onChoose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { data } = useBridgeQuery('task.list', { limit: 1, ...queryOf(filter, Date.now()) }, { isKeptMeanwhile: true });
  return (
    <label className={classes.chip} data-chosen={isChosen}>
      <input type="radio" name="period" checked={isChosen} onChange={onChoose} />
      {t(`filter.${filter.period}`)} <b>{data?.total ?? ''}</b>
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
  const { t } = useTranslation();
  return (
    <select
      className={classes.choice}
      aria-label={label}
      data-chosen={value !== ''}
      value={value}
      onChange={(event) => onChange(event.target.value as V | '')}
    >
      <option value="">{t('filter.any', { label })}</option>
      {values.map((each) => (
        <option key={each} value={each}>
          {nameOf(each)}
        </option>
      ))}
    </select>
  );
}

interface FilterBarProps {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
  /** How much of all is shown. */
  readonly shown: string;
}

export function FilterBar({ filter, onChange, shown }: FilterBarProps): ReactNode {
  const { t } = useTranslation();
  const change = (part: Partial<Filter>): void => onChange({ ...filter, ...part });
  return (
    <search className={classes.bar} aria-label={t('filter.label')}>
      <Periods filter={filter} onChange={(period) => change({ period })} />
      <Choice
        label={t('worklist.column.severity')}
        value={filter.lowestSeverity}
        values={SEVERITIES.slice(1)}
        nameOf={(severity) => t(severity === 'CRITICAL' ? 'severity.CRITICAL' : 'filter.orWorse', { severity: t(`severity.${severity}`) })}
        onChange={(lowestSeverity) => change({ lowestSeverity })}
      />
      <Choice
        label={t('worklist.column.state')}
        value={filter.state}
        values={STATES}
        nameOf={(state) => (state === 'needsAction' ? t('filter.needsAction') : t(state === 'FAILED' ? 'filter.failed' : `state.${state}`))}
        onChange={(state) => change({ state })}
      />
      <label className={classes.chip} data-chosen={filter.isRealOnly}>
        <input type="checkbox" checked={filter.isRealOnly} onChange={(event) => change({ isRealOnly: event.target.checked })} />
        {t('filter.realOnly')}
      </label>
      {isFiltered(filter) && (
        <button type="button" className={classes.clear} onClick={() => onChange(EVERYTHING)}>
          {t('filter.clear')}
        </button>
      )}
      <span className={`quiet ${classes.shown}`}>{shown}</span>
    </search>
  );
}
