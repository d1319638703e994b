// How often the live screen raises an alarm where nothing is wrong: the hours of MIT-BIH Normal Sinus Rhythm, and noise.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NOISE_KINDS, noisePiece } from '../support/noise-pieces.ts';
import { liveAlarms } from '../support/play-live.ts';
import { toRecording } from '../support/synthetic-recording.ts';
import { recordingFrom, shelfFolder } from '../support/test-data.ts';

const PIECES = 200;

/** @returns lines to print, and how many alarms there were in the hours of sinus rhythm */
export function falseLiveAlarms(): { lines: string[]; inSinus: number } {
  const folder = shelfFolder('corpus/nsrdb') as string;
  const records = readdirSync(folder).filter((name) => name.endsWith('.hea'));
  const recordings = records.map((name) => recordingFrom(join(folder, name)));
  const alarms = recordings.flatMap((recording) => liveAlarms(recording));
  const hours = recordings.reduce((sum, { durationSeconds }) => sum + durationSeconds / 3600, 0);
  const noisy = Array.from({ length: PIECES }, (_, i) => noisePiece(i)).filter(
    ({ ecg }) => liveAlarms(toRecording(ecg)).length > 0,
  );
  const kinds = (some: readonly { readonly kind: string }[]): string =>
    [...Map.groupBy(some, ({ kind }) => kind)].map(([kind, { length }]) => `${kind} ${length}`).join(', ');
  return {
    lines: [
      `    ${hours.toFixed(1)} h of sinus rhythm: ${alarms.length} alarms ${kinds(alarms)}`,
      `    ${PIECES} pieces of noise of ${NOISE_KINDS.length} kinds: ${noisy.length} with an alarm`,
    ],
    inSinus: alarms.length,
  };
}
