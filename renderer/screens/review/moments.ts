// When something was in a recording: from an hour on by the clock, as a diary has it, where the recording tells when it began; else by
// the time since its beginning.

import { createContext, use } from 'react';
import type { TaskDetail } from '../../../shared/bridge/views.ts';
import { zonedTime } from '../../../shared/civil-time.ts';
import { letterDay } from '../../parts/format-time.ts';
import { timeIn } from './time-in.ts';
import type { RecordingFrame } from './use-recording.ts';

export type MomentOf = (sample: number) => string;

const LONG_SECONDS = 3600;

/** `02:15:40`, behind midnight `15 Mar 02:15:40`; of a short recording `03:20`. */
export function momentIn(
  {
    recordingStartMs,
    isStartZoneKnown,
    timeZone,
  }: Pick<TaskDetail, 'recordingStartMs' | 'isStartZoneKnown' | 'timeZone'>,
  { sampleRateHz, recordedSamples }: RecordingFrame,
): MomentOf {
  const startMs = recordingStartMs;
  if (startMs === undefined || recordedSamples < LONG_SECONDS * sampleRateHz)
    return (sample) => timeIn(sample, sampleRateHz);
  const zone = isStartZoneKnown === true ? timeZone : 'UTC';
  const firstDay = zonedTime(startMs, zone).isoDay;
  return (sample) => {
    const { isoDay, clock } = zonedTime(startMs + Math.floor(sample / sampleRateHz) * 1000, zone);
    return isoDay === firstDay ? clock : `${letterDay(isoDay).replace(/ \d{4}$/, '')} ${clock}`;
  };
}

const MomentContext = createContext<MomentOf>(() => '');
export const Moments = MomentContext.Provider;
export const useMoment = (): MomentOf => use(MomentContext);
