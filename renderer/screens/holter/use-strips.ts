// The strips of the report: those that the program chooses, until somebody chooses others.

import { useMemo } from 'react';
import { programStrips, type StripSource } from '../../../shared/long/strips.ts';
import type { ChosenStrip } from '../../../shared/review/corrections.ts';
import { useHolter } from './holter.ts';
import type { DayReading } from './model/read-day.ts';

export function stripSource(reading: DayReading): StripSource {
  const { day, beats, episodes, unknown, events } = reading;
  return {
    sampleRateHz: day.sampleRateHz,
    sampleCount: day.samples,
    beats,
    episodes: episodes.filter(({ state }) => state !== 'rejected'),
    unknown,
    events: events.map(({ sample }) => sample),
  };
}

export function useStrips(): { source: StripSource; strips: readonly ChosenStrip[]; isByProgram: boolean } {
  const { reading } = useHolter();
  const source = useMemo(() => stripSource(reading), [reading]);
  const byProgram = useMemo(
    () => (reading.strips === undefined ? programStrips(source) : []),
    [reading.strips, source],
  );
  return { source, strips: reading.strips ?? byProgram, isByProgram: reading.strips === undefined };
}

/** A strip around what is looked at. */
export function stripAt({ day, episodes, events, beats }: DayReading, at: number): ChosenStrip {
  const reach = 2 * day.sampleRateHz;
  const startSample = Math.max(0, Math.round(at - 3.6 * day.sampleRateHz));
  const event = events.find(({ sample }) => Math.abs(sample - at) < reach);
  const episode = episodes.find(
    ({ state, startSample: from, endSample: to }) =>
      state !== 'rejected' && from < at + reach && to > at - reach,
  );
  const ectopic = [...'VS'].find((letter) => {
    const code = letter.charCodeAt(0);
    const { samples, labels } = beats;
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i] as number;
      if (sample > at + reach) return false;
      if (sample >= at - reach && labels[i] === code) return true;
    }
    return false;
  });
  const kind = event === undefined ? (episode?.code ?? ectopic ?? 'HAND') : 'EVENT';
  return { startSample, kind, ofSample: Math.round(at), isByHand: true };
}
