// Recordings through the writers and back.

import type { RecordFile } from '../../main/formats/byte-source.ts';
import { detectFormat } from '../../main/formats/content.ts';
import { readRecord } from '../../main/formats/read-record.ts';
import { WRITERS } from '../../main/formats/writers.ts';
import { identifyChannel } from '../../shared/signal/channel-identity.ts';
import {
  type Channel,
  INVALID_SAMPLE,
  type Recording,
  type SampleRate,
  type Warning,
} from '../../shared/signal/recording.ts';
import { bytesFile } from './test-data.ts';

export interface Written {
  readonly files: readonly RecordFile[];
  readonly warnings: readonly Warning[];
}

await Promise.all(WRITERS.map((writer) => writer.prepare?.()));

export function write(recording: Recording, formatName: string, fileName: string): Written {
  const writer = WRITERS.find(({ name }) => name === formatName)!;
  const parts = new Map<string, Uint8Array[]>();
  const pieces = writer.write(recording, fileName);
  let next = pieces.next();
  for (; next.done !== true; next = pieces.next()) {
    const { fileName: name, bytes } = next.value;
    parts.set(name, [...(parts.get(name) ?? []), Uint8Array.from(bytes)]);
  }
  return {
    files: [...parts].map(([name, pieces]) => bytesFile(name, Buffer.concat(pieces))),
    warnings: next.value,
  };
}

export function readBack({ files }: Written): Recording {
  const main = files.find((file) => detectFormat(file) !== undefined)!;
  const result = readRecord(main, files);
  if (!result.ok) throw new Error(result.message);
  return result.recording;
}

export interface ChannelOptions {
  readonly label?: string;
  readonly unit?: string;
  readonly scale?: number;
  readonly offset?: number;
  readonly rate?: SampleRate;
}

/** A channel of given samples. */
export function channelOf(samples: Int32Array, options: ChannelOptions = {}): Channel {
  const {
    label = 'II',
    unit = 'mV',
    scale = 0.005,
    offset = 0,
    rate = { samples: 250, seconds: 1 },
  } = options;
  return {
    ...identifyChannel(label, unit),
    scale,
    offset,
    isCalibrated: true,
    rate,
    sampleCount: samples.length,
    read(startSample, target) {
      for (let i = 0; i < target.length; i++) target[i] = samples[startSample + i] ?? INVALID_SAMPLE;
    },
  };
}

export function recordingOf(channels: readonly Channel[], rest: Partial<Recording> = {}): Recording {
  const durations = channels.map(({ sampleCount, rate }) => (sampleCount * rate.seconds) / rate.samples);
  return {
    format: 'test',
    channels,
    durationSeconds: Math.max(...durations),
    patient: {},
    annotations: [],
    warnings: [],
    ...rest,
  };
}
