// A recording as a physician reads it: on paper, as a whole, and what was found in it (screens, S5). Corrections come
// with the next version; approving is the same as on the report.

import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statement } from '../../../shared/analysis-result.ts';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Segments } from '../../parts/segments.tsx';
import { SeverityBadge } from '../../parts/severity-badge.tsx';
import { SpeedAndGain } from '../../parts/speed-and-gain.tsx';
import { useKeys } from '../../parts/use-keys.ts';
import { errorText } from '../../text/text.ts';
import type { ReviewBeat } from '../../trace/draw-review.ts';
import { pageSeconds, REVIEW_KINDS } from '../../trace/review-layout.ts';
import { Judge } from '../report/judge.tsx';
import { hasReport } from '../worklist/open-report.ts';
import { useCalipers } from './calipers.tsx';
import { Findings, placeOf } from './findings.tsx';
import { Overview } from './overview.tsx';
import { Paper, type PaperView } from './paper.tsx';
import classes from './review.module.css';
import { timeIn } from './time-in.ts';
import { type Marks, type RecordingFrame, useMarks, usePage, useRecordingFrame } from './use-recording.ts';

const INITIAL: PaperView = { kind: '3x4', speedMmPerS: 25, gainMmPerMv: 10 };
const NO_MARKS: Marks = { beatSamples: new Uint32Array(), beatLabels: '', rhythms: [], episodes: [] };

function Notice({ sentence }: { sentence: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className="notice">
      <h1>{t('rail.review')}</h1>
      <p role="status">{sentence}</p>
      <Button component="a" href="#/worklist" variant="default" h={44}>
        {t('review.toWorklist')}
      </Button>
    </div>
  );
}

function Toolbar({
  view,
  onView,
  children,
}: {
  view: PaperView;
  onView(view: PaperView): void;
  children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('live.toolbar')}>
      <Segments
        label={t('review.layout')}
        name="layout"
        value={view.kind}
        segments={REVIEW_KINDS.map((value) => ({ value, label: t(`live.layouts.${value}`) }))}
        onChoose={(kind) => onView({ ...view, kind })}
      />
      <SpeedAndGain values={view} onChange={(change) => onView({ ...view, ...change })} />
      <div className={classes.space} />
      {children}
    </div>
  );
}

/** Those of a page; a day has a hundred thousand of them. */
function beatsOf({ beatSamples, beatLabels }: Marks, start: number, sampleCount: number): ReviewBeat[] {
  const beats: ReviewBeat[] = [];
  const first = beatSamples.findIndex((sample) => sample >= start);
  for (let i = first; i >= 0 && i < beatSamples.length; i++) {
    const sample = (beatSamples[i] as number) - start;
    if (sample >= sampleCount) break;
    beats.push({ sample, label: beatLabels[i] ?? '' });
  }
  return beats;
}

interface OpenProps {
  readonly task: TaskDetail;
  readonly frame: RecordingFrame;
  readonly marks: Marks;
}

function OpenReview({ task, frame, marks }: OpenProps): ReactNode {
  const { t } = useTranslation();
  const [view, setView] = useState(INITIAL);
  const [start, setStart] = useState(0);
  const [chosen, setChosen] = useState<Statement>();
  const { sampleRateHz, recordedSamples } = frame;
  const sampleCount = Math.round(pageSeconds(view.speedMmPerS) * sampleRateHz);
  const go = (sample: number): void =>
    setStart(Math.round(Math.max(0, Math.min(sample, recordedSamples - sampleCount))));
  const { leads, error } = usePage(task.taskId, frame, start, sampleCount);
  const calipers = useCalipers(sampleCount);
  const choose = (statement: Statement): void => {
    setChosen(statement);
    const place = placeOf(statement, frame);
    if (place !== undefined) go(place[0] - sampleRateHz);
  };
  useKeys({
    ArrowRight: () => go(start + sampleRateHz),
    ArrowLeft: () => go(start - sampleRateHz),
    PageDown: () => go(start + sampleCount),
    PageUp: () => go(start - sampleCount),
    c: calipers.toggle,
    Home: () => go(0),
    End: () => go(recordedSamples),
  });
  const beats = useMemo(() => beatsOf(marks, start, sampleCount), [marks, start, sampleCount]);
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
  return (
    <div className={classes.screen}>
      <h1 className="hidden">{t('rail.review')}</h1>
      <Toolbar view={view} onView={setView}>
        <Button
          className={classes.toggle ?? ''}
          variant="default"
          h={40}
          aria-pressed={calipers.lines !== undefined}
          rightSection={<kbd>C</kbd>}
          onClick={calipers.toggle}
        >
          {t('review.calipers')}
        </Button>
        {hasReport(task) && (
          <Button
            component="a"
            href={`#/report/${task.taskId}`}
            variant="default"
            h={40}
            leftSection={<Icon name="report" />}
          >
            {t('report.title')}
          </Button>
        )}
      </Toolbar>
      <div className={classes.columns}>
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
              beats={beats}
              marked={marked}
              isSimulated={task.isSimulated === true}
              calipers={calipers.lines}
              onCalipers={calipers.move}
              label={shown}
            />
          )}
          <div className={classes.whole}>
            <p>
              <b>{t('review.whole')}</b>
              <span className="quiet">{shown}</span>
              <Button
                variant="default"
                h={32}
                px={8}
                aria-label={t('review.earlier')}
                disabled={start === 0}
                onClick={() => go(start - sampleCount)}
              >
                <Icon name="back" size={16} />
              </Button>
              <Button
                className={classes.later ?? ''}
                variant="default"
                h={32}
                px={8}
                aria-label={t('review.later')}
                disabled={start + sampleCount >= recordedSamples}
                onClick={() => go(start + sampleCount)}
              >
                <Icon name="back" size={16} />
              </Button>
            </p>
            <Overview frame={frame} marks={marks} startSample={start} sampleCount={sampleCount} onGo={go} />
          </div>
        </section>
        <aside className={classes.reading} aria-label={t('preview.findings')}>
          {task.severity !== undefined && <SeverityBadge severity={task.severity} />}
          <Findings task={task} frame={frame} chosen={chosen} onChoose={choose} />
          <div className={classes.judge}>
            <Judge task={task} />
          </div>
        </aside>
      </div>
    </div>
  );
}

export function ReviewScreen({ taskId }: { taskId: number | undefined }): ReactNode {
  const { t } = useTranslation();
  return taskId === undefined ? (
    <Notice sentence={t('review.choose')} />
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
  if (fault !== null) return <Notice sentence={errorText(fault)} />;
  if (task === undefined || frame === undefined)
    return <p className={classes.loading}>{t('review.loading')}</p>;
  return <OpenReview task={task} frame={frame} marks={marks ?? NO_MARKS} />;
}
