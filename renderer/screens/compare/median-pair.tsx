// The median beats of two ECGs over each other, lead by lead, at one scale and with R at one place.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StoredMedianBeat } from '../../../shared/analysis-result.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { useWidth } from '../../parts/use-width.ts';
import classes from './compare.module.css';

interface MedianPairProps {
  readonly now: StoredMedianBeat;
  readonly before: StoredMedianBeat;
  /** All leads that both have, else the most telling ones. */
  readonly isAll: boolean;
}

const TELLING = ['MDC_ECG_LEAD_V2', 'MDC_ECG_LEAD_V5', 'MDC_ECG_LEAD_II'];
/** How much is shown before and behind R. */
const SHOWN_MS = { before: 300, behind: 550 };
const NAME_PX = 18;
const HEIGHT_PX = { all: 150, telling: 140 };
const COLUMNS = { all: 4, telling: 3 };
const GAP_PX = 8;

const isShown = ({ isCalibrated }: StoredMedianBeat['leads'][number]): boolean => isCalibrated !== false;

/** Leads whose millivolts are known in both. */
function sharedLeads(now: StoredMedianBeat, before: StoredMedianBeat): string[] {
  const others = new Set(before.leads.filter(isShown).map(({ lead }) => lead));
  return now.leads.filter(isShown).flatMap(({ lead }) => (others.has(lead) ? [lead] : []));
}

/** Least and greatest of both over these leads. */
function reachOf(
  beats: readonly StoredMedianBeat[],
  leads: readonly string[],
): { low: number; high: number } {
  let [low, high] = [-500, 500];
  for (const beat of beats)
    for (const lead of leads)
      for (const value of leadOf(beat, lead)) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
  return { low, high };
}

interface Scale {
  readonly pxPerMs: number;
  yOf(uv: number): number;
}

const LEVEL_MS = 20;

/** Against the level just before QRS, as ST is measured: another T must not look like another ST. */
function leadOf({ leads, sampleRateHz, rSample, marksMs }: StoredMedianBeat, lead: string): number[] {
  const uv = leads.find((each) => each.lead === lead)?.uv ?? [];
  const { qrsOnset } = marksMs;
  if (qrsOnset === undefined) return [...uv];
  const end = Math.round(rSample + (qrsOnset * sampleRateHz) / 1000);
  const start = Math.max(0, end - Math.round((LEVEL_MS * sampleRateHz) / 1000));
  const level = median(uv.slice(start, end)) ?? 0;
  return uv.map((value) => value - level);
}

function pathOf(beat: StoredMedianBeat, lead: string, scale: Scale): string {
  const { sampleRateHz, rSample } = beat;
  const uv = leadOf(beat, lead);
  const points: string[] = [];
  for (const [i, value] of uv.entries()) {
    const ms = (1000 * (i - rSample)) / sampleRateHz;
    if (ms < -SHOWN_MS.before || ms > SHOWN_MS.behind) continue;
    points.push(`${((ms + SHOWN_MS.before) * scale.pxPerMs).toFixed(1)} ${scale.yOf(value).toFixed(1)}`);
  }
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

export function MedianPair({ now, before, isAll }: MedianPairProps): ReactNode {
  const { t } = useTranslation();
  const { ref, widthPx } = useWidth();
  const shared = sharedLeads(now, before);
  const telling = TELLING.filter((lead) => shared.includes(lead));
  const leads = isAll ? shared : telling.length > 0 ? telling : shared.slice(0, COLUMNS.telling);
  const kind = isAll ? 'all' : 'telling';
  const columns = Math.max(1, Math.min(COLUMNS[kind], leads.length));
  const cellPx = Math.floor((widthPx - GAP_PX * (columns - 1)) / columns);
  const { low, high } = reachOf([now, before], leads);
  const heightPx = HEIGHT_PX[kind];
  const pxPerUv = (heightPx - NAME_PX) / (high - low);
  const scale: Scale = {
    pxPerMs: cellPx / (SHOWN_MS.before + SHOWN_MS.behind),
    yOf: (uv) => NAME_PX + (high - uv) * pxPerUv,
  };
  if (leads.length === 0) return <p className="quiet">{t('compare.noSharedLeads')}</p>;
  return (
    <div
      ref={ref}
      className={classes.pairs}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`, gap: GAP_PX }}
      role="img"
      aria-label={t('compare.medianOf', { leads: leads.map(leadName).join(', ') })}
    >
      {widthPx > 0 &&
        leads.map((lead) => (
          <svg key={lead} width={cellPx} height={heightPx} aria-hidden="true">
            <text x={0} y={12}>
              {leadName(lead)}
            </text>
            <path className={classes.beforeBeat} d={pathOf(before, lead, scale)} />
            <path className={classes.nowBeat} d={pathOf(now, lead, scale)} />
          </svg>
        ))}
    </div>
  );
}
