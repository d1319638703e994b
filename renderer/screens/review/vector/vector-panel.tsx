// The vectorcardiogram of the median beat in three planes, derived from the standard leads.

import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredMedianBeat } from '../../../../shared/analysis-result.ts';
import type { Unassessed, UnassessedReason } from '../../../../shared/findings/codes.ts';
import { FINDING_TEXTS } from '../../../../shared/findings/finding-texts.ts';
import { shownLanguage } from '../../../text/text.ts';
import { type MedianVector, medianVector, type Vector } from './median-vector.ts';
import classes from './vector.module.css';

/** To the right and downwards on the screen: seen from the front, from above with the back upwards, and from the left side. */
const PLANES = {
  frontal: { axes: ['X', 'Y'], xOf: ([x]: Vector) => x, yOf: ([, y]: Vector) => y },
  horizontal: { axes: ['X', '−Z'], xOf: ([x]: Vector) => x, yOf: ([, , z]: Vector) => -z },
  sagittal: { axes: ['Z', 'Y'], xOf: ([, , z]: Vector) => z, yOf: ([, y]: Vector) => y },
} as const;
type Plane = keyof typeof PLANES;

const SIZE_PX = 168;
const EDGE_PX = 12;
/** Marks along QRS, each so long after the one before. */
const STEP_MS = 10;

function farthest({ p, qrs, t }: MedianVector): number {
  let most = 100;
  for (const vector of [...p, ...qrs, ...t])
    for (const value of vector) most = Math.max(most, Math.abs(value));
  return most;
}

function Loop({
  vector,
  plane,
  uvToEdge,
}: {
  vector: MedianVector;
  plane: Plane;
  uvToEdge: number;
}): ReactNode {
  const { t } = useTranslation();
  const { axes, xOf, yOf } = PLANES[plane];
  const middle = SIZE_PX / 2;
  const pxPerUv = (middle - EDGE_PX) / uvToEdge;
  const x = (each: Vector): number => middle + xOf(each) * pxPerUv;
  const y = (each: Vector): number => middle + yOf(each) * pxPerUv;
  const path = (loop: readonly Vector[]): string =>
    loop.map((each, i) => `${i === 0 ? 'M' : 'L'}${x(each).toFixed(1)} ${y(each).toFixed(1)}`).join('');
  const step = Math.max(1, Math.round((STEP_MS * vector.sampleRateHz) / 1000));
  return (
    <figure className={classes.plane}>
      <svg width={SIZE_PX} height={SIZE_PX} role="img" aria-label={t(`review.vector.${plane}`)}>
        <path className={classes.axes} d={`M0 ${middle}H${SIZE_PX}M${middle} 0V${SIZE_PX}`} />
        <text x={SIZE_PX - 4} y={middle - 4} textAnchor="end">
          {axes[0]}
        </text>
        <text x={middle + 4} y={SIZE_PX - 4}>
          {axes[1]}
        </text>
        <path className={classes.p} d={path(vector.p)} />
        <path className={classes.t} d={path(vector.t)} />
        <path className={classes.qrs} d={path(vector.qrs)} />
        {vector.qrs
          .filter((_, i) => i % step === 0)
          .map((each, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: marks stand in the order of time
            <circle key={i} className={classes.mark} cx={x(each)} cy={y(each)} r={1.8} />
          ))}
      </svg>
      <figcaption>{t(`review.vector.${plane}`)}</figcaption>
    </figure>
  );
}

/** Whatever makes the program doubt electrodes or voltages takes the angle away: it would rest on both. */
const DOUBTS: readonly UnassessedReason[] = ['scale', 'electrodes', 'signal'];

interface VectorPanelProps {
  readonly beat: StoredMedianBeat | undefined;
  readonly notAssessed: readonly Unassessed[];
}

export function VectorPanel({ beat, notAssessed }: VectorPanelProps): ReactNode {
  const { t } = useTranslation();
  const doubt = DOUBTS.find((each) => notAssessed.some(({ reason }) => reason === each));
  const vector = useMemo(() => beat && medianVector(beat), [beat]);
  if (vector === undefined) return <p className={`${classes.none} quiet`}>{t('review.vector.none')}</p>;
  const uvToEdge = farthest(vector);
  return (
    <div className={classes.panel}>
      {(Object.keys(PLANES) as Plane[]).map((plane) => (
        <Loop key={plane} vector={vector} plane={plane} uvToEdge={uvToEdge} />
      ))}
      <div className={classes.about}>
        <ul>
          <li className={classes.ofQrs}>QRS</li>
          <li className={classes.ofT}>T</li>
          <li className={classes.ofP}>P</li>
        </ul>
        {doubt !== undefined && (
          <p>{t('review.vector.noAngle', { reason: FINDING_TEXTS[shownLanguage()].reason[doubt] })}</p>
        )}
        {doubt === undefined && vector.qrsTDeg !== undefined && (
          <p>{t('review.vector.angle', { degrees: Math.round(vector.qrsTDeg) })}</p>
        )}
        <p className="quiet">{t('review.vector.derived')}</p>
      </div>
    </div>
  );
}
