// The rows of the worklist. One tab stop; arrows choose, Enter opens the report.

import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskRow } from '../../../shared/bridge/contract.ts';
import { duration, rowTime } from '../../parts/format-time.ts';
import { useName, usePatientFacts } from '../../parts/patient-line.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import { StateWord } from '../../parts/state-word.tsx';
import { hasReport, openReport } from './open-report.ts';
import classes from './worklist.module.css';

function Row({
  row,
  isSelected,
  isTabStop,
  onSelect,
}: {
  row: TaskRow;
  isSelected: boolean;
  isTabStop: boolean;
  onSelect: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const name = useName(row.patient);
  const facts = usePatientFacts(row.patient, true);
  const recording =
    row.durationMs === undefined
      ? t(row.state === 'RECEIVING' ? 'worklist.underWay' : 'worklist.noData')
      : `${duration(row.durationMs)} · ${t('worklist.leads', { count: row.leadCount ?? 0 })}`;
  return (
    <tr
      data-task={row.taskId}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      className={isSelected ? classes.selected : undefined}
      onClick={onSelect}
      onDoubleClick={() => hasReport(row) && openReport(row.taskId)}
    >
      <td className={classes.time}>{rowTime(row.createdMs, Date.now())}</td>
      <th scope="row">
        <b>
          {name} {row.isSimulated && <SimulatedTag />}
        </b>
        <small>{facts}</small>
      </th>
      <td className={classes.recording}>{recording}</td>
      <td>
        <StateWord row={row} />
      </td>
      <td>{row.severity === undefined ? '–' : <SeverityBadge severity={row.severity} />}</td>
    </tr>
  );
}

export function TaskTable({
  rows,
  selected,
  onSelect,
}: {
  rows: readonly TaskRow[];
  selected: number | undefined;
  onSelect: (taskId: number) => void;
}): ReactNode {
  const { t } = useTranslation();
  const body = useRef<HTMLTableSectionElement>(null);
  const selectedIndex = rows.findIndex((row) => row.taskId === selected);

  const move = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    onSelect(row.taskId);
    body.current?.querySelector<HTMLElement>(`[data-task="${row.taskId}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: selectedIndex + 1,
      ArrowUp: selectedIndex - 1,
      Home: 0,
      End: rows.length - 1,
      PageDown: selectedIndex + 10,
      PageUp: selectedIndex - 10,
    };
    const target = steps[event.key];
    const row = rows[selectedIndex];
    if (target !== undefined) move(target);
    else if ((event.key === 'Enter' || event.key.toLowerCase() === 'p') && !event.ctrlKey && row !== undefined && hasReport(row))
      openReport(row.taskId);
    else return;
    event.preventDefault();
  };

  return (
    <table className={classes.table} aria-label={t('worklist.title')} aria-rowcount={rows.length}>
      <thead>
        <tr>
          {(['time', 'patient', 'recording', 'state', 'severity'] as const).map((column) => (
            <th key={column} scope="col" className={classes[column]}>
              {t(`worklist.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body} onKeyDown={onKeyDown}>
        {rows.map((row, index) => (
          <Row
            key={row.taskId}
            row={row}
            isSelected={row.taskId === selected}
            isTabStop={selectedIndex < 0 ? index === 0 : index === selectedIndex}
            onSelect={() => onSelect(row.taskId)}
          />
        ))}
      </tbody>
    </table>
  );
}
