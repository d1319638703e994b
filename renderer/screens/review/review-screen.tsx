// A recording as a physician reads it: on paper, as a whole, and what was found in it, to be corrected and approved
// (screens, S5).

import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statement } from '../../../shared/analysis-result.ts';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { useCommand } from '../../bridge/use-command.ts';
import split from '../../parts/split-screen.module.css';
import { useCommands } from '../../parts/use-keys.ts';
import { useWidth } from '../../parts/use-width.ts';
import { errorText } from '../../text/text.ts';
import type { ReviewKind } from '../../trace/review-layout.ts';
import { Judge } from '../report/judge.tsx';
import { BeatRow } from './beat-row.tsx';
import { type UsedCalipers, useCalipers } from './calipers.tsx';
import type { Place } from './consultations.tsx';
import { Dock } from './dock.tsx';
import { Findings, placeOf } from './findings.tsx';
import { Held } from './held.tsx';
import { Moments, momentIn } from './moments.ts';
import { NextOpen } from './next-open.tsx';
import { Paper } from './paper.tsx';
import { ReadSeverity } from './read-severity.tsx';
import classes from './review.module.css';
import { Toolbar } from './toolbar.tsx';
import { type Beats, beatsOf, rrBefore, samplesWithin, snapToPeak, useBeats } from './use-beats.ts';
import { type Correcting, useReading } from './use-reading.ts';
import { type Marks, type RecordingFrame, useMarks, useRecordingFrame } from './use-recording.ts';
import { type ReviewPage, useReviewPage } from './use-review-page.ts';
import { hasVector, vectorRows } from './vector/vector-rows.ts';
import { WholeRecording } from './whole-recording.tsx';

const NO_MARKS: Marks = {
  beatSamples: new Uint32Array(),
  beatShapes: new Uint32Array(),
  areFamilies: false,
  spikeSamples: new Uint32Array(),
  fiducialSamples: new Uint32Array(),
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
  const { reading, trouble, takeOver } = correcting;
  const holder = reading?.holder;
  return (
    <>
      {holder !== undefined && <Held holder={holder} onTakeOver={takeOver} />}
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

interface KeyedParts {
  readonly task: TaskDetail;
  readonly frame: RecordingFrame;
  readonly page: ReviewPage;
  readonly calipers: UsedCalipers;
  readonly correcting: Correcting;
  paperOnly(): void;
}

function useReviewKeys({ task, frame, page, calipers, correcting, paperOnly }: KeyedParts): void {
  const { start, sampleCount, go } = page;
  const { sampleRateHz, recordedSamples } = frame;
  const { reading, mayCorrect, undo, redo } = correcting;
  const maybeUndo = mayCorrect && reading?.isCorrected === true ? undo : undefined;
  const maybeRedo = mayCorrect && (reading?.undoneCount ?? 0) > 0 ? redo : undefined;
  useCommands('review', {
    secondOn: () => go(start + sampleRateHz),
    secondBack: () => go(start - sampleRateHz),
    taller: () => page.amplify(1),
    lower: () => page.amplify(-1),
    pageOn: () => go(start + sampleCount),
    pageBack: () => go(start - sampleCount),
    toStart: () => go(0),
    toEnd: () => go(recordedSamples),
    calipers: calipers.toggle,
    march: calipers.march,
    height: calipers.toggleHeight,
    snap: calipers.toggleSnapping,
    compare: () => {
      location.hash = `#/compare/${task.taskId}`;
    },
    paperOnly,
    undo: maybeUndo,
    redo: maybeRedo,
    redoToo: maybeRedo,
  });
}

interface TraceProps extends Pick<OpenProps, 'task' | 'frame'> {
  readonly page: ReviewPage;
  readonly marks: Marks;
  readonly calipers: UsedCalipers;
  /** Between the lines of the calipers, in the recording. */
  readonly between: readonly [start: number, end: number] | undefined;
  readonly beats: Beats;
  readonly mayCorrect: boolean;
  readonly chosen: Statement | undefined;
}

/** The paper with what lies on it: the chosen finding, the calipers, the letters of the beats. */
function Trace(props: TraceProps): ReactNode {
  const { task, frame, page, marks, calipers, between, beats, mayCorrect, chosen } = props;
  const { t } = useTranslation();
  const { start, sampleCount, leads, isReading, error } = page;
  const { sampleRateHz, recordedSamples } = frame;
  const shownBeats = useMemo(() => beatsOf(marks, start, sampleCount), [marks, start, sampleCount]);
  const marked = useMemo(
    () =>
      (chosen?.evidence?.ranges ?? [])
        .filter(([from, to]) => to - from < recordedSamples)
        .map(([from, to]): [number, number] => [from - start, to - start]),
    [chosen, recordedSamples, start],
  );
  const spikes = useMemo(
    () => samplesWithin(marks.spikeSamples, start, sampleCount),
    [marks, start, sampleCount],
  );
  const fiducials = useMemo(
    () => samplesWithin(marks.fiducialSamples, start, sampleCount),
    [marks, start, sampleCount],
  );
  const isVector = page.view.kind === 'xyz';
  const rows = useMemo(
    () => (isVector && leads && hasVector(leads) ? vectorRows(leads) : leads),
    [isVector, leads],
  );
  // One lead alone is as high as the paper; pointing at it again brings the others back.
  const layoutBefore = useRef<ReviewKind>('3x4');
  const enlarge = (lead: string): void => {
    const { view, setView } = page;
    if (view.kind === 'single') setView({ ...view, kind: layoutBefore.current });
    else {
      layoutBefore.current = view.kind;
      setView({ ...view, kind: 'single', lead });
    }
  };
  const reading = isReading ? t('review.loading') : undefined;
  const notice = error === null ? reading : errorText(error);
  if (rows === undefined)
    return (
      <p className={classes.loading} role="status">
        {notice}
      </p>
    );
  return (
    <Paper
      view={page.view}
      pageMm={page.pageMm}
      sampleRateHz={sampleRateHz}
      leads={rows}
      marked={marked}
      spikes={spikes}
      onGain={(gainMmPerMv) => page.setView({ ...page.view, gainMmPerMv })}
      onLead={isVector ? undefined : enlarge}
      isSimulated={task.isSimulated === true}
      notice={notice}
      onScroll={(samples) => page.go(start + samples)}
      onZoom={page.zoom}
      calipers={
        calipers.state && {
          ...calipers.state,
          fiducials,
          rrMs: rrBefore(marks.beatSamples, between, sampleRateHz),
          kept: calipers.kept,
          startSample: start,
          onKeep: (text) => calipers.keep(start, text),
          onDrop: calipers.drop,
          onChange: calipers.change,
        }
      }
      label={page.shown}
      below={(leftPx, pxPerSample) => (
        <BeatRow
          beats={shownBeats}
          mayCorrect={mayCorrect}
          startSample={start}
          leftPx={leftPx}
          pxPerSample={pxPerSample}
          {...beats}
        />
      )}
    />
  );
}

interface ReadingSideProps extends Pick<OpenProps, 'task' | 'frame'> {
  readonly correcting: Correcting;
  readonly chosen: Statement | undefined;
  readonly place: Place;
  onChoose(statement: Statement): void;
}

/** What was found, and what is done with it. */
function ReadingSide({ task, frame, correcting, chosen, place, onChoose }: ReadingSideProps): ReactNode {
  const { t } = useTranslation();
  const { reading } = correcting;
  return (
    <aside className={classes.reading} aria-label={t('review.findings')}>
      <div className={classes.read}>
        <ReadSeverity stored={task.severity} correcting={correcting} />
        <Findings
          task={task}
          correcting={correcting}
          frame={frame}
          chosen={chosen?.code}
          place={place}
          onChoose={onChoose}
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
  );
}

function OpenReview({ task, frame, marks: known }: OpenProps): ReactNode {
  const marks = known ?? NO_MARKS;
  const { t } = useTranslation();
  const { sampleRateHz, recordedSamples } = frame;
  const { ref, widthPx } = useWidth<HTMLElement>();
  const momentOf = useMemo(() => momentIn(task, frame), [task, frame]);
  const page = useReviewPage(task.taskId, frame, momentOf, widthPx);
  const { start, sampleCount, go } = page;
  const [chosen, setChosen] = useState<Statement>();
  const [isPaperOnly, setPaperOnly] = useState(false);
  const calipers = useCalipers(sampleCount);
  const correcting = useReading(task);
  const { reading, mayCorrect } = correcting;
  const beats = useBeats(correcting, marks, (sample) => {
    if (sample < start || sample >= start + sampleCount) go(sample - sampleCount / 2);
  });
  const choose = (statement: Statement): void => {
    setChosen(statement);
    const place = placeOf(statement, frame);
    if (place !== undefined) go(place[0] - sampleRateHz);
  };
  const place: Place = {
    // All of a short one is in sight.
    atSample: recordedSamples > sampleCount ? start + Math.round(sampleCount / 2) : undefined,
    onShow: (sample) => go(sample - sampleCount / 2),
  };
  const paperOnly = (): void => setPaperOnly(!isPaperOnly);
  useReviewKeys({ task, frame, page, calipers, correcting, paperOnly });
  const lines = calipers.state?.lines;
  const between =
    lines && ([lines.from, lines.to].sort((a, b) => a - b).map((at) => start + at) as [number, number]);
  return (
    <Moments value={momentOf}>
      <div className={split.screen}>
        <h1 className="hidden">{t('rail.review')}</h1>
        <Toolbar
          task={task}
          view={page.view}
          leadNames={page.leads?.map(({ name }) => name)}
          hasVector={page.leads !== undefined && hasVector(page.leads)}
          correcting={correcting}
          hasCalipers={lines !== undefined}
          isPaperOnly={isPaperOnly}
          onView={page.setView}
          onCalipers={calipers.toggle}
          onPaperOnly={paperOnly}
        />
        <Standing correcting={correcting} />
        <div className={split.columns} data-alone={isPaperOnly || undefined}>
          <section ref={ref} className={split.main} aria-label={t('rail.review')}>
            <Trace {...{ task, frame, page, marks, calipers, between, beats, mayCorrect, chosen }} />
            {recordedSamples > sampleCount && (
              <WholeRecording
                frame={frame}
                marks={marks}
                startSample={start}
                sampleCount={sampleCount}
                shown={page.shown}
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
                  beats.onAdd(start + snapToPeak(page.unfiltered ?? [], sample - start, sampleRateHz))
                }
              />
            )}
          </section>
          {!isPaperOnly && <ReadingSide {...{ task, frame, correcting, chosen, place }} onChoose={choose} />}
        </div>
      </div>
    </Moments>
  );
}

interface ReviewProps {
  readonly taskId: number | undefined;
  /** A day as well, which is read elsewhere else. */
  readonly isOnPaper?: boolean;
}

export function ReviewScreen({ taskId, isOnPaper = false }: ReviewProps): ReactNode {
  const { t } = useTranslation();
  return taskId === undefined ? (
    <Notice sentence={t('review.choose')} hasNext />
  ) : (
    <ReviewOf key={taskId} taskId={taskId} isOnPaper={isOnPaper} />
  );
}

/** From so long on, a recording is read as a day. */
const DAY_SECONDS = 3600;

function ReviewOf({ taskId, isOnPaper }: { taskId: number; isOnPaper: boolean }): ReactNode {
  const { t } = useTranslation();
  const { data: task } = useBridgeQuery('task.get', { taskId });
  const { frame, error } = useRecordingFrame(taskId);
  const isDay =
    !isOnPaper && frame !== undefined && frame.recordedSamples >= DAY_SECONDS * frame.sampleRateHz;
  const isAnalysed = task?.revision !== undefined;
  const { marks, error: marksError } = useMarks(taskId, isAnalysed && !isDay);
  useEffect(() => {
    if (isDay && isAnalysed) location.replace(`#/holter/${taskId}`);
  }, [isDay, isAnalysed, taskId]);
  useCommands('review', {
    back: () => {
      location.hash = `#/worklist/${taskId}`;
    },
  });
  // Without its beats, a recording would look as if it had none.
  const fault = error ?? marksError;
  if (fault !== null)
    return <Notice sentence={errorText(fault)} corrected={error === null ? taskId : undefined} />;
  if (task === undefined || frame === undefined || (isDay && isAnalysed))
    return <p className={classes.loading}>{t('review.loading')}</p>;
  return <OpenReview task={task} frame={frame} marks={marks} />;
}
