// Calipers that stay while another one is measured, with what they measured.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CalipersProps } from './caliper-props.ts';
import classes from './calipers.module.css';

const KEPT_LINE_PX = 30;

/** Each a little lower than the one before, so that none hides another. */
export function KeptCalipers({
  kept,
  startSample,
  sampleCount,
  leftPx,
  pxPerSample,
  onDrop,
}: CalipersProps): ReactNode {
  const { t } = useTranslation();
  return kept.map(({ from, to, text }, place) => {
    const [first, last] = [Math.min(from, to) - startSample, Math.max(from, to) - startSample];
    if (last < 0 || first >= sampleCount) return null;
    return (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: two may measure the same
        key={`${place} ${from} ${to}`}
        className={classes.kept}
        data-kept=""
        style={{ left: leftPx + first * pxPerSample, width: Math.max(1, (last - first) * pxPerSample) }}
      >
        <span style={{ top: 6 + place * KEPT_LINE_PX }}>
          {text}
          <button
            type="button"
            aria-label={t('review.dropCaliper', { text })}
            title={t('review.dropCaliper', { text })}
            onClick={() => onDrop(place)}
          >
            ×
          </button>
        </span>
      </div>
    );
  });
}
