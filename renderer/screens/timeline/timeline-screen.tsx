// All ECGs of a patient on one axis of time, and in words; two of them are chosen to be compared.

import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findingText } from '../../../shared/findings/finding-text.ts';
import { sideOfUsual } from '../../../shared/findings/usual-values.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { loadPart } from '../../parts/load-part.ts';
import { Segments } from '../../parts/segments.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import { Strip } from '../../parts/strip.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { errorText, shownLanguage } from '../../text/text.ts';
import { asRead, dayOf, earlierOf, measuredOf, type PatientEcg, usualOf } from '../compare/patient-ecgs.ts';
import { Lanes } from './lanes.tsx';
import classes from './timeline.module.css';

// Packing is rare, and brings a library along.
const PackageDialog = lazy(() =>
  loadPart(async () => ({
    default: (await import('./package-dialog.tsx')).PackageDialog,
  })),
);

const YEARS = { one: 1, five: 5, all: Number.POSITIVE_INFINITY } as const;
type Period = keyof typeof YEARS;
const PERIODS: readonly Period[] = ['one', 'five', 'all'];
const YEAR_MS = 365.25 * 86_400_000;

interface RowProps {
  readonly ecg: PatientEcg;
  readonly isOpen: boolean;
  readonly isChosen: boolean;
  onChoose(): void;
}

function EcgRow({ ecg, isOpen, isChosen, onChoose }: RowProps): ReactNode {
  const { t } = useTranslation();
  const { row, statement, approvedBy, differs } = ecg;
  const qtc = measuredOf(ecg, 'qtc');
  const isOutside = sideOfUsual(qtc, usualOf(ecg, 'qtc')) !== undefined;
  const day = dayOf(ecg);
  return (
    <tr data-chosen={isChosen || isOpen || undefined}>
      <td>
        {!isOpen && (
          <input
            type="radio"
            name="before"
            aria-label={t('timeline.compareWith', { day })}
            checked={isChosen}
            onChange={onChoose}
          />
        )}
      </td>
      <td>
        <a href={`#/review/${row.taskId}`}>
          <b>{day}</b>
        </a>
        {isOpen && <span className="quiet"> {t('timeline.isOpen')}</span>}
        {row.recordingStartMs === undefined && <small> {t('compare.imported')}</small>}
        {differs.length > 0 && (
          <p className={classes.differs}>{differs.map((what) => t(`compare.differs.${what}`)).join(', ')}</p>
        )}
      </td>
      <td>
        <Strip taskId={row.taskId} widthPx={150} heightPx={36} seconds={5} />
      </td>
      <td>
        {row.severity === undefined ? (
          <span className="quiet">{t('severity.absent')}</span>
        ) : (
          <SeverityBadge severity={row.severity} />
        )}
      </td>
      <td>
        {statement === undefined ? '–' : findingText(statement, shownLanguage())}{' '}
        {row.isSimulated === true && <SimulatedTag />}
      </td>
      <td>{measuredOf(ecg, 'rate') ?? '–'}</td>
      <td data-outside={isOutside || undefined}>{qtc === undefined ? '–' : `${qtc} ms`}</td>
      <td className="quiet">{approvedBy ?? t('timeline.notApproved')}</td>
    </tr>
  );
}

interface TableProps {
  readonly ecgs: readonly PatientEcg[];
  readonly taskId: number;
  readonly otherId: number | undefined;
  onChoose(taskId: number): void;
}

const COLUMNS = ['date', 'strip', 'severity', 'finding', 'rate', 'qtc', 'read'] as const;

function EcgTable({ ecgs, taskId, otherId, onChoose }: TableProps): ReactNode {
  const { t } = useTranslation();
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">
            <span className="hidden">{t('timeline.column.choose')}</span>
          </th>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {t(`timeline.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ecgs.map((ecg) => (
          <EcgRow
            key={ecg.row.taskId}
            ecg={ecg}
            isOpen={ecg.row.taskId === taskId}
            isChosen={ecg.row.taskId === otherId}
            onChoose={() => onChoose(ecg.row.taskId)}
          />
        ))}
      </tbody>
    </table>
  );
}

function Timeline({ all: stored, taskId }: { all: readonly PatientEcg[]; taskId: number }): ReactNode {
  const { t } = useTranslation();
  const [period, setPeriod] = useState<Period>('all');
  const [otherId, setOther] = useState(earlierOf(stored, taskId)?.row.taskId);
  const { data: reading } = useBridgeQuery('review.reading', { taskId });
  const { data: otherReading } = useBridgeQuery(
    'review.reading',
    { taskId: otherId ?? taskId },
    { isEnabled: otherId !== undefined },
  );
  const all = stored.map((ecg) =>
    asRead(ecg, { [taskId]: reading, [otherId ?? taskId]: otherReading ?? reading }[ecg.row.taskId]),
  );
  const open = all.find(({ row }) => row.taskId === taskId) as PatientEcg;
  const newestMs = all[0]?.atMs ?? open.atMs;
  const ecgs = all.filter(
    (ecg) => ecg === open || ecg.row.taskId === otherId || newestMs - ecg.atMs <= YEARS[period] * YEAR_MS,
  );
  const compare = (): void => {
    if (otherId !== undefined) location.hash = `#/compare/${taskId}/${otherId}`;
  };
  useCommands('timeline', { compare });
  const [isPacking, setPacking] = useState(false);
  return (
    <div className={classes.screen}>
      <header className={classes.head}>
        <h1>{t('timeline.title')}</h1>
        <span className="quiet">{t('timeline.count', { count: all.length })}</span>
        <div className={classes.space} />
        <Segments
          label={t('filter.period')}
          name="period"
          value={period}
          segments={PERIODS.map((value) => ({
            value,
            label: t(`timeline.period.${value}`),
          }))}
          onChoose={(value) => setPeriod(value)}
        />
        <Button h={44} variant="default" leftSection={<Icon name="save" />} onClick={() => setPacking(true)}>
          {t('package.open')}
        </Button>
        <Button
          h={44}
          disabled={otherId === undefined}
          leftSection={<Icon name="review" />}
          rightSection={<Key of="timeline.compare" />}
          onClick={compare}
        >
          {t('timeline.compare')}
        </Button>
      </header>
      <Lanes ecgs={ecgs} open={open} otherId={otherId} />
      <div className={classes.list}>
        <EcgTable ecgs={ecgs} taskId={taskId} otherId={otherId} onChoose={setOther} />
      </div>
      {isPacking && (
        <Suspense>
          <PackageDialog taskId={taskId} onClose={() => setPacking(false)} />
        </Suspense>
      )}
    </div>
  );
}

export function TimelineScreen({ taskId }: { taskId: number }): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useBridgeQuery('review.patientEcgs', { taskId });
  useCommands('timeline', {
    back: () => {
      location.hash = `#/review/${taskId}`;
    },
  });
  const open = data?.ecgs.find(({ row }) => row.taskId === taskId);
  if (data !== undefined && open !== undefined)
    return <Timeline key={taskId} all={data.ecgs} taskId={taskId} />;
  const sentence = data === undefined ? t('review.loading') : t('review.notAnalysed');
  return (
    <div className="notice">
      <h1>{t('timeline.title')}</h1>
      <p role="status">{error === null ? sentence : errorText(error)}</p>
    </div>
  );
}
