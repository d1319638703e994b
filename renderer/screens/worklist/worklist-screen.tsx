// Worklist: what happened, what needs me. A list with live states on the left, the chosen recording on the
// right, import by button or by dropping files anywhere (screens, S3).

import { Button } from '@mantine/core';
import {
  type DragEvent,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { loadPart } from '../../parts/load-part.ts';
import { useCommands, useKeys } from '../../parts/use-keys.ts';
import { errorText } from '../../text/text.ts';
import { NothingFound, NothingYet } from './empty-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import { sourceOf, useImportChoice } from './import-sources.ts';
import { ListFoot } from './list-foot.tsx';
import { Preview } from './preview.tsx';
import { SearchBox } from './search-box.tsx';
import { EVERYTHING, isFiltered, queryOf } from './task-filter.ts';
import { TaskTable } from './task-table.tsx';
import type { TaskPages } from './use-task-pages.ts';
import classes from './worklist.module.css';

const ImportDialog = lazy(() =>
  loadPart(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog })),
);

const TaskStatus = lazy(() =>
  loadPart(async () => ({ default: (await import('./task-status.tsx')).TaskStatus })),
);

const closeStatus = (taskId: number): void => {
  location.hash = `#/worklist/${taskId}`;
};

/** Files over the page, counted in and out because every child element reports its own. */
function useFileDrop(onDrop: (files: readonly File[]) => void): {
  isOver: boolean;
  handlers: Record<string, (event: DragEvent) => void>;
} {
  const [isOver, setIsOver] = useState(false);
  const depth = useRef(0);
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');
  return {
    isOver,
    handlers: {
      onDragEnter(event) {
        if (!hasFiles(event)) return;
        depth.current++;
        setIsOver(true);
      },
      onDragLeave() {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setIsOver(false);
      },
      onDragOver(event) {
        if (hasFiles(event)) event.preventDefault();
      },
      onDrop(event) {
        event.preventDefault();
        depth.current = 0;
        setIsOver(false);
        if (event.dataTransfer.files.length > 0) onDrop([...event.dataTransfer.files]);
      },
    },
  };
}

export interface WorklistScreenProps {
  /** The task that somebody came here for. */
  readonly chosenId?: number | undefined;
  /** Its status is shown over the list. */
  readonly isStatusOpen?: boolean;
}

/** What the list says of itself. */
type Count = Pick<TaskPages, 'total' | 'error' | 'isSimilar'>;
const NOT_COUNTED: Count = { total: undefined, error: null, isSimilar: false };

export function WorklistScreen({ chosenId, isStatusOpen = false }: WorklistScreenProps): ReactNode {
  const { t } = useTranslation();
  const [filter, setFilter] = useState(EVERYTHING);
  const [{ total, error, isSimilar }, setCount] = useState<Count>(NOT_COUNTED);
  const [goneOn, setGoneOn] = useState(0);
  const onCounted = useCallback((counted: Count) => setCount(counted), []);
  const [selected, setSelected] = useState<number | undefined>(chosenId);
  useEffect(() => {
    if (chosenId !== undefined) setSelected(chosenId);
  }, [chosenId]);
  const importing = useImportChoice();
  const drop = useFileDrop((files) => importing.open(files.map(sourceOf)));
  // What is asked changes with the day, not with every look.
  const question = useMemo(() => queryOf(filter, Date.now()), [filter]);
  const { open: openFiles } = importing;
  const openImport = useCallback(() => openFiles([]), [openFiles]);
  // Only where the window is too narrow for list and preview beside each other.
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const openDrawer = useCallback(() => setDrawerOpen(true), []);
  const closeDrawer = useCallback(() => setDrawerOpen(false), []);
  const toggleDrawer = useCallback(() => setDrawerOpen((isOpen) => !isOpen), []);
  useCommands('worklist', { import: openImport, preview: toggleDrawer });
  useKeys({ Escape: isDrawerOpen ? closeDrawer : undefined });

  return (
    <div className={classes.screen} {...drop.handlers}>
      <div className={classes.head}>
        <h1>{t('worklist.title')}</h1>
        <SearchBox
          text={filter.text}
          onChange={(text) => setFilter({ ...filter, text })}
          onGoOn={() => setGoneOn(goneOn + 1)}
        />
        <Button h={44} variant="default" leftSection={<Icon name="import" />} onClick={openImport}>
          {t('worklist.import')}
        </Button>
        <Button
          h={44}
          component="a"
          href="#/patient"
          leftSection={<Icon name="plus" />}
          rightSection={<Key of="everywhere.toPatient" />}
        >
          {t('worklist.record')}
        </Button>
      </div>
      <FilterBar filter={filter} onChange={setFilter} total={total} />
      <section className={classes.list}>
        {error !== null && (
          <p role="alert" className={classes.hint}>
            {t('worklist.error')} {errorText(error)}
          </p>
        )}
        {total === 0 &&
          (isFiltered(filter) ? (
            <NothingFound filter={filter} onChange={setFilter} />
          ) : (
            <NothingYet onImport={openImport} />
          ))}
        {isSimilar && (
          <p role="status" className={classes.similar}>
            {t('worklist.similar', { text: filter.text.trim() })}
          </p>
        )}
        <TaskTable
          question={question}
          goneOn={goneOn}
          selected={selected}
          onSelect={setSelected}
          onClicked={openDrawer}
          onCounted={onCounted}
        />
      </section>
      <ListFoot total={total} />
      <Preview taskId={selected} isOpen={isDrawerOpen} onClose={closeDrawer} />
      {drop.isOver && <div className={classes.drop}>{t('worklist.drop')}</div>}
      {isStatusOpen && chosenId !== undefined && (
        <Suspense>
          <TaskStatus taskId={chosenId} onClose={() => closeStatus(chosenId)} />
        </Suspense>
      )}
      {importing.sources !== undefined && (
        <Suspense>
          <ImportDialog
            initialFiles={importing.sources}
            onClose={importing.close}
            onImported={(taskId) => {
              setSelected(taskId);
              openDrawer();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
