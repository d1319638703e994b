// Ten seconds of a recording on ECG paper, as large as the screen allows and no larger than on paper.

import { useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { decimalText } from '../../parts/format-number.ts';
import type { SpeedAndGainValues } from '../../parts/speed-and-gain.tsx';
import { useCalibration } from '../../trace/calibration.ts';
import { clearGain } from '../../trace/clear-gain.ts';
import { traceColours } from '../../trace/colours.ts';
import { drawReview, type ReviewLead } from '../../trace/draw-review.ts';
import { PAPER_FILTERS, type PaperFilter } from '../../trace/paper-filter.ts';
import { cellAt, layoutReview, PAGE_MM, pulseAreaMm, type ReviewKind } from '../../trace/review-layout.ts';
import type { CalipersProps } from './caliper-props.ts';
import { Calipers } from './calipers.tsx';
import classes from './review.module.css';
import { useCanvas } from './use-canvas.ts';
import { useWheel } from './use-wheel.ts';

export const REVIEW_SPEEDS_MM_PER_S = [5, 12.5, 25, 50] as const;
export const REVIEW_GAINS_MM_PER_MV = [2.5, 5, 10, 20] as const;

export interface PaperView
  extends SpeedAndGainValues<
    (typeof REVIEW_SPEEDS_MM_PER_S)[number],
    (typeof REVIEW_GAINS_MM_PER_MV)[number]
  > {
  readonly kind: ReviewKind;
  /** Where one lead stands alone: its name. */
  readonly lead: string;
  readonly filter: PaperFilter;
}

/** What of them is not the paper's. */
type PaperCalipers = Omit<
  CalipersProps,
  'sampleRateHz' | 'sampleCount' | 'leftPx' | 'pxPerSample' | 'pxPerMm' | 'gainMmPerMv'
>;

export interface PaperProps {
  readonly view: PaperView;
  /** How much of the signal stands on it. */
  readonly pageMm?: number;
  readonly sampleRateHz: number;
  readonly leads: readonly ReviewLead[];
  /** Below the paper, from where a page's first sample stands, in pixels of style sheets. */
  readonly below?: (leftPx: number, pxPerSample: number) => ReactNode;
  readonly marked?: readonly (readonly [start: number, end: number])[];
  /** Samples of the page at which a pacemaker spikes. */
  readonly spikes?: readonly number[];
  readonly isSimulated: boolean;
  /** Where they are shown. */
  readonly calipers?: PaperCalipers | undefined;
  /** Somebody pointed at a lead. */
  readonly onLead?: ((name: string) => void) | undefined;
  /** The wheel turned: so many samples on. */
  readonly onScroll?: (samples: number) => void;
  /** Another gain is asked for, where the traces are too tall. */
  readonly onGain?: (gainMmPerMv: PaperView['gainMmPerMv']) => void;
  /** The wheel turned with Ctrl: a step faster, or slower. */
  readonly onZoom?: (step: 1 | -1) => void;
  /** Why some of it is not there, or not there yet. */
  readonly notice?: string | undefined;
  /** What is read aloud for the picture. */
  readonly label: string;
}

const NOTHING_MARKED: readonly (readonly [number, number])[] = [];
const NO_SPIKES: readonly number[] = [];

export function Paper({
  view,
  pageMm = PAGE_MM,
  sampleRateHz,
  leads,
  below,
  marked = NOTHING_MARKED,
  spikes = NO_SPIKES,
  isSimulated,
  notice,
  label,
  calipers,
  onLead,
  onScroll,
  onZoom,
  onGain,
}: PaperProps): ReactNode {
  const { t } = useTranslation();
  const { ref, box } = useCanvas();
  const { pxPerMm: truePxPerMm, isTrue } = useCalibration();
  const colorScheme = useComputedColorScheme('light');
  const { kind, lead, speedMmPerS, gainMmPerMv } = view;
  const scale =
    box === undefined
      ? 1
      : Math.min(1, box.widthPx / ((pageMm + pulseAreaMm(speedMmPerS)) * truePxPerMm * box.ratio));
  const names = leads.map(({ name }) => name).join('\n');
  // The same cells as long as the leads are the same: what stands still is then not painted again.
  const cells = useMemo(
    () =>
      box === undefined
        ? []
        : layoutReview({
            heightPx: box.heightPx,
            pxPerMm: scale * truePxPerMm * box.ratio,
            ratio: box.ratio,
            speedMmPerS,
            pageMm,
            kind,
            leadNames: names.split('\n'),
            onlyLead: Math.max(0, names.split('\n').indexOf(lead)),
          }),
    [box, scale, truePxPerMm, speedMmPerS, pageMm, kind, lead, names],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read from the page
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined || box === undefined) return;
    drawReview(
      context,
      {
        ...box,
        pxPerMm: scale * truePxPerMm * box.ratio,
        speedMmPerS,
        gainMmPerMv,
        sampleRateHz,
        cells,
        leads: leads.map((each) =>
          each.isCalibrated ? each : { ...each, name: t('review.uncalibrated', { lead: each.name }) },
        ),
        marked,
        spikes,
        simulated: isSimulated ? t('devices.simulated') : undefined,
      },
      traceColours(canvas),
    );
    canvas.dataset.drawn = '';
  }, [
    ref,
    box,
    scale,
    truePxPerMm,
    cells,
    leads,
    marked,
    spikes,
    gainMmPerMv,
    sampleRateHz,
    isSimulated,
    t,
    colorScheme,
  ]);
  const pxPerMm = scale * truePxPerMm;
  const lowerGain = useMemo(
    () =>
      box &&
      clearGain(
        { ...box, pxPerMm: pxPerMm * box.ratio, cells, leads, sampleRateHz, gainMmPerMv },
        REVIEW_GAINS_MM_PER_MV,
      ),
    [box, pxPerMm, cells, leads, sampleRateHz, gainMmPerMv],
  );
  const leftPx = pulseAreaMm(speedMmPerS) * pxPerMm;
  const pxPerSample = (speedMmPerS * pxPerMm) / sampleRateHz;
  const paper = useRef<HTMLDivElement>(null);
  useWheel(paper, {
    onTurn: onScroll && ((px) => onScroll(px / pxPerSample)),
    onZoom,
  });
  return (
    <div ref={paper} className={classes.paper} aria-busy={notice !== undefined}>
      <canvas
        ref={ref}
        className={classes.canvas}
        data-zoom={onLead === undefined ? undefined : kind === 'single' ? 'out' : 'in'}
        role="img"
        aria-label={label}
        // With keys, the lead is chosen in the toolbar.
        onClick={({ nativeEvent: { offsetX, offsetY } }) => {
          const cell = cellAt(cells, offsetX * (box?.ratio ?? 1), offsetY * (box?.ratio ?? 1));
          const name = cell === undefined ? undefined : leads[cell.lead]?.name;
          if (name !== undefined) onLead?.(name);
        }}
      />
      {calipers !== undefined && (
        <Calipers
          {...calipers}
          sampleRateHz={sampleRateHz}
          sampleCount={leads[0]?.mv.length ?? 1}
          leftPx={leftPx}
          pxPerSample={pxPerSample}
          pxPerMm={pxPerMm}
          gainMmPerMv={leads.every(({ isCalibrated }) => isCalibrated) ? gainMmPerMv : undefined}
        />
      )}
      {box !== undefined && below?.(leftPx, pxPerSample)}
      {notice !== undefined && (
        <p className={classes.busy} role="status">
          {notice}
        </p>
      )}
      <div className={classes.footer}>
        <span>
          {speedMmPerS} mm/s · {gainMmPerMv} mm/mV ·{' '}
          <b data-warn={PAPER_FILTERS[view.filter].isDiagnostic ? undefined : true}>
            {t(`review.filter.${view.filter}`)}
          </b>
          {spikes.length > 0 && (
            <>
              {' · '}
              <i className={classes.spike} /> {t('review.spikes')}
            </>
          )}
        </span>
        {notice === undefined && lowerGain !== undefined && onGain !== undefined && (
          <span className={classes.tall} role="status">
            {t('review.tooTall')}{' '}
            <button type="button" onClick={() => onGain(lowerGain)}>
              {t('review.showAt', { gain: lowerGain })}
            </button>
          </span>
        )}
        <span>
          {isTrue && scale === 1 ? t('review.trueSize') : t('review.scale', { scale: decimalText(scale, 2) })}
        </span>
      </div>
    </div>
  );
}
