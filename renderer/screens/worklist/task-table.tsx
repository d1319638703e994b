// The rows of the worklist, of which only those in sight are on the page. One tab stop; arrows choose, Enter
// opens the report.

import { useMediaQuery } from '@mantine/hooks';
import { t } from 'i18next';
import {
  Fragment,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { TaskQuery, TaskRow } from '../../../shared/bridge/views.ts';
import { isBeingRead } from '../../parts/analysis-wait.ts';
import { CentralWord } from '../../parts/central-word.tsx';
import { duration, rowMoment } from '../../parts/format-time.ts';
import { patientFacts, taskNameOf } from '../../parts/patient-line.tsx';
import { SimulatedTag } from '../../parts/simulated-tag.tsx';
import { StateWord } from '../../parts/state-word.tsx';
import { forgetLeftRow, hasReport, leftRow, openReport } from './open-report.ts';
import { RowFinding } from './row-finding.tsx';
import { LONG_ROW_STRIP, ROW_STRIP, RowStrip, type StripShape } from './row-strip.tsx';
import { useRowsInSight } from './use-rows-in-sight.ts';
import { type TaskPages, useTaskPages } from './use-task-pages.ts';
import classes from './worklist.module.css';

const COLUMNS = ['time', 'patient', 'strip', 'finding', 'state'] as const;
const MORE_COLUMNS = ['time', 'patient', 'strip', 'recording', 'finding', 'state'] as const;
const MOST_COLUMNS = [...MORE_COLUMNS, 'device'] as const;
type Column = (typeof MOST_COLUMNS)[number];

/** What a window has room for; below 1280 the preview is a drawer and leaves its room to the list. */
interface RowShape {
  readonly columns: readonly Column[];
  readonly strip: StripShape;
}
const USUAL: RowShape = { columns: COLUMNS, strip: ROW_STRIP };
const WIDE: RowShape = { columns: MORE_COLUMNS, strip: ROW_STRIP };
const WIDEST: RowShape = { columns: MOST_COLUMNS, strip: LONG_ROW_STRIP };

const AT_ONCE = { getInitialValueInEffect: false };

function useRowShape(): RowShape {
  const isWide = useMediaQuery('(min-width: 1600px)', false, AT_ONCE);
  const isWidest = useMediaQuery('(min-width: 1800px)', false, AT_ONCE);
  if (isWidest) return WIDEST;
  return isWide ? WIDE : USUAL;
}

const ROW_REM = 3.625;
const HEAD_PX = 36;
const PAGE_STEP = 10;
/** As many rows as there are on a high screen. */
const LEAST_PLACES = 64;

/** Grows with the size of text that somebody has chosen. */
function useRowPx(): number {
  const [px, setPx] = useState(() => ROW_REM * rootPx());
  useEffect(() => {
    const update = (): void => setPx(ROW_REM * rootPx());
    addEventListener('resize', update);
    return () => removeEventListener('resize', update);
  }, []);
  return px;
}

const rootPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

interface RowProps {
  readonly index: number;
  readonly top: number;
  readonly row: TaskRow | undefined;
  readonly isSelected: boolean;
  readonly shape: RowShape;
  onSelect(index: number, taskId: number): void;
}

const Row = memo(function Row({ index, top, row, isSelected, shape, onSelect }: RowProps): ReactNode {
  const style = { transform: `translateY(${top}px)`, height: `${ROW_REM}rem` };
  // Only the place is known of what is not there yet.
  if (row === undefined)
    return <tr aria-rowindex={index + 2} aria-busy="true" className={classes.row} style={style} />;
  return <FilledRow {...{ index, row, isSelected, shape, onSelect, style }} />;
});

/** When it was recorded; where nothing says so, when it came, and that it is that. Undefined while it is being read. */
function momentOf(row: TaskRow): { readonly clock: string; readonly day: string } | undefined {
  const { recordingStartMs, isStartZoneKnown, timeZone, createdMs, durationMs, state } = row;
  const now = Date.now();
  // A time without a zone stands as it was written.
  if (recordingStartMs !== undefined)
    return rowMoment(recordingStartMs, now, isStartZoneKnown === true ? timeZone : 'UTC');
  if (durationMs === undefined) return isBeingRead(row) ? undefined : rowMoment(createdMs, now);
  const { clock, day } = rowMoment(createdMs, now);
  return { clock, day: state === 'RECEIVING' ? day : t('worklist.arrived', { day }) };
}

/** A date or a number is never parted; lines end between them. */
const Facts = ({ facts }: { facts: string }): ReactNode =>
  facts.split(' · ').map((fact, i) => (
    <Fragment key={fact}>
      {i > 0 && ' · '}
      <span className={classes.fact}>{fact}</span>
    </Fragment>
  ));

/** Longer names stand in smaller letters, so that all of them have room in a row. */
const LONG_NAME = { long: 24, longest: 40 };
const lengthOf = (name: string): 'long' | 'longest' | undefined =>
  name.length > LONG_NAME.longest ? 'longest' : name.length > LONG_NAME.long ? 'long' : undefined;

/** Ten seconds of twelve leads need no word. */
const isUsual = ({ durationMs, leadCount }: TaskRow): boolean =>
  durationMs !== undefined && Math.round(durationMs / 1000) === 10 && leadCount === 12;

const lengthAndLeads = ({ durationMs, leadCount, state }: TaskRow): string =>
  durationMs === undefined
    ? t(state === 'RECEIVING' ? 'worklist.underWay' : 'worklist.noData')
    : `${duration(durationMs)} · ${t('worklist.leads', { count: leadCount ?? 0 })}`;

function FilledRow({
  index,
  row,
  isSelected,
  shape,
  onSelect,
  style,
}: Omit<RowProps, 'top' | 'row'> & { row: TaskRow; style: Record<string, string> }): ReactNode {
  const name = taskNameOf(row);
  const facts = patientFacts(row.patient, { isShort: true, atMs: row.recordingStartMs ?? row.createdMs });
  const has = (column: Column): boolean => shape.columns.includes(column);
  const moment = momentOf(row);
  const length = has('recording') || isUsual(row) ? '' : lengthAndLeads(row);
  return (
    <tr
      id={`task-${row.taskId}`}
      data-task={row.taskId}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={`${classes.row} ${isSelected ? classes.selected : ''}`}
      style={style}
      onClick={() => onSelect(index, row.taskId)}
      onDoubleClick={() => hasReport(row) && openReport(row.taskId, index)}
    >
      <td className={classes.time}>
        {moment === undefined ? (
          <small>{t('worklist.reading')}</small>
        ) : (
          <>
            <b>{moment.clock}</b>
            <small>{moment.day}</small>
          </>
        )}
      </td>
      <th scope="row" className={classes.patient} data-name={lengthOf(name)}>
        <b>
          <span className={classes.nameText}>{name}</span>
        </b>
        <small>{row.isPatientMissing === true ? t('patient.notAssigned') : <Facts facts={facts} />}</small>
      </th>
      <td className={classes.strip}>
        {row.durationMs !== undefined && (
          <RowStrip
            taskId={row.taskId}
            shape={shape.strip}
            hasWords={row.isSimulated === true || length !== ''}
          />
        )}
        <small>
          {row.isSimulated && <SimulatedTag />} {length}
        </small>
      </td>
      {has('recording') && (
        <td className={classes.recording}>
          {row.durationMs === undefined ? (
            lengthAndLeads(row)
          ) : (
            <>
              {duration(row.durationMs)}
              <small>{t('worklist.leads', { count: row.leadCount ?? 0 })}</small>
            </>
          )}
        </td>
      )}
      <td className={classes.finding}>
        <RowFinding row={row} />
      </td>
      <td className={classes.state}>
        <StateWord row={row} />
        {row.central !== undefined && <CentralWord central={row.central} />}
      </td>
      {has('device') && (
        <td className={classes.device}>
          {row.deviceName ?? '–'}
          {row.state === 'COMPLETED' && row.approvedBy !== undefined && (
            <small>{t('worklist.approvedBy', { name: row.approvedBy })}</small>
          )}
        </td>
      )}
    </tr>
  );
}

/** Whether somebody reads the list: a pointer over it, the focus in it, or not at its top. */
function useReading(pages: TaskPages, scrollTop: () => number): Record<string, () => void> {
  const reading = useRef({ isOver: false, isFocused: false });
  const judge = (): void =>
    pages.hold(reading.current.isOver || reading.current.isFocused || scrollTop() > 0);
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

/**
 * Most rows that can have come in while somebody read a report, and are looked through for the row that was
 * left.
 */
const MOST_ARRIVED = 200;

/** Whoever comes back from a report goes on with the keys where they were. */
function useReturn(pages: TaskPages, show: (place: number) => void, onFound: (place: number) => void): void {
  const row = useRef(leftRow());
  const isShown = useRef(false);
  useEffect(() => {
    const { current } = row;
    if (current === undefined || pages.total === undefined) return;
    forgetLeftRow();
    if (location.hash !== `#/worklist/${current.taskId}`) {
      row.current = undefined;
      return;
    }
    if (!isShown.current) show(current.place);
    isShown.current = true;
    for (let place = current.place; place < current.place + MOST_ARRIVED; place++)
      if (pages.rowAt(place)?.taskId === current.taskId) {
        row.current = undefined;
        onFound(place);
        return;
      }
  });
}

interface Choice {
  /** Undefined until its row is there. */
  readonly taskId: number | undefined;
  select(place: number, taskId: number): void;
  /** A place to which the list was scrolled. */
  goTo(place: number): void;
  onKeyDown(event: KeyboardEvent): void;
}

/** The row that is chosen, and the keys that choose another one or open its report. */
function useChoice(
  pages: TaskPages,
  scroller: RefObject<HTMLTableElement | null>,
  show: (place: number) => void,
  onSelect: (taskId: number) => void,
): Choice {
  const [index, setIndex] = useState(-1);
  const last = (pages.total ?? 1) - 1;
  const goTo = (place: number): void => {
    setIndex(place);
    show(place);
  };
  const choose = (to: number): void => {
    const place = Math.max(0, Math.min(last, to));
    goTo(place);
    const row = pages.rowAt(place);
    if (row !== undefined) onSelect(row.taskId);
  };
  const select = useCallback(
    (place: number, taskId: number): void => {
      setIndex(place);
      onSelect(taskId);
    },
    [onSelect],
  );
  // A row that was chosen before it was there.
  const taskId = index < 0 ? undefined : pages.rowAt(index)?.taskId;
  useEffect(() => {
    if (taskId !== undefined && document.activeElement === scroller.current) onSelect(taskId);
  }, [taskId, onSelect, scroller]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: last,
      PageDown: index + PAGE_STEP,
      PageUp: index - PAGE_STEP,
    };
    const target = steps[event.key];
    const row = index < 0 ? undefined : pages.rowAt(index);
    const isOpening = (event.key === 'Enter' || event.key.toLowerCase() === 'p') && !event.ctrlKey;
    if (target !== undefined) choose(target);
    else if (isOpening && row !== undefined && hasReport(row)) openReport(row.taskId, index);
    else return;
    event.preventDefault();
  };
  return { taskId, select, goTo, onKeyDown };
}

interface RowsProps {
  readonly pages: TaskPages;
  readonly rowPx: number;
  readonly first: number;
  readonly end: number;
  readonly selected: number | undefined;
  readonly shape: RowShape;
  onSelect(place: number, taskId: number): void;
}

/**
 * The rows in sight. Rows that come take the places of those that go, so that nothing is made while somebody scrolls.
 */
function Rows({ pages, rowPx, first, end, selected, shape, onSelect }: RowsProps): ReactNode {
  return (
    <tbody className={classes.rows} style={{ height: `${(pages.total ?? 0) * rowPx}px` }}>
      {Array.from({ length: Math.max(0, end - first) }, (_, i) => {
        const place = first + i;
        const row = pages.rowAt(place);
        return (
          <Row
            key={place % Math.max(LEAST_PLACES, end - first)}
            index={place}
            top={place * rowPx}
            row={row}
            isSelected={row !== undefined && row.taskId === selected}
            shape={shape}
            onSelect={onSelect}
          />
        );
      })}
    </tbody>
  );
}

interface TaskTableProps {
  readonly question: Omit<TaskQuery, 'limit' | 'offset' | 'newestId'>;
  readonly selected: number | undefined;
  onSelect(taskId: number): void;
  /** A row was clicked. */
  onClicked(): void;
  /** How often somebody has gone on from the search: the first row is chosen then. */
  readonly goneOn: number;
  /** What the list says of itself. */
  onCounted(counted: Pick<TaskPages, 'total' | 'error' | 'isSimilar'>): void;
}

export function TaskTable(props: TaskTableProps): ReactNode {
  const { question, selected, goneOn, onSelect, onClicked, onCounted } = props;
  const scroller = useRef<HTMLTableElement>(null);
  const rowPx = useRowPx();
  const shape = useRowShape();
  const inSight = useRowsInSight(scroller, rowPx, HEAD_PX);
  const pages = useTaskPages(question, inSight.first, inSight.end - 1);
  const { total, error, isSimilar } = pages;
  const end = Math.min(inSight.end, total ?? 0);
  useEffect(() => onCounted({ total, error, isSimilar }), [total, error, isSimilar, onCounted]);
  const reading = useReading(pages, () => scroller.current?.scrollTop ?? 0);
  const choice = useChoice(pages, scroller, inSight.show, onSelect);
  useReturn(pages, inSight.show, (place) => {
    choice.goTo(place);
    scroller.current?.focus({ preventScroll: true });
  });
  const { goTo } = choice;
  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody goes on once, whatever the list is by then
  useEffect(() => {
    if (goneOn === 0 || total === 0) return;
    goTo(0);
    scroller.current?.focus({ preventScroll: true });
  }, [goneOn]);
  const showNewer = (): void => {
    inSight.show(0);
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
        aria-activedescendant={choice.taskId === undefined ? undefined : `task-${choice.taskId}`}
        onKeyDown={choice.onKeyDown}
        onClick={onClicked}
        {...reading}
      >
        <thead>
          <tr aria-rowindex={1} className={classes.header}>
            {shape.columns.map((column) => (
              <th key={column} scope="col" className={classes[column]}>
                {t(`worklist.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <Rows
          pages={pages}
          rowPx={rowPx}
          first={Math.min(inSight.first, end)}
          end={end}
          selected={selected}
          shape={shape}
          onSelect={choice.select}
        />
      </table>
    </>
  );
}
