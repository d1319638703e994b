// A recording as plain values, to be handed to a page and analysed there.

import { analyse } from '../../main/analysis/analyse.ts';
import { type Channel, INVALID_SAMPLE, type Recording } from '../../shared/signal/recording.ts';

interface PlainChannel extends Omit<Channel, 'read'> {
  readonly samples: readonly number[];
}

export interface PlainRecording extends Omit<Recording, 'channels' | 'checkIntegrity'> {
  readonly channels: readonly PlainChannel[];
}

export const plainOf = ({ channels, checkIntegrity: _, ...facts }: Recording): PlainRecording => ({
  ...facts,
  channels: channels.map(({ read, ...channel }) => {
    const samples = new Int32Array(channel.sampleCount);
    read(0, samples);
    return { ...channel, samples: [...samples] };
  }),
});

/** @returns the result as JSON */
export function analysePlain(recording: PlainRecording): string {
  const channels = recording.channels.map(
    ({ samples, ...channel }): Channel => ({
      ...channel,
      read(start, target) {
        for (let i = 0; i < target.length; i++) target[i] = samples[start + i] ?? INVALID_SAMPLE;
      },
    }),
  );
  return JSON.stringify(analyse({ ...recording, channels }));
}
