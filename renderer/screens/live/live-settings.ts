// How the live picture is looked at. Speed, gain, layout and tone are the technician's taste and stay; a filter that hides something falls
// back with the next patient (screens, 2.3).

import { useState } from 'react';
import type { LayoutKind } from '../../trace/ecg-layout.ts';

export const SPEEDS_MM_PER_S = [12.5, 25, 50] as const;
export const GAINS_MM_PER_MV = [5, 10, 20] as const;

export interface LiveSettings {
  readonly speedMmPerS: (typeof SPEEDS_MM_PER_S)[number];
  readonly gainMmPerMv: (typeof GAINS_MM_PER_MV)[number];
  readonly kind: LayoutKind;
  readonly mode: 'sweep' | 'scroll';
  readonly order: 'classic' | 'cabrera';
  readonly isToneOn: boolean;
}

const INITIAL: LiveSettings = { speedMmPerS: 25, gainMmPerMv: 10, kind: '6x2', mode: 'sweep', order: 'classic', isToneOn: false };
const KEPT_UNDER = 'isoline.live';

function readKept(): LiveSettings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_UNDER) ?? '{}') as Partial<LiveSettings>;
    return { ...INITIAL, ...(kept.kind !== 'single' && kept) };
  } catch {
    return INITIAL;
  }
}

export function useLiveSettings(): readonly [LiveSettings, (change: Partial<LiveSettings>) => void] {
  const [settings, setSettings] = useState(readKept);
  const change = (part: Partial<LiveSettings>): void =>
    setSettings((before) => {
      const after = { ...before, ...part };
      localStorage.setItem(KEPT_UNDER, JSON.stringify(after));
      return after;
    });
  return [settings, change];
}

/** The neighbour in a list, or the last one there is. */
export function stepIn<T>(list: readonly T[], present: T, by: 1 | -1): T {
  const place = Math.min(list.length - 1, Math.max(0, list.indexOf(present) + by));
  return list[place] as T;
}
