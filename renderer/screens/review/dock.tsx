// Below the paper: the median beats with their marks and numbers, the beats by shape, the rhythms (screens, S5).

import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Measurements } from '../../../shared/analysis-result.ts';
import { constraintsOf } from '../../../shared/review/constraints.ts';
import type { MarkName } from '../../../shared/review/corrections.ts';
import type { BeatActions } from './beat-row.tsx';
import { BeatsPanel } from './beats-panel.tsx';
import classes from './dock.module.css';
import { MeasurementTable } from './measurement-table.tsx';
import { MedianBeats, MedianCaption } from './median-beats.tsx';
import { RhythmPanel } from './rhythm-panel.tsx';
import type { Correcting, Reading } from './use-reading.ts';
import type { Marks } from './use-recording.ts';
import { VectorPanel } from './vector/vector-panel.tsx';

const TABS = ['median', 'beats', 'rhythm', 'vector'] as const;
type Tab = (typeof TABS)[number];

export interface DockProps {
  /** Undefined until they are known. */
  readonly marks: Marks | undefined;
  readonly reading: Reading;
  /** The measurements of the findings that were stored last. */
  readonly before: Measurements | undefined;
  readonly correcting: Correcting;
  readonly beatActions: BeatActions;
  readonly chosenBeat: number | undefined;
  readonly sampleRateHz: number;
  /** Between the lines of the calipers, in the recording. */
  readonly between: readonly [start: number, end: number] | undefined;
  onGo(sample: number): void;
  onAddBeat(sample: number): void;
}

interface TabsProps {
  readonly tab: Tab;
  /** About what is shown. */
  readonly caption: ReactNode;
  onTab(tab: Tab): void;
}

function Tabs({ tab, caption, onTab }: TabsProps): ReactNode {
  const { t } = useTranslation();
  const press = (event: KeyboardEvent<HTMLDivElement>): void => {
    const sign = { ArrowRight: 1, ArrowLeft: TABS.length - 1 }[event.key];
    if (sign === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (TABS.indexOf(tab) + sign) % TABS.length;
    onTab(TABS[next] as Tab);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className={classes.tabs}>
      <div role="tablist" aria-label={t('review.details')} onKeyDown={press}>
        {TABS.map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={each === tab}
            tabIndex={each === tab ? 0 : -1}
            onClick={() => onTab(each)}
          >
            {t(`review.tab.${each}`)}
          </button>
        ))}
      </div>
      <span className="quiet">{caption}</span>
    </div>
  );
}

export function Dock(props: DockProps): ReactNode {
  const { marks, reading, before, correcting, beatActions, chosenBeat, sampleRateHz, between } = props;
  const { t } = useTranslation();
  const [tab, setTab] = useState<Tab>('median');
  const stated = useMemo(
    () =>
      new Set(
        Object.keys(
          constraintsOf(reading.corrections.map(({ change }) => change)).marksMs ?? {},
        ) as MarkName[],
      ),
    [reading],
  );
  const { mayCorrect, correct, isMeasuring } = correcting;
  return (
    <section className={classes.dock} aria-label={t('review.details')}>
      <Tabs
        tab={tab}
        caption={
          tab === 'median' && marks?.medianBeat !== undefined && <MedianCaption beat={marks.medianBeat} />
        }
        onTab={setTab}
      />
      <div role="tabpanel" className={classes.panel} aria-label={t(`review.tab.${tab}`)}>
        {tab === 'median' && (
          <div className={classes.split}>
            {marks?.medianBeat === undefined ? (
              <p className={`${classes.nothing} quiet`}>
                {t(marks === undefined ? 'review.loading' : 'review.noMedian')}
              </p>
            ) : (
              <MedianBeats
                beat={marks.medianBeat}
                mayCorrect={mayCorrect}
                stated={stated}
                trouble={correcting.trouble}
                onMark={(name, ms) => correct({ kind: 'mark', name, ms })}
                onReset={(name) => correct({ kind: 'markReset', name })}
              />
            )}
            <MeasurementTable now={reading.measurements} before={before} isMeasuring={isMeasuring} />
          </div>
        )}
        {tab === 'beats' && marks !== undefined && (
          <BeatsPanel
            marks={marks}
            sampleRateHz={sampleRateHz}
            chosen={chosenBeat}
            mayCorrect={mayCorrect}
            addAt={between?.[0]}
            onAdd={props.onAddBeat}
            {...beatActions}
          />
        )}
        {tab === 'vector' && marks !== undefined && (
          <VectorPanel beat={marks.medianBeat} notAssessed={reading.notAssessed} />
        )}
        {tab === 'rhythm' && marks !== undefined && (
          <RhythmPanel
            marks={marks}
            mayCorrect={mayCorrect}
            between={between}
            onGo={props.onGo}
            onDraw={(startSample, endSample, code) =>
              correct({ kind: 'rhythm', startSample, endSample, code })
            }
          />
        )}
      </div>
    </section>
  );
}
