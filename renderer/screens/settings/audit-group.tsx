// The audit trail: searched by words, person, kind and time; checked; exported (screens, S12).

import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  AUDIT_ACTIONS,
  AUDIT_KINDS,
  type AuditAction,
  type AuditKind,
} from '../../../shared/audit-actions.ts';
import type { CallInput } from '../../../shared/bridge/contract.ts';
import type { AuditEntryView, AuditState } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { useSession } from '../../bridge/use-session.ts';
import { clockTime, dayAndTime, dayOf } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { nameOf } from '../../parts/patient-line.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Segments } from '../../parts/segments.tsx';
import { localNumber } from '../../parts/size-text.ts';
import { errorText } from '../../text/text.ts';
import classes from './audit.module.css';
import { SettingRow } from './setting-row.tsx';
import settings from './settings.module.css';

const DAY_MS = 86_400_000;
const PERIODS = ['week', 'month', 'all'] as const;
const DAYS = { week: 7, month: 30 } as const;
const PAGE = 100;
const SETTLED_MS = 300;

interface Looked {
  readonly text: string;
  readonly kind: AuditKind | null;
  readonly actor: string | null;
  readonly period: (typeof PERIODS)[number];
}

type Filter = CallInput<'audit.export'>;

/** The words for an action, in the language of the screens. */
type Words = (action: AuditAction) => string;
const ACTIONS: readonly AuditAction[] = AUDIT_KINDS.flatMap((kind) => AUDIT_ACTIONS[kind]);

const actionsOf = (typed: string, words: Words): string[] =>
  ACTIONS.filter((action) => words(action).toLocaleLowerCase().includes(typed.toLocaleLowerCase()));

/** A number alone is a recording. @param todayMs the beginning of the day, so that the question stays the same */
function filterOf({ text, kind, actor, period }: Looked, todayMs: number, words: Words): Filter {
  const typed = text.trim();
  return {
    ...(kind !== null && { kind }),
    ...(actor !== null && { actor }),
    ...(period !== 'all' && { sinceMs: todayMs - DAYS[period] * DAY_MS }),
    ...(/^\d+$/.test(typed)
      ? { subject: `task:${typed}` }
      : typed !== '' && { text: typed, orActions: actionsOf(typed, words) }),
  };
}

function Whole({ state: { entries, checked } }: { state: AuditState }): ReactNode {
  const { t } = useTranslation();
  const count = localNumber(entries);
  if (checked === undefined) return t('audit.notChecked', { entries: count });
  const time = dayAndTime(checked.atMs);
  const amiss =
    checked.brokenAt !== undefined
      ? t('audit.broken', { at: localNumber(checked.brokenAt) })
      : checked.fault !== undefined
        ? t(`audit.fault.${checked.fault}`)
        : checked.unfitAt !== undefined
          ? t('audit.unfit', { at: localNumber(checked.unfitAt) })
          : undefined;
  if (amiss === undefined)
    return (
      <b className={classes.whole}>{t('audit.whole', { entries: localNumber(checked.entries), time })}</b>
    );
  return (
    <b className={settings.trouble} role="alert">
      {amiss} {t('audit.checkedAt', { time })}
    </b>
  );
}

function Entry({ entry }: { entry: AuditEntryView }): ReactNode {
  const { t } = useTranslation();
  const { atMs, actor, by, action, subject, patient, detail, seq } = entry;
  const taskId = /^task:(\d+)$/.exec(subject)?.[1];
  const words = Object.entries(detail).map(([name, value]) => `${name} ${value}`);
  return (
    <tr>
      <td title={`${new Date(atMs).toISOString()} · ${seq}`}>
        <b>{clockTime(atMs).clock}</b>
        <small>{dayOf(atMs)}</small>
      </td>
      <td>{by ?? t(`audit.actor.${actor}`, { defaultValue: actor })}</td>
      <td>{t(`audit.action.${action.replace('.', '_')}`, { defaultValue: action })}</td>
      <td>
        {taskId === undefined ? (
          <span data-page-text>{subject}</span>
        ) : (
          <a href={`#/task/${taskId}`}>{t('audit.task', { id: taskId })}</a>
        )}
        {patient !== undefined && <small>{nameOf(patient)}</small>}
      </td>
      <td className={classes.detail} data-page-text>
        {words.join(' · ')}
      </td>
    </tr>
  );
}

const COLUMNS = ['time', 'who', 'what', 'about', 'detail'] as const;

/** One page after the other, each asked for when the one before it is there. */
function Entries({ filter }: { filter: Filter }): ReactNode {
  const { t } = useTranslation();
  const [starts, setStarts] = useState<readonly (number | undefined)[]>([undefined]);
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {t(`audit.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      {starts.map((beforeSeq, i) => (
        <Page
          key={beforeSeq ?? 'newest'}
          filter={filter}
          beforeSeq={beforeSeq}
          onMore={i === starts.length - 1 ? (next) => setStarts([...starts, next]) : undefined}
        />
      ))}
    </table>
  );
}

interface PageProps {
  readonly filter: Filter;
  readonly beforeSeq: number | undefined;
  /** Asks for more behind the last page. */
  readonly onMore: ((beforeSeq: number) => void) | undefined;
}

function Page({ filter, beforeSeq, onMore }: PageProps): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useBridgeQuery(
    'audit.list',
    { ...filter, limit: PAGE, ...(beforeSeq !== undefined && { beforeSeq }) },
    { keptMs: 0 },
  );
  const next = data?.nextBeforeSeq;
  return (
    <tbody>
      {data?.entries.map((entry) => (
        <Entry key={entry.seq} entry={entry} />
      ))}
      {(error !== null || (onMore !== undefined && data !== undefined)) && (
        <tr>
          <td colSpan={COLUMNS.length}>
            {error !== null ? (
              <span role="alert">{errorText(error)}</span>
            ) : next === undefined ? (
              <span className="quiet">{t('audit.end')}</span>
            ) : (
              <Button h={44} variant="default" onClick={() => onMore?.(next)}>
                {t('audit.more')}
              </Button>
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}

export function AuditGroup(): ReactNode {
  const { t } = useTranslation();
  const { may } = useSession();
  const mayLook = may('audit');
  const { data: state } = useBridgeQuery('audit.state', {}, { isEnabled: mayLook, keptMs: 0 });
  const check = useCommand('audit.check');
  const take = useCommand('audit.export');
  const queries = useQueryClient();
  const [looked, setLooked] = useState<Looked>({ text: '', kind: null, actor: null, period: 'week' });
  const [todayMs] = useState(() => new Date().setHours(0, 0, 0, 0));
  // A search looks through thousands of entries on the thread that records: not at every key.
  const [settled] = useDebouncedValue(looked, SETTLED_MS);
  const filterFor = (at: Looked): Filter =>
    filterOf(at, todayMs, (action) => t(`audit.action.${action.replace('.', '_')}`));
  const filter = filterFor(settled);
  if (!mayLook) return <p className={settings.note}>{t('settings.readOnly')}</p>;
  const checkAll = async (): Promise<void> => {
    await check.run({});
    await queries.invalidateQueries({ queryKey: ['audit.state'] });
  };
  const save = async (): Promise<void> => {
    // What stands in the fields, even where the list is still behind it.
    const taken = await take.run(filterFor(looked));
    if (taken !== undefined) saveFile('audit.csv', Uint8Array.from(taken.csv), 'text/csv');
  };
  const trouble = check.trouble ?? take.trouble;
  return (
    <>
      <div className={settings.card}>
        <SettingRow
          title={t('audit.trail')}
          effect={state === undefined ? undefined : <Whole state={state} />}
        >
          <Button h={44} variant="default" loading={check.isRunning} onClick={() => void checkAll()}>
            {t('audit.check')}
          </Button>
          <Button
            h={44}
            variant="default"
            loading={take.isRunning}
            leftSection={<Icon name="save" />}
            onClick={() => void save()}
          >
            {t('audit.export')}
          </Button>
        </SettingRow>
        {trouble !== undefined && (
          <p role="alert" className={settings.rowTrouble}>
            {trouble}
          </p>
        )}
      </div>
      <div className={classes.filters}>
        <TextInput
          size="md"
          type="search"
          leftSection={<Icon name="search" />}
          aria-label={t('audit.find')}
          placeholder={t('audit.find')}
          value={looked.text}
          maxLength={100}
          onChange={({ currentTarget }) => setLooked({ ...looked, text: currentTarget.value })}
        />
        <Select
          size="md"
          aria-label={t('audit.kind')}
          placeholder={t('audit.anyKind')}
          clearable
          data={AUDIT_KINDS.map((value) => ({ value, label: t(`audit.kinds.${value}`) }))}
          value={looked.kind}
          onChange={(kind) => setLooked({ ...looked, kind })}
        />
        <Select
          size="md"
          aria-label={t('audit.person')}
          placeholder={t('audit.anybody')}
          clearable
          data={(state?.actors ?? []).map(({ actor, name }) => ({
            value: actor,
            label: name ?? t(`audit.actor.${actor}`),
          }))}
          value={looked.actor}
          onChange={(actor) => setLooked({ ...looked, actor })}
        />
        <Segments
          label={t('filter.period')}
          name="audit-period"
          segments={PERIODS.map((value) => ({ value, label: t(`audit.period.${value}`) }))}
          value={looked.period}
          onChoose={(period) => setLooked({ ...looked, period })}
        />
      </div>
      <Entries key={JSON.stringify(filter)} filter={filter} />
    </>
  );
}
