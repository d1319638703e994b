// The rows of the worklist, of which only those in sight are on the page. One tab stop; arrows choose, Enter opens the report.

import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskQuery, TaskRow } from '../../../shared/bridge/contract.ts';
import { duration, rowTime } from '../../parts/format-time.ts';
import { usePatientFacts, useTaskName } from '../../parts/patient-line.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import { StateWord } from '../../parts/state-word.tsx';
import { hasReport, openReport } from './open-report.ts';
import { type TaskPages, useTaskPages } from './use-task-pages.ts';
import classes from './worklist.module.css';

const COLUMNS = ['time', 'patient', 'recording', 'state', 'severity'] as const;
const ROW_REM = 3.5;
const OVERSCAN = 8;
const PAGE_STEP = 10;

const rowPx = (): number => ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

interface RowProps {
  readonly index: number;
  readonly top: number;
  readonly row: TaskRow | undefined;
  readonly isSelected: boolean;
  onSelect(index: number, taskId: number): void;
}

const Row = memo(function Row({ index, top, row, isSelected, onSelect }: RowProps): ReactNode {
  const style = { transform: `translateY(${top}px)`, height: `${ROW_REM}rem` };
  // Of what is not there yet only the place is known.
  if (row === undefined) return <tr aria-rowindex={index + 2} aria-busy="true" className={classes.row} style={style} />;
  return <FilledRow {...{ index, row, isSelected, onSelect, style }} />;
});

function FilledRow({
  index,
  row,
  isSelected,
  onSelect,
  style,
}: Omit<RowProps, 'top' | 'row'> & { row: TaskRow; style: Record<string, string> }): ReactNode {
  const { t } = useTranslation();
  const name = useTaskName(row);
  const facts = usePatientFacts(row.patient, true);
  const recording =
    row.durationMs === undefined
      ? t(row.state === 'RECEIVING' ? 'worklist.underWay' : 'worklist.noData')
      : `${duration(row.durationMs)} · ${t('worklist.leads', { count: row.leadCount ?? 0 })}`;
  return (
    <tr
      id={`task-${row.taskId}`}
      data-task={row.taskId}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={`${classes.row} ${isSelected ? classes.selected : ''}`}
      style={style}
      onClick={() => onSelect(index, row.taskId)}
      onDoubleClick={() => hasReport(row) && openReport(row.taskId)}
    >
      <td className={classes.time}>{rowTime(row.createdMs, Date.now())}</td>
      <th scope="row" className={classes.patient}>
        <b>
          <span className={classes.nameText}>{name}</span> {row.isSimulated && <SimulatedTag />}
        </b>
        <small>{row.isPatientMissing === true ? t('patient.notAssigned') : facts}</small>
      </th>
      <td className={classes.recording}>{recording}</td>
      <td className={classes.state}>
        <StateWord row={row} />
      </td>
      <td className={classes.severity}>{row.severity === undefined ? '–' : <SeverityBadge severity={row.severity} />}</td>
    </tr>
  );
}

/** Whether somebody reads the list: a pointer over it, the focus in it, or not at its top. */
function useReading(pages: TaskPages, scrollTop: () => number): Record<string, () => void> {
  const reading = useRef({ isOver: false, isFocused: false });
  const judge = (): void => pages.hold(reading.current.isOver || reading.current.isFocused || scrollTop() > 0);
  const note = (part: Partial<typeof reading.current>) => (): void => {
    Object.assign(reading.current, part);
    judge();
  };
  return {
    onPointerEnter: note({ isOver: true }),
    onPointerLeave: note({ isOver: false }),
    onFocus: note({ isFocused: true }),
    onBlur: note({ isFocused: false }),
    onScroll: judge,
  };
}

interface TaskTableProps {
  readonly question: Omit<TaskQuery, 'limit' | 'offset' | 'newestId'>;
  readonly selected: number | undefined;
  onSelect(taskId: number): void;
  /** What the list says of itself. */
  onCounted(total: number | undefined, error: TaskPages['error']): void;
}

export function TaskTable({ question, selected, onSelect, onCounted }: TaskTableProps): ReactNode {
  const { t } = useTranslation();
  const scroller = useRef<HTMLTableElement>(null);
  const [range, setRange] = useState({ first: 0, last: 0 });
  const [index, setIndex] = useState(-1);
  const pages = useTaskPages(question, range.first, range.last);
  const { total, error } = pages;
  const virtual = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: rowPx,
    overscan: OVERSCAN,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => setRange({ first, last }), [first, last]);
  useEffect(() => onCounted(total, error), [total, error, onCounted]);
  const reading = useReading(pages, () => scroller.current?.scrollTop ?? 0);

  const select = useCallback(
    (place: number, taskId: number): void => {
      setIndex(place);
      onSelect(taskId);
    },
    [onSelect],
  );
  const choose = (to: number): void => {
    const place = Math.max(0, Math.min((total ?? 1) - 1, to));
    setIndex(place);
    virtual.scrollToIndex(place, { align: 'auto' });
    const row = pages.rowAt(place);
    if (row !== undefined) onSelect(row.taskId);
  };
  // A row that was chosen before it was there.
  const chosen = index < 0 ? undefined : pages.rowAt(index)?.taskId;
  useEffect(() => {
    if (chosen !== undefined && document.activeElement === scroller.current) onSelect(chosen);
  }, [chosen, onSelect]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: (total ?? 1) - 1,
      PageDown: index + PAGE_STEP,
      PageUp: index - PAGE_STEP,
    };
    const target = steps[event.key];
    const row = index < 0 ? undefined : pages.rowAt(index);
    if (target !== undefined) choose(target);
    else if ((event.key === 'Enter' || event.key.toLowerCase() === 'p') && !event.ctrlKey && row !== undefined && hasReport(row))
      openReport(row.taskId);
    else return;
    event.preventDefault();
  };
  const showNewer = (): void => {
    virtual.scrollToIndex(0);
    pages.hold(false);
  };
  return (
    <>
      {pages.newer > 0 && (
        <button type="button" className={classes.newer} onClick={showNewer}>
          {t('worklist.newer', { count: pages.newer })}
        </button>
      )}
      <table
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a list to choose from, with the semantics of a table
        role="grid"
        tabIndex={0}
        className={classes.table}
        aria-label={t('worklist.title')}
        aria-rowcount={(total ?? 0) + 1}
        aria-activedescendant={chosen === undefined ? undefined : `task-${chosen}`}
        onKeyDown={onKeyDown}
        {...reading}
      >
        <thead>
          <tr aria-rowindex={1} className={classes.header}>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" className={classes[column]}>
                {t(`worklist.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={classes.rows} style={{ height: `${virtual.getTotalSize()}px` }}>
          {items.map((item) => {
            const row = pages.rowAt(item.index);
            return (
              <Row
                key={item.index}
                index={item.index}
                top={item.start}
                row={row}
                isSelected={row !== undefined && row.taskId === selected}
                onSelect={select}
              />
            );
          })}
        </tbody>
      </table>
    </>
  );
}
