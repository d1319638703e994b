// An EDF file whose channels are called otherwise than their leads: real shapes under strange names.

import type { Channel } from '../../shared/signal/recording.ts';
import { toRecording, twelveLeads } from './synthetic-recording.ts';
import { write } from './written-records.ts';

export interface StrangeChannel {
  readonly label: string;
  /** The lead that it is in truth, as `II`. */
  readonly is: string;
  readonly isTurned?: boolean;
}

/** @param channels in the order of the file */
export function strangeEdf(channels: readonly StrangeChannel[], seconds = 12): Uint8Array {
  const whole = toRecording(twelveLeads({ durationSeconds: seconds }));
  const strange = channels.map(({ label, is, isTurned = false }): Channel => {
    const found = whole.channels.find((channel) => channel.label === is);
    if (found === undefined) throw new RangeError(`there is no lead ${is}`);
    const { lead: _lead, ...channel } = found;
    return {
      ...channel,
      label,
      read(start, target) {
        channel.read(start, target);
        if (isTurned) for (let i = 0; i < target.length; i++) target[i] = -(target[i] as number);
      },
    };
  });
  const { files } = write({ ...whole, channels: strange }, 'edf', 'strange.edf');
  const [file] = files;
  if (file === undefined) throw new Error('nothing was written');
  return Uint8Array.from(file.source.read(0, file.source.sizeBytes));
}
