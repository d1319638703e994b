// Two ECGs of one patient beside each other, at one speed and gain, and what has changed between them (screens, S5; E44).

import { Button } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBridgeQuery } from '../../bridge/use-bridge.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Key } from '../../parts/key.tsx';
import { Segments } from '../../parts/segments.tsx';
import { SpeedAndGain } from '../../parts/speed-and-gain.tsx';
import split from '../../parts/split-screen.module.css';
import { useCommands } from '../../parts/use-keys.ts';
import { errorText } from '../../text/text.ts';
import { PAGE_MM, pageSeconds } from '../../trace/review-layout.ts';
import { type PaperView, REVIEW_GAINS_MM_PER_MV, REVIEW_SPEEDS_MM_PER_S } from '../review/paper.tsx';
import { FilterChoice } from '../review/paper-controls.tsx';
import type { Reading } from '../review/use-reading.ts';
import { type Marks, useMarks } from '../review/use-recording.ts';
import { Changes } from './changes.tsx';
import classes from './compare.module.css';
import { type ComparedReading, compareReadings } from './compare-readings.ts';
import { DifferenceTable } from './difference-table.tsx';
import { EcgPane } from './ecg-pane.tsx';
import { MedianPair } from './median-pair.tsx';
import { OverTheYears } from './over-the-years.tsx';
import { asRead, earlierOf, type PatientEcg, timeBetween } from './patient-ecgs.ts';

const MODES = ['beside', 'stacked', 'median'] as const;
type Mode = (typeof MODES)[number];

const INITIAL: PaperView = { kind: '6x2', lead: 'II', filter: 'none', speedMmPerS: 25, gainMmPerMv: 10 };
/** Beside each other, each has half of the paper. */
const HALF_PAGE_MM = PAGE_MM / 2;

interface ComparedProps {
  readonly now: PatientEcg;
  readonly before: PatientEcg;
}

interface KnownProps extends ComparedProps {
  readonly nowReading: Reading;
  readonly beforeReading: Reading;
  readonly nowMarks: Marks;
  readonly beforeMarks: Marks;
}

const comparedOf = ({ measurements, statements }: Reading, { assessed }: Marks): ComparedReading => ({
  measurements,
  statements: statements.map(({ statement }) => statement),
  assessed: new Set(assessed),
});

function Medians({
  nowMarks,
  beforeMarks,
  isAll,
}: {
  nowMarks: Marks | undefined;
  beforeMarks: Marks | undefined;
  isAll: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const [now, before] = [nowMarks?.medianBeat, beforeMarks?.medianBeat];
  if (now !== undefined && before !== undefined)
    return <MedianPair now={now} before={before} isAll={isAll} />;
  const isLoading = nowMarks === undefined || beforeMarks === undefined;
  return <p className="quiet">{t(isLoading ? 'review.loading' : 'compare.noMedian')}</p>;
}

function WhatChanged(props: KnownProps): ReactNode {
  const { now, before, nowReading, beforeReading, nowMarks, beforeMarks } = props;
  const { t } = useTranslation();
  const compared = useMemo(
    () => compareReadings(comparedOf(nowReading, nowMarks), comparedOf(beforeReading, beforeMarks)),
    [nowReading, beforeReading, nowMarks, beforeMarks],
  );
  const { unit, count } = timeBetween(now.atMs - before.atMs);
  // Told of the one that is not open.
  const differs = [...now.differs, ...before.differs];
  return (
    <>
      <header>
        <h2>{t('compare.changed')}</h2>
        <span className="quiet">{t(`compare.within.${unit}`, { count })}</span>
      </header>
      {differs.length > 0 && (
        <p className={classes.caution} role="alert">
          {t('compare.otherPatient', {
            what: differs.map((what) => t(`compare.differs.${what}`)).join(', '),
          })}
        </p>
      )}
      <Changes compared={compared} />
      <header>
        <h2>{t('compare.medianBeats')}</h2>
        <span className="quiet">{t('compare.medianHow')}</span>
      </header>
      <Medians {...props} isAll={false} />
      <DifferenceTable
        now={nowReading.measurements}
        before={beforeReading.measurements}
        compared={compared}
      />
    </>
  );
}

function Panes({ now, before, view, mode, startSeconds }: ComparedProps & PanesProps): ReactNode {
  const isBeside = mode === 'beside';
  const pageMm = isBeside ? HALF_PAGE_MM : PAGE_MM;
  // One above the other, each is low: fewer rows.
  const shared = { view: isBeside ? view : { ...view, kind: '3x4' as const }, pageMm, startSeconds };
  return (
    <div className={classes.panes} data-mode={mode}>
      <EcgPane ecg={now} side="now" {...shared} />
      <EcgPane ecg={before} side="before" {...shared} />
    </div>
  );
}

interface PanesProps {
  readonly view: PaperView;
  readonly mode: Mode;
  readonly startSeconds: number;
}

interface ToolbarProps {
  readonly view: PaperView;
  readonly mode: Mode;
  onView(view: PaperView): void;
  onMode(mode: Mode): void;
  onBack(): void;
}

function CompareToolbar({ view, mode, onView, onMode, onBack }: ToolbarProps): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={split.toolbar} role="toolbar" aria-label={t('live.toolbar')}>
      <Button
        variant="default"
        h={40}
        leftSection={<Icon name="back" />}
        rightSection={<Key of="compare.toReading" />}
        onClick={onBack}
      >
        {t('compare.back')}
      </Button>
      <SpeedAndGain
        speeds={REVIEW_SPEEDS_MM_PER_S}
        gains={REVIEW_GAINS_MM_PER_MV}
        values={view}
        onChange={(change) => onView({ ...view, ...change })}
      />
      <FilterChoice value={view.filter} onChoose={(filter) => onView({ ...view, filter })} />
      <div className={split.space} />
      <Segments
        label={t('compare.how')}
        name="compare"
        value={mode}
        segments={MODES.map((value) => ({ value, label: t(`compare.mode.${value}`) }))}
        onChoose={onMode}
      />
    </div>
  );
}

interface ComparedEcgsProps {
  readonly ecgs: readonly PatientEcg[];
  readonly openId: number;
  readonly stored: ComparedProps;
}

/** The later of both is now, whichever is open. */
function Compared({ ecgs: all, openId, stored }: ComparedEcgsProps): ReactNode {
  const { t } = useTranslation();
  const [view, setView] = useState(INITIAL);
  const [mode, setMode] = useState<Mode>('beside');
  const [startSeconds, setStart] = useState(0);
  const { taskId } = stored.now.row;
  const otherId = stored.before.row.taskId;
  const { data: nowReading, error: nowError } = useBridgeQuery('review.reading', { taskId });
  const { data: beforeReading, error: beforeError } = useBridgeQuery('review.reading', { taskId: otherId });
  const { marks: nowMarks, error: nowMarksError } = useMarks(taskId, true);
  const { marks: beforeMarks, error: beforeMarksError } = useMarks(otherId, true);
  const back = (): void => {
    location.hash = `#/review/${openId}`;
  };
  const [now, before] = [asRead(stored.now, nowReading), asRead(stored.before, beforeReading)];
  const ecgs = all.map((ecg) => (ecg === stored.now ? now : ecg === stored.before ? before : ecg));
  const page = pageSeconds(view.speedMmPerS, mode === 'beside' ? HALF_PAGE_MM : PAGE_MM);
  const longestSeconds = Math.max(now.row.durationMs ?? 0, before.row.durationMs ?? 0) / 1000;
  const go = (seconds: number): void => setStart(Math.max(0, Math.min(seconds, longestSeconds - page)));
  useCommands('compare', {
    toReading: back,
    secondOn: () => go(startSeconds + 1),
    secondBack: () => go(startSeconds - 1),
    pageOn: () => go(startSeconds + page),
    pageBack: () => go(startSeconds - page),
    toStart: () => go(0),
  });
  const fault = nowError ?? beforeError ?? nowMarksError ?? beforeMarksError;
  return (
    <div className={split.screen}>
      <h1 className="hidden">{t('compare.title')}</h1>
      <CompareToolbar view={view} mode={mode} onView={setView} onMode={setMode} onBack={back} />
      <div className={split.columns}>
        <div className={split.main}>
          {mode === 'median' ? (
            <div className={classes.medians}>
              <Medians nowMarks={nowMarks} beforeMarks={beforeMarks} isAll />
            </div>
          ) : (
            <Panes now={now} before={before} view={view} mode={mode} startSeconds={startSeconds} />
          )}
          {mode !== 'stacked' && <OverTheYears ecgs={ecgs} openId={openId} now={now} before={before} />}
        </div>
        <aside className={classes.side} aria-label={t('compare.changed')}>
          {nowReading !== undefined &&
          beforeReading !== undefined &&
          nowMarks !== undefined &&
          beforeMarks !== undefined ? (
            <WhatChanged {...{ now, before, nowReading, beforeReading, nowMarks, beforeMarks }} />
          ) : (
            <p role="status">{fault === null ? t('review.loading') : errorText(fault)}</p>
          )}
          <div className={classes.actions}>
            <Button h={44} onClick={back}>
              {t('compare.back')}
            </Button>
            <Button component="a" href={`#/timeline/${openId}`} variant="default" h={44}>
              {t('compare.choose')}
            </Button>
          </div>
        </aside>
      </div>
    </div>
  );
}

interface CompareScreenProps {
  readonly taskId: number;
  /** The one that it is compared with; the one before where none is named. */
  readonly otherId: number | undefined;
}

export function CompareScreen({ taskId, otherId }: CompareScreenProps): ReactNode {
  const { t } = useTranslation();
  const { data, error } = useBridgeQuery('review.patientEcgs', { taskId });
  const ecgs = data?.ecgs ?? [];
  const now = ecgs.find(({ row }) => row.taskId === taskId);
  const before =
    otherId === undefined ? earlierOf(ecgs, taskId) : ecgs.find(({ row }) => row.taskId === otherId);
  useCommands('compare', {
    back: () => {
      location.hash = `#/review/${taskId}`;
    },
  });
  if (now !== undefined && before !== undefined && before !== now) {
    const stored = before.atMs > now.atMs ? { now: before, before: now } : { now, before };
    return <Compared key={before.row.taskId} ecgs={ecgs} openId={taskId} stored={stored} />;
  }
  const missing =
    now === undefined ? 'review.notAnalysed' : otherId === undefined ? 'compare.none' : 'compare.gone';
  const sentence = t(data === undefined ? 'review.loading' : missing);
  return (
    <div className="notice">
      <h1>{t('compare.title')}</h1>
      <p role="status">{error === null ? sentence : errorText(error)}</p>
      <Button component="a" href={`#/review/${taskId}`} variant="default" h={44}>
        {t('compare.back')}
      </Button>
    </div>
  );
}
