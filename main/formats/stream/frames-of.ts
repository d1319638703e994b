// A recording as frames of a stream, for whoever else takes them: plain samples, without differences or
// compression, which need the fewest of what is only assumed of a foreign reader (central service, section
// 5). What is missing stays missing: no frame holds it.

import { INVALID_SAMPLE, type Recording, rateHz } from '../../../shared/signal/recording.ts';
import { widthFor } from '../../signal/compressed-delta/encode-slots.ts';
import { encodeCompressedDelta } from '../../signal/compressed-delta/write-frame.ts';
import { requireOneRate, surveyChannels } from '../record-writer.ts';

const FRAME_SECONDS = 10;
const MOST_BLOCK_BYTES = 1 << 20;

export interface StreamFrame {
  /** From the first sample of the recording. */
  readonly timestampUs: number;
  /** Per channel. */
  readonly samples: number;
  readonly bytes: Uint8Array;
}

/**
 * In order of time; where the first channel has no sample, there is no frame.
 * @throws IsolineError `format_unsuitable` where channels differ in rate
 */
export function* framesOf(recording: Recording): Generator<StreamFrame> {
  const { channels } = recording;
  const { rate, sampleCount } = requireOneRate(channels, 'a stream');
  const sampleRateHz = rateHz(rate);
  const surveys = surveyChannels(recording);
  const bitsPerSample = widthFor(
    Math.min(...surveys.map(({ minimum }) => minimum)),
    Math.max(...surveys.map(({ maximum }) => maximum)),
  );
  const mostSamples = Math.floor((MOST_BLOCK_BYTES * 8) / (channels.length * bitsPerSample));
  const blockSamples = Math.max(1, Math.min(Math.round(FRAME_SECONDS * sampleRateHz), mostSamples));
  for (let start = 0; start < sampleCount; start += blockSamples) {
    const count = Math.min(blockSamples, sampleCount - start);
    const block = channels.map((channel) => {
      const samples = new Int32Array(count);
      channel.read(start, samples);
      return samples;
    });
    for (const [from, to] of presentRuns(block[0] as Int32Array)) {
      const source = {
        channels: block.map((samples) => samples.subarray(from, to)),
        sampleRateHz,
        bitsPerSample,
      };
      const bytes = encodeCompressedDelta(source, { coding: 'twosComplement', compression: 'none' });
      yield { timestampUs: Math.round(((start + from) / sampleRateHz) * 1e6), samples: to - from, bytes };
    }
  }
}

/** [from, to) of samples that are there. */
function presentRuns(samples: Int32Array): (readonly [number, number])[] {
  const runs: (readonly [number, number])[] = [];
  for (let i = 0; i < samples.length; ) {
    while (i < samples.length && samples[i] === INVALID_SAMPLE) i++;
    const from = i;
    while (i < samples.length && samples[i] !== INVALID_SAMPLE) i++;
    if (i > from) runs.push([from, i]);
  }
  return runs;
}
