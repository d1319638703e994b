// Ten seconds of a recording on ECG paper, as large as the screen allows and no larger than on paper.

import { useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { SpeedAndGainValues } from '../../parts/speed-and-gain.tsx';
import { useCalibration } from '../../trace/calibration.ts';
import { traceColours } from '../../trace/colours.ts';
import { drawReview, type ReviewLead } from '../../trace/draw-review.ts';
import { layoutReview, PAGE_MM, pulseAreaMm, type ReviewKind } from '../../trace/review-layout.ts';
import type { CaliperLines } from './caliper-text.ts';
import { Calipers } from './calipers.tsx';
import classes from './review.module.css';
import { useCanvas } from './use-canvas.ts';

export interface PaperView extends SpeedAndGainValues {
  readonly kind: ReviewKind;
}

export interface PaperProps {
  readonly view: PaperView;
  readonly sampleRateHz: number;
  readonly leads: readonly ReviewLead[];
  /** Below the paper, from where a page's first sample stands, in pixels of style sheets. */
  readonly below: (leftPx: number, pxPerSample: number) => ReactNode;
  readonly marked: readonly (readonly [start: number, end: number])[];
  readonly isSimulated: boolean;
  /** Where they are shown. */
  readonly calipers: CaliperLines | undefined;
  onCalipers(lines: CaliperLines): void;
  /** What is read aloud for the picture. */
  readonly label: string;
}

const RHYTHM_LEAD = 'II';

export function Paper({
  view,
  sampleRateHz,
  leads,
  below,
  marked,
  isSimulated,
  label,
  calipers,
  onCalipers,
}: PaperProps): ReactNode {
  const { t } = useTranslation();
  const { ref, box } = useCanvas();
  const { pxPerMm: truePxPerMm, isTrue } = useCalibration();
  const colorScheme = useComputedColorScheme('light');
  const { kind, speedMmPerS, gainMmPerMv } = view;
  const scale =
    box === undefined
      ? 1
      : Math.min(1, box.widthPx / ((PAGE_MM + pulseAreaMm(speedMmPerS)) * truePxPerMm * box.ratio));
  const cells = useMemo(
    () =>
      box === undefined
        ? []
        : layoutReview({
            heightPx: box.heightPx,
            pxPerMm: scale * truePxPerMm * box.ratio,
            ratio: box.ratio,
            speedMmPerS,
            kind,
            leadCount: leads.length,
            rhythmLead: leads.findIndex(({ name }) => name === RHYTHM_LEAD),
          }),
    [box, scale, truePxPerMm, speedMmPerS, kind, leads],
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
        leads: leads.map((lead) =>
          lead.isCalibrated ? lead : { ...lead, name: t('review.uncalibrated', { lead: lead.name }) },
        ),
        marked,
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
    gainMmPerMv,
    sampleRateHz,
    isSimulated,
    t,
    colorScheme,
  ]);
  const leftPx = pulseAreaMm(speedMmPerS) * scale * truePxPerMm;
  const pxPerSample = (speedMmPerS * scale * truePxPerMm) / sampleRateHz;
  return (
    <div className={classes.paper}>
      <canvas ref={ref} className={classes.canvas} role="img" aria-label={label} />
      {calipers !== undefined && (
        <Calipers
          lines={calipers}
          sampleRateHz={sampleRateHz}
          sampleCount={leads[0]?.mv.length ?? 1}
          leftPx={leftPx}
          pxPerSample={pxPerSample}
          onMove={onCalipers}
        />
      )}
      {box !== undefined && below(leftPx, pxPerSample)}
      <p className={classes.footer}>
        <span>
          {speedMmPerS} mm/s · {gainMmPerMv} mm/mV · {t('review.unfiltered')}
        </span>
        <span>
          {isTrue && scale === 1 ? t('review.trueSize') : t('review.scale', { scale: scale.toFixed(2) })}
        </span>
      </p>
    </div>
  );
}
