// A recording of an hour or more as a physician reads it in five minutes: six views of one day, one band of time above them, and what is
// stated of it (Holter, section 2).

import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { programStrips, stripLead } from '../../../shared/long/strips.ts';
import { MOST_STRIPS } from '../../../shared/review/corrections.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { groupedNumber } from '../../parts/format-number.ts';
import { Icon } from '../../parts/icon.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { errorText } from '../../text/text.ts';
import { Held } from '../review/held.tsx';
import { Moments, momentIn } from '../review/moments.ts';
import { DayBand } from './day-band.tsx';
import classes from './holter.module.css';
import { type Holter, HolterProvider, type HolterView } from './holter.ts';
import { HolterBar } from './holter-bar.tsx';
import { HolterFoot } from './holter-foot.tsx';
import { type Day, dayOf } from './model/day.ts';
import { questionsOf } from './model/questions.ts';
import { readDay } from './model/read-day.ts';
import { keepPlace, keptPlace } from './place.ts';
import { QuestionsView } from './questions-view.tsx';
import { useDaySteps } from './use-day-steps.ts';
import { stripAt, stripSource } from './use-strips.ts';

const DayView = lazy(async () => ({ default: (await import('./day-view.tsx')).DayView }));
const FamiliesView = lazy(async () => ({ default: (await import('./families-view.tsx')).FamiliesView }));
const FullView = lazy(async () => ({ default: (await import('./full-view.tsx')).FullView }));
const StripsView = lazy(async () => ({ default: (await import('./strips-view.tsx')).StripsView }));
const FindingsView = lazy(async () => ({ default: (await import('./findings-view.tsx')).FindingsView }));

/** How much around a place is framed in the band. */
const FRAME_SECONDS = 30;

const VIEWS: Readonly<Record<HolterView, () => ReactNode>> = {
  questions: () => <QuestionsView />,
  day: () => <DayView />,
  families: () => <FamiliesView />,
  full: () => <FullView />,
  strips: () => <StripsView />,
  findings: () => <FindingsView />,
};

/** What a step has done to the classes of beats, in words; nothing where it has done none. */
function useWhatChanged(labels: Uint8Array): string | undefined {
  const { t } = useTranslation();
  const before = useRef(labels);
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    const last = before.current;
    before.current = labels;
    if (last === labels || last.length !== labels.length) return;
    let count = 0;
    const into = new Set<number>();
    for (let i = 0; i < labels.length; i++)
      if (last[i] !== labels[i]) {
        count++;
        into.add(labels[i] as number);
      }
    if (count === 0) return;
    const classes = [...into].map((code) => String.fromCharCode(code).replace('Q', '?')).join(', ');
    setSaid(t('holter.changed', { classes, count, number: groupedNumber(count) }));
  }, [labels, t]);
  return said;
}

interface OpenProps {
  readonly task: TaskDetail;
  readonly day: Day;
}

function OpenDay({ task, day }: OpenProps): ReactNode {
  const { t } = useTranslation();
  const steps = useDaySteps(task, day.carried);
  const { corrections, mayCorrect } = steps;
  const reading = useMemo(() => readDay(day, corrections ?? []), [day, corrections]);
  const kept = useMemo(() => keptPlace(task.taskId), [task.taskId]);
  const [view, setView] = useState<HolterView>(
    () => kept?.view ?? (questionsOf(reading).questions.length > 0 ? 'questions' : 'day'),
  );
  const [at, setAt] = useState(kept?.at ?? Math.round(day.samples / 2));
  const [family, chooseFamily] = useState<number>();
  useEffect(() => keepPlace(task.taskId, { view, at }), [task.taskId, view, at]);
  const frame = { sampleRateHz: day.sampleRateHz, recordedSamples: day.samples };
  const momentOf = useMemo(
    () => momentIn(task, { sampleRateHz: day.sampleRateHz, recordedSamples: day.samples }),
    [task, day],
  );
  const changed = useWhatChanged(reading.beats.labels);
  const holter: Holter = {
    task,
    reading,
    mayCorrect,
    at,
    lead: stripLead(day.leads, day.pictureLeads),
    view,
    startMs: task.recordingStartMs,
    timeZone: task.isStartZoneKnown === true ? task.timeZone : 'UTC',
    correct: steps.correct,
    goTo: (sample) => setAt(Math.round(Math.max(0, Math.min(frame.recordedSamples - 1, sample)))),
    show: setView,
    family,
    chooseFamily,
  };
  const toReport = (): void => {
    const strips = reading.strips ?? programStrips(stripSource(reading));
    if (strips.length >= MOST_STRIPS) steps.refuse(t('holter.stripsFull', { count: MOST_STRIPS }));
    else steps.correct({ kind: 'strips', strips: [...strips, stripAt(reading, at)] });
  };
  const shows = (to: HolterView) => (): void => setView(to);
  useCommands('holter', {
    toQuestions: shows('questions'),
    toDay: shows('day'),
    toFamilies: shows('families'),
    toFull: shows('full'),
    toStrips: shows('strips'),
    toFindings: shows('findings'),
    toReport: mayCorrect ? toReport : undefined,
    undo: steps.undo,
    redo: steps.redo,
    redoToo: steps.redo,
    onPaper: () => {
      location.hash = `#/paper/${task.taskId}`;
    },
    back: () => {
      location.hash = `#/worklist/${task.taskId}`;
    },
  });
  return (
    <Moments value={momentOf}>
      <HolterProvider value={holter}>
        <div className={classes.screen}>
          <h1 className="hidden">{t('holter.title')}</h1>
          <HolterBar steps={steps} />
          {steps.holder !== undefined && <Held holder={steps.holder} onTakeOver={steps.takeOver} />}
          {steps.trouble !== undefined && (
            <p className={classes.trouble} role="alert">
              {steps.trouble}
            </p>
          )}
          {view !== 'day' && (
            <DayBand
              stretch={{ start: 0, end: day.samples }}
              shown={{
                start: at - (FRAME_SECONDS / 2) * day.sampleRateHz,
                end: at + (FRAME_SECONDS / 2) * day.sampleRateHz,
              }}
            />
          )}
          <div className={classes.shown}>
            <Suspense
              fallback={
                <p className={classes.loading} data-loading="">
                  {t('review.loading')}
                </p>
              }
            >
              {VIEWS[view]()}
            </Suspense>
          </div>
          <HolterFoot changed={changed} />
        </div>
      </HolterProvider>
    </Moments>
  );
}

function Notice({ sentence, taskId }: { sentence: string; taskId: number }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="notice">
      <h1>{t('holter.title')}</h1>
      <p role="status">{sentence}</p>
      <Button
        component="a"
        href={`#/paper/${taskId}`}
        variant="default"
        h={44}
        leftSection={<Icon name="review" />}
      >
        {t('holter.onPaper')}
      </Button>
    </div>
  );
}

export function HolterScreen({ taskId }: { taskId: number }): ReactNode {
  return <HolterOf key={taskId} taskId={taskId} />;
}

function HolterOf({ taskId }: { taskId: number }): ReactNode {
  const { t } = useTranslation();
  const { data: task } = useBridgeQuery('task.get', { taskId });
  const { data: stored, error } = useBridgeQuery('day.get', { taskId });
  // Before it is known what was corrected, no key could answer what is asked.
  const { data: kept } = useBridgeQuery('day.corrections', { taskId });
  const day = useMemo(() => (stored === undefined ? undefined : dayOf(taskId, stored)), [taskId, stored]);
  if (error !== null) return <Notice sentence={errorText(error)} taskId={taskId} />;
  if (task === undefined || day === undefined || kept === undefined)
    return (
      <p className={classes.loading} role="status">
        {t('review.loading')}
      </p>
    );
  // Another revision is another day: what was chosen in the one before stands elsewhere.
  return <OpenDay key={`${day.carried} ${stored?.revision}`} task={task} day={day} />;
}
