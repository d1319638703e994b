// How fast and how high an ECG is drawn, live and recorded alike.

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Segments } from './segments.tsx';

export const SPEEDS_MM_PER_S = [12.5, 25, 50] as const;
export const GAINS_MM_PER_MV = [5, 10, 20] as const;

export interface SpeedAndGainValues<
  S extends number = (typeof SPEEDS_MM_PER_S)[number],
  G extends number = (typeof GAINS_MM_PER_MV)[number],
> {
  readonly speedMmPerS: S;
  readonly gainMmPerMv: G;
}

interface SpeedAndGainProps<S extends number, G extends number> {
  readonly speeds: readonly S[];
  readonly gains: readonly G[];
  readonly values: SpeedAndGainValues<S, G>;
  onChange(change: Partial<SpeedAndGainValues<S, G>>): void;
}

/** The neighbour in a list, or the last one there is. */
export function stepIn<T>(list: readonly T[], present: T, by: 1 | -1): T {
  const place = Math.min(list.length - 1, Math.max(0, list.indexOf(present) + by));
  return list[place] as T;
}

/** The chosen one says its unit. */
const segmentsOf = <V extends number>(values: readonly V[], chosen: V, unit: string) =>
  values.map((value) => ({
    value,
    label: value === chosen ? `${value} ${unit}` : String(value),
    spoken: `${value} ${unit}`,
  }));

export function SpeedAndGain<S extends number, G extends number>({
  speeds,
  gains,
  values,
  onChange,
}: SpeedAndGainProps<S, G>): ReactNode {
  const { t } = useTranslation();
  const { speedMmPerS, gainMmPerMv } = values;
  return (
    <>
      <Segments
        label={t('live.speed')}
        name="speed"
        value={speedMmPerS}
        segments={segmentsOf(speeds, speedMmPerS, 'mm/s')}
        onChoose={(speed) => onChange({ speedMmPerS: speed })}
      />
      <Segments
        label={t('live.gain')}
        name="gain"
        value={gainMmPerMv}
        segments={segmentsOf(gains, gainMmPerMv, 'mm/mV')}
        onChoose={(gain) => onChange({ gainMmPerMv: gain })}
      />
    </>
  );
}
