// The views of a day with what waits in each, and what is done with the day as a whole.

import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { clockTime } from '../../parts/format-time.ts';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { Judge } from '../report/judge.tsx';
import { NextOpen } from '../review/next-open.tsx';
import { UndoRedo } from '../review/undo-redo.tsx';
import { hasReport } from '../worklist/open-report.ts';
import classes from './holter.module.css';
import { HOLTER_VIEWS, type HolterView, useHolter } from './holter.ts';
import { useQuestions } from './questions-view.tsx';
import type { DaySteps } from './use-day-steps.ts';
import { useStrips } from './use-strips.ts';

/** So long after the last step, the report's numbers are worked out. */
const QUIET_MS = 2500;

/** Whether nothing was changed for a while. */
function useQuiet(what: unknown): boolean {
  const [quiet, setQuiet] = useState<{ readonly what: unknown }>();
  useEffect(() => {
    const timer = setTimeout(() => setQuiet({ what }), QUIET_MS);
    return () => clearTimeout(timer);
  }, [what]);
  return quiet?.what === what;
}

function Views(): ReactNode {
  const { t } = useTranslation();
  const { reading, view, show } = useHolter();
  const { questions } = useQuestions();
  const { strips } = useStrips();
  const counts: Partial<Record<HolterView, number>> = {
    questions: questions.length,
    families: reading.families.length,
    strips: strips.length,
  };
  return (
    <nav className={classes.views} aria-label={t('holter.views')}>
      {HOLTER_VIEWS.map((each, i) => (
        <button
          key={each}
          type="button"
          aria-current={each === view ? 'page' : undefined}
          onClick={({ detail, currentTarget }) => {
            if (detail > 0) currentTarget.blur();
            show(each);
          }}
        >
          {t(`holter.view.${each}`)}
          {counts[each] !== undefined && (
            <b data-asks={(each === 'questions' && counts[each] > 0) || undefined}>{counts[each]}</b>
          )}
          <kbd>{i + 1}</kbd>
        </button>
      ))}
    </nav>
  );
}

/** When all that is shown was kept. */
function Kept({ steps: { keptMs, corrections }, carried }: { steps: DaySteps; carried: number }): ReactNode {
  const { t } = useTranslation();
  const isChanged = (corrections?.length ?? 0) > carried;
  if (!isChanged) return null;
  return (
    <span className={classes.kept} role="status">
      {keptMs !== undefined && (
        <>
          <Icon name="check" size={16} />
          <span>{t('holter.kept', { time: clockTime(keptMs).clock })}</span>
        </>
      )}
    </span>
  );
}

export function HolterBar({ steps }: { steps: DaySteps }): ReactNode {
  const { t } = useTranslation();
  const { task, reading } = useHolter();
  const isQuiet = useQuiet(steps.corrections);
  const [isAsked, setAsked] = useState(false);
  const isJudged = isQuiet || isAsked;
  // Until then, signing asks for the numbers at once.
  useCommands('holter', { approve: isJudged ? undefined : () => setAsked(true) });
  const isToSign =
    task.state === 'AWAITING_APPROVAL' || (steps.corrections?.length ?? 0) > reading.day.carried;
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('live.toolbar')}>
      <Views />
      <span className={classes.space} />
      <Kept steps={steps} carried={reading.day.carried} />
      <UndoRedo undo={steps.undo} redo={steps.redo} />
      <Button
        component="a"
        href={`#/paper/${task.taskId}`}
        variant="default"
        h={40}
        px={12}
        rightSection={<Key of="holter.onPaper" />}
      >
        {t('holter.onPaper')}
      </Button>
      {hasReport(task) && (
        <Button
          component="a"
          href={`#/report/${task.taskId}`}
          variant="default"
          h={40}
          px={12}
          aria-label={t('report.title')}
        >
          <Icon name="report" />
          <span className={classes.reportWord}>{t('report.title')}</span>
        </Button>
      )}
      <span className={classes.next}>
        <NextOpen behind={task.taskId} />
      </span>
      {isJudged ? (
        <Judge task={task} mayReject={false} isAskedAtOnce={isAsked} onClosed={() => setAsked(false)} />
      ) : (
        isToSign && (
          <Button h={44} onClick={() => setAsked(true)}>
            {t('judge.approve')}
          </Button>
        )
      )}
    </div>
  );
}
