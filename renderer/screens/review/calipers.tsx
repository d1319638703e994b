// Two lines over the paper and what lies between them, by mouse and by keys: time, the same again and again (march), and on
// request a height (screens, S5). Time follows from samples and height from the gain, never from what is painted.

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Key } from '../../parts/key.tsx';
import { useCommands } from '../../parts/use-keys.ts';
import { CaliperField } from './caliper-field.tsx';
import type { CaliperState, CalipersProps, KeptCaliper } from './caliper-props.ts';
import {
  type CaliperHeight,
  type CaliperLines,
  caliperText,
  heightText,
  marchedLines,
  nextFiducial,
  qtcText,
  snapped,
} from './caliper-text.ts';
import classes from './calipers.module.css';
import { KeptCalipers } from './kept-calipers.tsx';

/** More would hide what they measure. */
const MOST_KEPT = 6;

const SIGNS: { readonly [key: string]: 1 | -1 | undefined } = { ArrowRight: 1, ArrowLeft: -1 };
const LARGE_STEP_SECONDS = 0.01;
const STEP_MV = { small: 0.01, large: 0.1 };
const USUAL_GAIN = 10;

/**
 * A handle that is dragged. @param at where its line stands
 * @param onDrag hears where it stood when it was grabbed, and how far it was dragged since
 */
function useDrag(at: number, along: 'clientX' | 'clientY', onDrag: (from: number, px: number) => void) {
  const grabbed = useRef<{ readonly at: number; readonly px: number }>(undefined);
  const letGo = (): void => {
    grabbed.current = undefined;
  };
  return {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      event.currentTarget.setPointerCapture(event.pointerId);
      grabbed.current = { at, px: event[along] };
    },
    onPointerMove(event: PointerEvent) {
      const from = grabbed.current;
      if (from !== undefined) onDrag(from.at, event[along] - from.px);
    },
    onPointerUp: letGo,
    onPointerCancel: letGo,
  };
}

/** The same keys go through the recording where no line has the focus. */
const takeKey = (event: KeyboardEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

/** One upright line with its handle at the foot. */
function TimeLine({ which, ...props }: CalipersProps & { which: keyof CaliperLines }): ReactNode {
  const { lines, sampleRateHz, sampleCount, leftPx, pxPerSample, pxPerMm, onChange } = props;
  const { isSnapping, fiducials } = props;
  const { t } = useTranslation();
  const at = lines[which];
  const moveTo = (sample: number): void =>
    onChange({ lines: { ...lines, [which]: Math.max(0, Math.min(sampleCount - 1, sample)) } });
  const drag = useDrag(at, 'clientX', (from, px) => {
    const to = Math.round(from + px / pxPerSample);
    moveTo(isSnapping ? snapped(to, fiducials, pxPerMm / pxPerSample) : to);
  });
  const press = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? Math.max(1, Math.round(LARGE_STEP_SECONDS * sampleRateHz)) : 1;
    const sign = SIGNS[event.key];
    if (sign === undefined) return;
    takeKey(event);
    moveTo(event.ctrlKey ? nextFiducial(at, fiducials, sign) : at + sign * step);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.time}
      style={{ left: leftPx + Math.min(at, sampleCount - 1) * pxPerSample }}
      aria-label={t(`review.caliper.${which}`)}
      aria-valuemin={0}
      aria-valuemax={sampleCount - 1}
      aria-valuenow={at}
      aria-valuetext={caliperText(lines, sampleRateHz)}
      onKeyDown={press}
      {...drag}
    />
  );
}

interface HeightLineProps extends CalipersProps {
  readonly height: CaliperHeight;
  readonly which: keyof CaliperHeight;
}

/** One level line with its handle at the right. */
function HeightLine({ which, height, pxPerMm, gainMmPerMv, onChange }: HeightLineProps): ReactNode {
  const { t } = useTranslation();
  const atMm = height[which];
  const moveTo = (mm: number): void => onChange({ height: { ...height, [which]: Math.max(0, mm) } });
  const drag = useDrag(atMm, 'clientY', (from, px) => moveTo(from + px / pxPerMm));
  const press = (event: KeyboardEvent): void => {
    const sign = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (sign === undefined) return;
    takeKey(event);
    moveTo(atMm + sign * (event.shiftKey ? STEP_MV.large : STEP_MV.small) * (gainMmPerMv ?? USUAL_GAIN));
  };
  return (
    <>
      <i className={classes.level} style={{ top: atMm * pxPerMm }} />
      <div
        role="slider"
        tabIndex={0}
        className={classes.levelHandle}
        style={{ top: atMm * pxPerMm }}
        aria-label={t(`review.caliper.${which}`)}
        aria-orientation="vertical"
        aria-valuenow={Math.round(10 * atMm) / 10}
        aria-valuetext={heightText(height, gainMmPerMv, t('review.noHeight'))}
        onKeyDown={press}
        {...drag}
      />
    </>
  );
}

export function Calipers(props: CalipersProps): ReactNode {
  const { lines, height, isMarching, isSnapping, sampleRateHz, sampleCount, leftPx, pxPerSample } = props;
  const { gainMmPerMv, rrMs, kept, onChange, onKeep } = props;
  const { t } = useTranslation();
  const text = [
    caliperText(lines, sampleRateHz),
    ...(height === undefined ? [] : [heightText(height, gainMmPerMv, t('review.noHeight'))]),
  ].join(' · ');
  const isFull = kept.length >= MOST_KEPT;
  const keep = (): void => {
    if (!isFull) onKeep(text);
  };
  useCommands('review', { keepCaliper: keep });
  const middle = leftPx + ((lines.from + lines.to) / 2) * pxPerSample;
  const qtc = qtcText(lines, sampleRateHz, rrMs);
  return (
    <div className={classes.calipers}>
      <CaliperField {...props} />
      <KeptCalipers {...props} />
      {isMarching &&
        marchedLines(lines, sampleCount).map((sample) => (
          <i key={sample} className={classes.marched} style={{ left: leftPx + sample * pxPerSample }} />
        ))}
      <TimeLine which="from" {...props} />
      <TimeLine which="to" {...props} />
      {height !== undefined && (
        <>
          <HeightLine which="upperMm" {...props} height={height} />
          <HeightLine which="lowerMm" {...props} height={height} />
        </>
      )}
      <div className={classes.label} style={{ left: middle }}>
        <output>{text}</output>
        {qtc !== undefined && <small>{t('review.asQt', { qtc, rr: Math.round(rrMs ?? 0) })}</small>}
        <span>
          <button
            type="button"
            aria-pressed={isMarching}
            onClick={() => onChange({ isMarching: !isMarching })}
          >
            {t('review.march')} <Key of="review.march" />
          </button>
          <button
            type="button"
            aria-pressed={height !== undefined}
            onClick={() => onChange({ height: height === undefined ? FIRST_HEIGHT : undefined })}
          >
            {t('review.height')} <Key of="review.height" />
          </button>
          <button
            type="button"
            aria-pressed={isSnapping}
            onClick={() => onChange({ isSnapping: !isSnapping })}
          >
            {t('review.snap')} <Key of="review.snap" />
          </button>
          <button
            type="button"
            disabled={isFull}
            title={isFull ? t('review.calipersFull') : undefined}
            onClick={keep}
          >
            {t('review.keepCaliper')} <Key of="review.keepCaliper" />
          </button>
        </span>
      </div>
    </div>
  );
}

/** A millivolt at the usual gain, near the top. */
const FIRST_HEIGHT: CaliperHeight = { upperMm: 20, lowerMm: 30 };

export interface UsedCalipers {
  /** Undefined while they are put away. */
  readonly state: CaliperState | undefined;
  toggle(): void;
  /** Undefined while they are put away. */
  readonly march: (() => void) | undefined;
  readonly toggleHeight: (() => void) | undefined;
  readonly toggleSnapping: (() => void) | undefined;
  change(change: Partial<CaliperState>): void;
  readonly kept: readonly KeptCaliper[];
  /** @param startSample of the page @param text what was measured */
  keep(startSample: number, text: string): void;
  drop(place: number): void;
}

/** Where the lines stand first: a quarter and a half into the page, until somebody has moved them. */
export function useCalipers(sampleCount: number): UsedCalipers {
  const [isShown, setShown] = useState(false);
  const [moved, setMoved] = useState<CaliperState>();
  const [kept, setKept] = useState<readonly KeptCaliper[]>([]);
  const state = moved ?? {
    lines: { from: Math.round(sampleCount / 4), to: Math.round(sampleCount / 2) },
    height: undefined,
    isMarching: false,
    isSnapping: true,
  };
  const change = (part: Partial<CaliperState>): void => setMoved({ ...state, ...part });
  return {
    state: isShown ? state : undefined,
    toggle: () => setShown(!isShown),
    march: isShown ? () => change({ isMarching: !state.isMarching }) : undefined,
    toggleHeight: isShown
      ? () => change({ height: state.height === undefined ? FIRST_HEIGHT : undefined })
      : undefined,
    toggleSnapping: isShown ? () => change({ isSnapping: !state.isSnapping }) : undefined,
    change,
    kept,
    keep(startSample, text) {
      const { from, to } = state.lines;
      setKept((before) => [...before, { from: startSample + from, to: startSample + to, text }]);
    },
    drop: (place) => setKept((before) => before.toSpliced(place, 1)),
  };
}
