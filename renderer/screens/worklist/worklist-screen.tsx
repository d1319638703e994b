// Worklist: what happened, what needs me. A list with live states on the left, the chosen recording on the right, import by
// button or by dropping files anywhere (screens, S3).

import { Button } from '@mantine/core';
import { type DragEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { errorText } from '../../text/text.ts';
import { FilterBar } from './filter-bar.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { Preview } from './preview.tsx';
import { SearchBox } from './search-box.tsx';
import { EVERYTHING, isFiltered, queryOf } from './task-filter.ts';
import { TaskTable } from './task-table.tsx';
import classes from './worklist.module.css';

const HEARTBEAT_MS = 5000;
const SHOWN_ROWS = 500;

/** Files over the page, counted in and out because every child element reports its own. */
function useFileDrop(onDrop: (files: readonly File[]) => void): { isOver: boolean; handlers: Record<string, (event: DragEvent) => void> } {
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

export function WorklistScreen(): ReactNode {
  const { t } = useTranslation();
  const [filter, setFilter] = useState(EVERYTHING);
  const list = useBridgeQuery(
    'task.list',
    { limit: SHOWN_ROWS, ...queryOf(filter, Date.now()) },
    // A device that falls silent says nothing about it.
    { isKeptMeanwhile: true, everyMs: ({ rows }) => (rows.some(({ state }) => state === 'RECEIVING') ? HEARTBEAT_MS : undefined) },
  );
  const [selected, setSelected] = useState<number | undefined>();
  const [importing, setImporting] = useState<readonly File[] | undefined>();
  const drop = useFileDrop(setImporting);
  const openImport = useCallback(() => setImporting([]), []);
  const rows = list.data?.rows ?? [];

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'o') return;
      event.preventDefault();
      openImport();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [openImport]);

  return (
    <div className={classes.screen} {...drop.handlers}>
      <div className={classes.head}>
        <h1>{t('worklist.title')}</h1>
        <SearchBox text={filter.text} onChange={(text) => setFilter({ ...filter, text })} />
        <div className={classes.space} />
        <Button size="md" h={44} leftSection={<Icon name="import" />} rightSection={<kbd>Ctrl O</kbd>} onClick={openImport}>
          {t('worklist.import')}
        </Button>
      </div>
      <FilterBar filter={filter} onChange={setFilter} shown={rows.length} total={list.data?.total} />
      <section className={classes.list}>
        {list.error !== null && (
          <p role="alert" className={classes.hint}>
            {t('worklist.error')} {errorText(list.error)}
          </p>
        )}
        {list.data !== undefined && rows.length === 0 && (
          <p className={classes.hint} role="status">
            <b>{t(isFiltered(filter) ? 'filter.nothing' : 'worklist.empty')}</b>{' '}
            {t(isFiltered(filter) ? 'filter.nothingRemedy' : 'worklist.emptyRemedy')}
          </p>
        )}
        {rows.length > 0 && <TaskTable rows={rows} selected={selected} onSelect={setSelected} />}
      </section>
      <Preview taskId={selected} />
      {drop.isOver && <div className={classes.drop}>{t('worklist.drop')}</div>}
      {importing !== undefined && (
        <ImportDialog initialFiles={importing} onClose={() => setImporting(undefined)} onImported={setSelected} />
      )}
    </div>
  );
}
