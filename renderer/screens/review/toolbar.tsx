// How the paper is shown, and the steps that change what was found.

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import split from '../../parts/split-screen.module.css';
import { hasReport } from '../worklist/open-report.ts';
import type { PaperView } from './paper.tsx';
import { PaperControls } from './paper-controls.tsx';
import classes from './review.module.css';
import { UndoRedo } from './undo-redo.tsx';
import type { Correcting } from './use-reading.ts';

export interface ToolbarProps {
  readonly task: TaskDetail;
  readonly view: PaperView;
  /** Undefined while they are being read. */
  readonly leadNames: readonly string[] | undefined;
  readonly hasVector: boolean;
  readonly correcting: Correcting;
  readonly hasCalipers: boolean;
  readonly isPaperOnly: boolean;
  onView(view: PaperView): void;
  onCalipers(): void;
  onPaperOnly(): void;
}

export function Toolbar({
  task,
  view,
  leadNames,
  hasVector,
  correcting,
  hasCalipers,
  isPaperOnly,
  onView,
  onCalipers,
  onPaperOnly,
}: ToolbarProps): ReactNode {
  const { t } = useTranslation();
  const { reading, mayCorrect, undo, redo } = correcting;
  return (
    <div className={split.toolbar} role="toolbar" aria-label={t('live.toolbar')}>
      <PaperControls view={view} leadNames={leadNames} hasVector={hasVector} onView={onView} />
      <div className={split.space} />
      {mayCorrect && (
        <UndoRedo
          undo={reading?.isCorrected === true ? undo : undefined}
          redo={(reading?.undoneCount ?? 0) > 0 ? redo : undefined}
        />
      )}
      <Button
        className={classes.toggle ?? ''}
        variant="default"
        h={40}
        px={12}
        aria-pressed={hasCalipers}
        rightSection={<Key of="review.calipers" />}
        onClick={onCalipers}
      >
        {t('review.calipers')}
      </Button>
      <Button
        className={classes.toggle ?? ''}
        variant="default"
        h={40}
        px={10}
        aria-label={t('review.paperOnly')}
        title={`${t('review.paperOnly')} (Z)`}
        aria-pressed={isPaperOnly}
        onClick={onPaperOnly}
      >
        <Icon name="enlarge" />
      </Button>
      <Button
        component="a"
        href={`#/compare/${task.taskId}`}
        variant="default"
        h={40}
        px={12}
        rightSection={<Key of="review.compare" />}
      >
        {t('compare.open')}
      </Button>
      {hasReport(task) && (
        <Button
          component="a"
          href={`#/report/${task.taskId}`}
          variant="default"
          h={40}
          px={12}
          leftSection={<Icon name="report" />}
        >
          {t('report.title')}
        </Button>
      )}
    </div>
  );
}
