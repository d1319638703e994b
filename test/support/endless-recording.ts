// A recording of any length from a short one that begins again and again, as fast to read as a channel in memory.

import type { Channel } from '../../shared/signal/recording.ts';

/** @param once whole numbers of the channel's converter @param sampleRateHz of them */
export function endlessChannel(
  channel: Channel,
  once: Int32Array,
  sampleRateHz: number,
  seconds: number,
): Channel {
  return {
    ...channel,
    rate: { samples: sampleRateHz, seconds: 1 },
    sampleCount: seconds * sampleRateHz,
    read(startSample, target) {
      for (let done = 0, at = startSample % once.length; done < target.length; at = 0) {
        const piece = once.subarray(at, at + target.length - done);
        target.set(piece, done);
        done += piece.length;
      }
    },
  };
}
