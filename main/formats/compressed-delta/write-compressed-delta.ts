// Writes a recording as one Compressed Delta file with its JSON beside it. Short recordings are written as
// small as the format allows; long ones uncompressed, lead after lead, so that neither writing nor reading
// needs them in memory.

import { type Channel, type Recording, rateHz, readAllSamples } from '../../../shared/signal/recording.ts';
import { encodeSlots, widthFor } from '../../signal/compressed-delta/encode-slots.ts';
import {
  type BitsPerSample,
  blockBytes,
  CODINGS,
  COMPRESSIONS,
  type Coding,
  type DeltaHeader,
  deltaHeaderBytes,
} from '../../signal/compressed-delta/header.ts';
import { encodeSmallest, fillInvalid } from '../../signal/compressed-delta/write-frame.ts';
import {
  type ChannelSurvey,
  type RecordOutput,
  type RecordWriter,
  requireFewRuns,
  requireOneRate,
  surveyChannels,
  unsuitable,
} from '../record-writer.ts';
import { formatIsoStart } from '../start-time.ts';
import { FILE_LEVELS, nativeCompressors } from './compression.ts';
import { type Sidecar, sidecarName } from './sidecar.ts';

const MAX_CHANNELS = 255;
const MAX_SAMPLES = 2 ** 32 - 1;
/** Up to so many bytes all codings and compressions are tried. */
const TRIED_BYTES = 64 * 2 ** 20;
const BLOCK_SAMPLES = 1 << 18;

function widthOf(surveys: readonly ChannelSurvey[]): BitsPerSample {
  return widthFor(
    Math.min(0, ...surveys.map(({ minimum }) => minimum)),
    Math.max(0, ...surveys.map(({ maximum }) => maximum)),
  );
}

function sidecarOf(recording: Recording, surveys: readonly ChannelSurvey[]): Sidecar {
  const { startTime, gaps, deviceId, patient, annotations, channels } = recording;
  return {
    format: 'isoline.compressed-delta.sidecar',
    version: 1,
    channels: channels.map(({ label, unit, scale, offset, isCalibrated }, i) => ({
      label,
      unit,
      scale,
      offset,
      isCalibrated,
      missing: (surveys[i]?.missing ?? []).map(({ start, end }): [number, number] => [start, end]),
    })),
    ...(startTime !== undefined && { startTime: formatIsoStart(startTime) }),
    ...(gaps !== undefined && {
      gaps: gaps.map(({ startSeconds, endSeconds }): [number, number] => [startSeconds, endSeconds]),
    }),
    ...(deviceId !== undefined && { deviceId }),
    patient: { ...patient },
    annotations: annotations.map((annotation) => ({ ...annotation })),
  };
}

function readFilled(channel: Channel, startSample: number, count: number): Int32Array {
  const samples = new Int32Array(count);
  channel.read(startSample, samples);
  fillInvalid(samples);
  return samples;
}

/** One pass over all leads tells which coding never leaves the width. */
function codingFor(channels: readonly Channel[], sampleCount: number, bits: BitsPerSample): Coding {
  const scratch = new Uint8Array((BLOCK_SAMPLES * bits) / 8);
  const fits = channels.every((channel) => {
    const state = { sample: 0, difference: 0 };
    for (let start = 0; start < sampleCount; start += BLOCK_SAMPLES) {
      const samples = readFilled(channel, start, Math.min(BLOCK_SAMPLES, sampleCount - start));
      if (!encodeSlots(samples, bits, 'delta', state, scratch, 0)) return false;
    }
    return true;
  });
  return fits ? 'delta' : 'twosComplement';
}

/** A long recording, lead after lead. */
function* longFile(channels: readonly Channel[], header: DeltaHeader): Generator<Uint8Array> {
  yield deltaHeaderBytes(header);
  for (const channel of channels) {
    const state = { sample: 0, difference: 0 };
    for (let start = 0; start < header.samples; start += BLOCK_SAMPLES) {
      const samples = readFilled(channel, start, Math.min(BLOCK_SAMPLES, header.samples - start));
      const bytes = new Uint8Array((samples.length * header.bitsPerSample) / 8);
      encodeSlots(samples, header.bitsPerSample, header.coding, state, bytes, 0);
      yield bytes;
    }
  }
}

export const COMPRESSED_DELTA_WRITER: RecordWriter = {
  name: 'cmdt',
  extensions: ['.cmdt'],
  companions: (fileName) => [sidecarName(fileName)],
  *write(recording, fileName): RecordOutput {
    const { channels } = recording;
    const { rate, sampleCount } = requireOneRate(channels, 'Compressed Delta');
    if (channels.length > MAX_CHANNELS || sampleCount > MAX_SAMPLES || sampleCount < 1)
      throw unsuitable(`Compressed Delta cannot hold ${channels.length} channels of ${sampleCount} samples.`);
    const surveys = surveyChannels(recording);
    requireFewRuns(surveys, 'the JSON beside a Compressed Delta file');
    const bitsPerSample = widthOf(surveys);
    const shape = { channels: channels.length, samples: sampleCount, bitsPerSample };
    if (blockBytes(shape) <= TRIED_BYTES) {
      const samples = channels.map((channel) => {
        const all =
          channel.sampleCount === sampleCount ? readAllSamples(channel) : readFilled(channel, 0, sampleCount);
        fillInvalid(all);
        return all;
      });
      const source = { channels: samples, sampleRateHz: rateHz(rate), bitsPerSample };
      const allowed = { codings: CODINGS, compressions: COMPRESSIONS };
      yield { fileName, bytes: encodeSmallest(source, allowed, nativeCompressors(FILE_LEVELS)) };
    } else {
      const coding = codingFor(channels, sampleCount, bitsPerSample);
      const header: DeltaHeader = {
        ...shape,
        payloadBytes: blockBytes(shape),
        sampleRateHz: rateHz(rate),
        coding,
        compressionNumber: 0,
      };
      for (const bytes of longFile(channels, header)) yield { fileName, bytes };
    }
    yield {
      fileName: sidecarName(fileName),
      bytes: new TextEncoder().encode(`${JSON.stringify(sidecarOf(recording, surveys))}\n`),
    };
    return [];
  },
};
