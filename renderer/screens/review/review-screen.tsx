// A recording as a physician reads it: on paper, as a whole, and what was found in it, to be corrected and approved
// (screens, S5).

import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statement } from '../../../shared/analysis-result.ts';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import { clockTime } from '../../parts/format-time.ts';
import { stepIn } from '../../parts/speed-and-gain.tsx';
import { useKeys } from '../../parts/use-keys.ts';
import { errorText } from '../../text/text.ts';
import { pageSeconds } from '../../trace/review-layout.ts';
import { Judge } from '../report/judge.tsx';
import { BeatRow } from './beat-row.tsx';
import { useCalipers } from './calipers.tsx';
import { Dock } from './dock.tsx';
import { Findings, placeOf } from './findings.tsx';
import { NextOpen } from './next-open.tsx';
import { Paper, type PaperView, REVIEW_GAINS_MM_PER_MV, REVIEW_SPEEDS_MM_PER_S } from './paper.tsx';
import { ReadSeverity } from './read-severity.tsx';
import classes from './review.module.css';
import { timeIn } from './time-in.ts';
import { Toolbar } from './toolbar.tsx';
import { beatsOf, rrBefore, snapToPeak, useBeats } from './use-beats.ts';
import { type Correcting, useReading } from './use-reading.ts';
import {
  type Marks,
  type RecordingFrame,
  useFilteredPage,
  useMarks,
  useRecordingFrame,
} from './use-recording.ts';
import { WholeRecording } from './whole-recording.tsx';

const INITIAL: PaperView = { kind: '3x4', lead: 'II', filter: 'none', speedMmPerS: 25, gainMmPerMv: 10 };
const NO_MARKS: Marks = {
  beatSamples: new Uint32Array(),
  beatShapes: new Uint32Array(),
  beatLabels: '',
  rhythms: [],
  episodes: [],
  assessed: [],
};

/** What was corrected cannot be measured: without a way back, nobody could read the recording any more. */
function Discard({ taskId }: { taskId: number }): ReactNode {
  const { t } = useTranslation();
  const { run, isRunning, trouble } = useCommand('review.discard');
  return (
    <>
      {trouble !== undefined && <p role="alert">{trouble}</p>}
      <Button variant="default" h={44} loading={isRunning} onClick={() => void run({ taskId })}>
        {t('review.discard')}
      </Button>
    </>
  );
}

function Notice({
  sentence,
  hasNext = false,
  corrected,
}: {
  sentence: string;
  hasNext?: boolean;
  /** The task whose corrections may be the reason. */
  corrected?: number | undefined;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="notice">
      <h1>{t('rail.review')}</h1>
      <p role="status">{sentence}</p>
      <Button component="a" href="#/worklist" variant="default" h={44}>
        {t('review.toWorklist')}
      </Button>
      {hasNext && <NextOpen />}
      {corrected !== undefined && <Discard taskId={corrected} />}
    </div>
  );
}

/** Who else corrects it, and why a step was not taken. */
function Standing({ correcting }: { correcting: Correcting }): ReactNode {
  const { t } = useTranslation();
  const { reading, trouble, takeOver } = correcting;
  const holder = reading?.holder;
  return (
    <>
      {holder !== undefined && (
        <div className={classes.held} role="status">
          <span>
            {t('review.held', {
              name: holder.name === '' ? t('review.workstation') : holder.name,
              time: clockTime(holder.sinceMs).clock,
            })}
          </span>
          <Button variant="default" h={36} onClick={takeOver}>
            {t('review.takeOver')}
          </Button>
        </div>
      )}
      {trouble !== undefined && (
        <p className={classes.trouble} role="alert">
          {trouble}
        </p>
      )}
    </>
  );
}

interface OpenProps {
  readonly task: TaskDetail;
  readonly frame: RecordingFrame;
  /** Undefined until they are known, or where there are none. */
  readonly marks: Marks | undefined;
}

function OpenReview({ task, frame, marks: known }: OpenProps): ReactNode {
  const marks = known ?? NO_MARKS;
  const { t } = useTranslation();
  const [view, setView] = useState(INITIAL);
  const [wanted, setWanted] = useState(0);
  const [chosen, setChosen] = useState<Statement>();
  const [isPaperOnly, setPaperOnly] = useState(false);
  const { sampleRateHz, recordedSamples } = frame;
  const sampleCount = Math.round(pageSeconds(view.speedMmPerS) * sampleRateHz);
  /** At another speed, a page may reach further: none begins behind the last. */
  const within = (sample: number): number =>
    Math.round(Math.max(0, Math.min(sample, recordedSamples - sampleCount)));
  const start = within(wanted);
  const go = (sample: number): void => setWanted(within(sample));
  const { leads, unfiltered, isReading, error } = useFilteredPage(
    task.taskId,
    frame,
    start,
    sampleCount,
    view.filter,
  );
  const calipers = useCalipers(sampleCount);
  const correcting = useReading(task);
  const { reading, mayCorrect, undo, redo } = correcting;
  const beats = useBeats(correcting, (sample) => {
    if (sample < start || sample >= start + sampleCount) go(sample - sampleCount / 2);
  });
  const choose = (statement: Statement): void => {
    setChosen(statement);
    const place = placeOf(statement, frame);
    if (place !== undefined) go(place[0] - sampleRateHz);
  };
  const paperOnly = (): void => setPaperOnly(!isPaperOnly);
  const [maybeUndo, maybeRedo] = [
    mayCorrect && reading?.isCorrected === true ? undo : undefined,
    mayCorrect && (reading?.undoneCount ?? 0) > 0 ? redo : undefined,
  ];
  useKeys({
    ArrowRight: () => go(start + sampleRateHz),
    ArrowLeft: () => go(start - sampleRateHz),
    ArrowUp: () => setView({ ...view, gainMmPerMv: stepIn(REVIEW_GAINS_MM_PER_MV, view.gainMmPerMv, 1) }),
    ArrowDown: () => setView({ ...view, gainMmPerMv: stepIn(REVIEW_GAINS_MM_PER_MV, view.gainMmPerMv, -1) }),
    PageDown: () => go(start + sampleCount),
    PageUp: () => go(start - sampleCount),
    c: calipers.toggle,
    m: calipers.march,
    h: calipers.toggleHeight,
    v: () => {
      location.hash = `#/compare/${task.taskId}`;
    },
    z: paperOnly,
    'Ctrl+z': maybeUndo,
    'Ctrl+Shift+z': maybeRedo,
    'Ctrl+y': maybeRedo,
    Home: () => go(0),
    End: () => go(recordedSamples),
  });
  const shownBeats = useMemo(() => beatsOf(marks, start, sampleCount), [marks, start, sampleCount]);
  const marked = useMemo(
    () =>
      (chosen?.evidence?.ranges ?? [])
        .filter(([from, to]) => to - from < recordedSamples)
        .map(([from, to]): [number, number] => [from - start, to - start]),
    [chosen, recordedSamples, start],
  );
  const shown = t('review.shown', {
    from: timeIn(start, sampleRateHz),
    to: timeIn(Math.min(recordedSamples, start + sampleCount), sampleRateHz),
    of: timeIn(recordedSamples, sampleRateHz),
  });
  const lines = calipers.state?.lines;
  const between =
    lines && ([lines.from, lines.to].sort((a, b) => a - b).map((at) => start + at) as [number, number]);
  return (
    <div className={classes.screen}>
      <h1 className="hidden">{t('rail.review')}</h1>
      <Toolbar
        task={task}
        view={view}
        leadNames={leads?.map(({ name }) => name)}
        correcting={correcting}
        hasCalipers={lines !== undefined}
        isPaperOnly={isPaperOnly}
        onView={setView}
        onCalipers={calipers.toggle}
        onPaperOnly={paperOnly}
      />
      <Standing correcting={correcting} />
      <div className={classes.columns} data-paper-only={isPaperOnly || undefined}>
        <section className={classes.trace} aria-label={t('rail.review')}>
          {leads === undefined ? (
            <p className={classes.loading} role="status">
              {error === null ? t('review.loading') : errorText(error)}
            </p>
          ) : (
            <Paper
              view={view}
              sampleRateHz={sampleRateHz}
              leads={leads}
              marked={marked}
              isSimulated={task.isSimulated === true}
              isReading={isReading}
              onScroll={(samples) => go(start + samples)}
              onZoom={(step) =>
                setView({ ...view, speedMmPerS: stepIn(REVIEW_SPEEDS_MM_PER_S, view.speedMmPerS, step) })
              }
              calipers={
                calipers.state && {
                  ...calipers.state,
                  rrMs: rrBefore(marks.beatSamples, between, sampleRateHz),
                  onChange: calipers.change,
                }
              }
              label={shown}
              below={(leftPx, pxPerSample) => (
                <BeatRow
                  beats={shownBeats}
                  mayCorrect={mayCorrect}
                  sampleRateHz={sampleRateHz}
                  startSample={start}
                  leftPx={leftPx}
                  pxPerSample={pxPerSample}
                  {...beats}
                />
              )}
            />
          )}
          {recordedSamples > sampleCount && (
            <WholeRecording
              frame={frame}
              marks={marks}
              startSample={start}
              sampleCount={sampleCount}
              shown={shown}
              onGo={go}
            />
          )}
          {!isPaperOnly && reading !== undefined && (
            <Dock
              marks={known}
              reading={reading}
              before={task.measurements}
              correcting={correcting}
              beatActions={beats}
              chosenBeat={beats.chosen}
              sampleRateHz={sampleRateHz}
              between={between}
              onGo={(sample) => go(sample - sampleRateHz)}
              onAddBeat={(sample) =>
                beats.onAdd(start + snapToPeak(unfiltered ?? [], sample - start, sampleRateHz))
              }
            />
          )}
        </section>
        {!isPaperOnly && (
          <aside className={classes.reading} aria-label={t('review.findings')}>
            <div className={classes.read}>
              <ReadSeverity stored={task.severity} correcting={correcting} />
              <Findings
                task={task}
                correcting={correcting}
                frame={frame}
                chosen={chosen?.code}
                onChoose={choose}
              />
            </div>
            <div className={classes.judge}>
              {reading?.isCorrected === true && (
                <p className="quiet">{t('review.notApprovedYet', { count: reading.corrections.length })}</p>
              )}
              <NextOpen behind={task.taskId} />
              <Judge task={task} />
            </div>
          </aside>
        )}
      </div>
    </div>
  );
}

export function ReviewScreen({ taskId }: { taskId: number | undefined }): ReactNode {
  const { t } = useTranslation();
  return taskId === undefined ? (
    <Notice sentence={t('review.choose')} hasNext />
  ) : (
    <ReviewOf key={taskId} taskId={taskId} />
  );
}

function ReviewOf({ taskId }: { taskId: number }): ReactNode {
  const { t } = useTranslation();
  const { data: task } = useBridgeQuery('task.get', { taskId });
  const { frame, error } = useRecordingFrame(taskId);
  const { marks, error: marksError } = useMarks(taskId, task?.revision !== undefined);
  useKeys({
    Escape: () => {
      location.hash = `#/worklist/${taskId}`;
    },
  });
  // Without its beats, a recording would look as if it had none.
  const fault = error ?? marksError;
  if (fault !== null)
    return <Notice sentence={errorText(fault)} corrected={error === null ? taskId : undefined} />;
  if (task === undefined || frame === undefined)
    return <p className={classes.loading}>{t('review.loading')}</p>;
  return <OpenReview task={task} frame={frame} marks={marks} />;
}
