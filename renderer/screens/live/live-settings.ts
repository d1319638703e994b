// How the live picture is looked at. Speed, gain, layout and tone are the technician's taste and stay; a
// filter that hides something falls back with the next patient (screens, 2.3).

import { useState } from 'react';
import { GAINS_MM_PER_MV, SPEEDS_MM_PER_S, type SpeedAndGainValues } from '../../parts/speed-and-gain.tsx';
import { LAYOUTS, type LayoutKind } from '../../trace/ecg-layout.ts';

export interface LiveSettings extends SpeedAndGainValues {
  readonly kind: LayoutKind;
  readonly mode: 'sweep' | 'scroll';
  readonly order: 'classic' | 'cabrera';
  readonly isToneOn: boolean;
}

const INITIAL: LiveSettings = {
  speedMmPerS: 25,
  gainMmPerMv: 10,
  kind: '6x2',
  mode: 'sweep',
  order: 'classic',
  isToneOn: false,
};
const KEPT_UNDER = 'isoline.live';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function parseKept(text: string): Readonly<Record<string, unknown>> {
  try {
    const kept: unknown = JSON.parse(text);
    return isObject(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** What was kept is read like anything from outside: a value that does not exist is as good as none. */
export function readLiveSettings(text: string): LiveSettings {
  const kept = parseKept(text);
  const choose = <K extends keyof LiveSettings>(
    key: K,
    choices: readonly LiveSettings[K][],
  ): LiveSettings[K] => choices.find((choice) => choice === kept[key]) ?? INITIAL[key];
  return {
    speedMmPerS: choose('speedMmPerS', SPEEDS_MM_PER_S),
    gainMmPerMv: choose('gainMmPerMv', GAINS_MM_PER_MV),
    // A picture of one lead alone is not kept: the next one would look for the others.
    kind: choose(
      'kind',
      LAYOUTS.filter((kind) => kind !== 'single'),
    ),
    mode: choose('mode', ['sweep', 'scroll']),
    order: choose('order', ['classic', 'cabrera']),
    isToneOn: choose('isToneOn', [false, true]),
  };
}

export function useLiveSettings(): readonly [LiveSettings, (change: Partial<LiveSettings>) => void] {
  const [settings, setSettings] = useState(() => readLiveSettings(localStorage.getItem(KEPT_UNDER) ?? '{}'));
  const change = (part: Partial<LiveSettings>): void =>
    setSettings((before) => {
      const after = { ...before, ...part };
      localStorage.setItem(KEPT_UNDER, JSON.stringify(after));
      return after;
    });
  return [settings, change];
}
