// Two lines over the paper and what lies between them, by mouse and by keys (screens, S5). Time follows from samples,
// never from pixels.

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CaliperLines, caliperText } from './caliper-text.ts';
import classes from './review.module.css';

export interface CalipersProps {
  readonly lines: CaliperLines;
  readonly sampleRateHz: number;
  /** Of the page. */
  readonly sampleCount: number;
  /** Of the page's first sample, in pixels of style sheets. */
  readonly leftPx: number;
  readonly pxPerSample: number;
  onMove(lines: CaliperLines): void;
}

const LARGE_STEP_SECONDS = 0.01;

interface LineProps extends CalipersProps {
  readonly which: keyof CaliperLines;
}

/** One line with its handle at the foot. */
function CaliperLine({
  which,
  lines,
  sampleRateHz,
  sampleCount,
  leftPx,
  pxPerSample,
  onMove,
}: LineProps): ReactNode {
  const { t } = useTranslation();
  const [grabbedPx, setGrabbedPx] = useState<number>();
  const at = lines[which];
  const moveTo = (sample: number): void =>
    onMove({ ...lines, [which]: Math.round(Math.max(0, Math.min(sampleCount - 1, sample))) });
  const press = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? Math.max(1, Math.round(LARGE_STEP_SECONDS * sampleRateHz)) : 1;
    const sign = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (sign === 0) return;
    // The same keys go through the recording where no line has the focus.
    event.preventDefault();
    event.stopPropagation();
    moveTo(at + sign * step);
  };
  const grab = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setGrabbedPx(event.clientX - at * pxPerSample);
  };
  const drag = ({ clientX }: PointerEvent): void => {
    if (grabbedPx !== undefined) moveTo((clientX - grabbedPx) / pxPerSample);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      className={classes.caliper}
      style={{ left: leftPx + at * pxPerSample }}
      aria-label={t(`review.caliper.${which}`)}
      aria-valuemin={0}
      aria-valuemax={sampleCount - 1}
      aria-valuenow={at}
      aria-valuetext={caliperText(lines, sampleRateHz)}
      onKeyDown={press}
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={() => setGrabbedPx(undefined)}
    />
  );
}

export function Calipers(props: CalipersProps): ReactNode {
  const { lines, sampleRateHz, leftPx, pxPerSample } = props;
  const middle = leftPx + ((lines.from + lines.to) / 2) * pxPerSample;
  return (
    <div className={classes.calipers}>
      <CaliperLine which="from" {...props} />
      <CaliperLine which="to" {...props} />
      <output className={classes.caliperLabel} style={{ left: middle }}>
        {caliperText(lines, sampleRateHz)}
      </output>
    </div>
  );
}

/** Where the lines stand first: a quarter and a half into the page, until somebody has moved them. */
export function useCalipers(sampleCount: number): {
  lines: CaliperLines | undefined;
  toggle(): void;
  move(lines: CaliperLines): void;
} {
  const last = useRef<CaliperLines>(undefined);
  const [lines, setLines] = useState<CaliperLines>();
  const within = ({ from, to }: CaliperLines): CaliperLines => ({
    from: Math.min(from, sampleCount - 1),
    to: Math.min(to, sampleCount - 1),
  });
  const move = (moved: CaliperLines): void => {
    last.current = moved;
    setLines(moved);
  };
  const toggle = (): void =>
    setLines(
      lines === undefined
        ? (last.current ?? { from: Math.round(sampleCount / 4), to: Math.round(sampleCount / 2) })
        : undefined,
    );
  // At another speed, a page has fewer samples.
  return { lines: lines && within(lines), toggle, move };
}
