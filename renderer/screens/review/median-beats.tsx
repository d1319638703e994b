// The median beat of every lead, one over the other, with the marks that hold for all of them: dragged, or moved by keys.
// What a mark measures is measured again when it is let go.

import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredMedianBeat } from '../../../shared/analysis-result.ts';
import { MARK_NAMES, type MarkName } from '../../../shared/review/corrections.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { useWidth } from '../../parts/use-width.ts';
import classes from './median-beats.module.css';

export interface MedianBeatsProps {
  readonly beat: StoredMedianBeat;
  readonly mayCorrect: boolean;
  /** The marks that a person has set. */
  readonly stated: ReadonlySet<MarkName>;
  /** Why the last step was not taken: what was moved goes back. */
  readonly trouble: string | undefined;
  onMark(name: MarkName, ms: number | null): void;
  onReset(name: MarkName): void;
}

const HEIGHT_PX = 192;
/** Names above, handles below. */
const TOP_PX = 32;
const BOTTOM_PX = 26;
const LARGE_STEP_MS = 10;
/** Keys that follow each other so closely are one step. */
const SETTLE_MS = 400;
const STRONG_LEAD = 'MDC_ECG_LEAD_II';

/** The lead that is drawn before the others. */
const strongOf = ({ leads }: StoredMedianBeat): number =>
  Math.max(
    0,
    leads.findIndex(({ lead }) => lead === STRONG_LEAD),
  );

/** What the picture shows, in words. */
export function MedianCaption({ beat }: { beat: StoredMedianBeat }): ReactNode {
  const { t } = useTranslation();
  const lead = beat.leads[strongOf(beat)]?.lead ?? '';
  return t('review.medianOf', {
    count: beat.beats,
    lead: leadName(lead),
  });
}

interface Scale {
  xOf(ms: number): number;
  yOf(uv: number): number;
  readonly pxPerMs: number;
}

function scaleOf({ leads, sampleRateHz, rSample }: StoredMedianBeat, widthPx: number): Scale {
  const samples = leads[0]?.uv.length ?? 1;
  const startMs = (-1000 * rSample) / sampleRateHz;
  const pxPerMs = widthPx / ((1000 * samples) / sampleRateHz);
  let [low, high] = [-500, 500];
  for (const { uv, isCalibrated } of leads) {
    if (isCalibrated === false) continue;
    for (const value of uv) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const pxPerUv = (HEIGHT_PX - TOP_PX - BOTTOM_PX) / (high - low);
  return {
    xOf: (ms) => (ms - startMs) * pxPerMs,
    yOf: (uv) => TOP_PX + (high - uv) * pxPerUv,
    pxPerMs,
  };
}

const pathOf = (uv: readonly number[], { sampleRateHz, rSample }: StoredMedianBeat, scale: Scale): string =>
  uv
    .map(
      (value, i) =>
        `${i === 0 ? 'M' : 'L'}${scale.xOf((1000 * (i - rSample)) / sampleRateHz).toFixed(1)} ${scale.yOf(value).toFixed(1)}`,
    )
    .join('');

interface MarkProps {
  readonly name: MarkName;
  readonly ms: number;
  readonly stepMs: number;
  readonly pxPerMs: number;
  readonly x: number;
  readonly isStated: boolean;
  readonly mayCorrect: boolean;
  onMove(ms: number): void;
  onSet(ms: number | null): void;
  onReset(): void;
}

function MarkHandle({
  name,
  ms,
  stepMs,
  pxPerMs,
  x,
  isStated,
  mayCorrect,
  onMove,
  onSet,
  onReset,
}: MarkProps): ReactNode {
  const { t } = useTranslation();
  const grabbed = useRef<{ readonly x: number; readonly ms: number }>(undefined);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const unsaved = useRef<number>(undefined);
  const latest = useRef(onSet);
  latest.current = onSet;
  const save = (): void => {
    clearTimeout(settling.current);
    const value = unsaved.current;
    unsaved.current = undefined;
    if (value !== undefined) latest.current(value);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever leaves in between keeps what was moved
  useEffect(() => save, []);
  const settle = (value: number): void => {
    onMove(value);
    unsaved.current = value;
    clearTimeout(settling.current);
    settling.current = setTimeout(save, SETTLE_MS);
  };
  const press = (event: KeyboardEvent): void => {
    const sign = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (sign !== undefined) settle(ms + sign * (event.shiftKey ? LARGE_STEP_MS : stepMs));
    else if (event.key === 'Delete' || event.key === 'Backspace') onSet(null);
    else if (event.key === 'Home' && isStated) onReset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const drag = ({ clientX }: PointerEvent): void => {
    if (grabbed.current !== undefined) onMove(grabbed.current.ms + (clientX - grabbed.current.x) / pxPerMs);
  };
  const letGo = (): void => {
    if (grabbed.current !== undefined && grabbed.current.ms !== ms) onSet(ms);
    grabbed.current = undefined;
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.mark}
      style={{ left: x }}
      data-name={name}
      data-stated={isStated || undefined}
      aria-label={t(`review.mark.${name}`)}
      aria-valuenow={Math.round(ms)}
      aria-valuetext={`${Math.round(ms)} ms`}
      aria-disabled={!mayCorrect}
      title={t('review.markHow')}
      onKeyDown={mayCorrect ? press : undefined}
      onBlur={save}
      onPointerDown={(event) => {
        if (!mayCorrect) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        grabbed.current = { x: event.clientX, ms };
      }}
      onPointerMove={drag}
      onPointerUp={letGo}
      onPointerCancel={letGo}
    >
      <span>{t(`review.markShort.${name}`)}</span>
    </div>
  );
}

export function MedianBeats({
  beat,
  mayCorrect,
  stated,
  trouble,
  onMark,
  onReset,
}: MedianBeatsProps): ReactNode {
  const { t } = useTranslation();
  const { ref, widthPx } = useWidth();
  /** Where marks are while somebody moves them. */
  const [moved, setMoved] = useState<Partial<Record<MarkName, number>>>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: another beat has marks of its own
  useEffect(() => setMoved({}), [beat, trouble]);
  const scale = scaleOf(beat, widthPx);
  const strong = strongOf(beat);
  return (
    <div ref={ref} className={classes.beats} style={{ height: HEIGHT_PX }}>
      {widthPx > 0 && (
        <svg width={widthPx} height={HEIGHT_PX} role="img" aria-label={t('review.medianBeats')}>
          <line className={classes.zero} x1={0} x2={widthPx} y1={scale.yOf(0)} y2={scale.yOf(0)} />
          {beat.leads.map(({ lead, uv, isCalibrated }, i) =>
            isCalibrated === false ? null : (
              <path
                key={lead}
                className={i === strong ? classes.strong : classes.lead}
                d={pathOf(uv, beat, scale)}
              />
            ),
          )}
        </svg>
      )}
      {MARK_NAMES.map((name) => {
        const ms = moved[name] ?? beat.marksMs[name];
        return ms === undefined || widthPx === 0 ? null : (
          <MarkHandle
            key={name}
            name={name}
            ms={ms}
            stepMs={1000 / beat.sampleRateHz}
            pxPerMs={scale.pxPerMs}
            x={scale.xOf(ms)}
            isStated={stated.has(name)}
            mayCorrect={mayCorrect}
            onMove={(to) => setMoved((before) => ({ ...before, [name]: to }))}
            onSet={(to) => onMark(name, to === null ? null : Math.round(10 * to) / 10)}
            onReset={() => onReset(name)}
          />
        );
      })}
    </div>
  );
}
