// `npm run bench:formats`: time and memory of reading EDF, WFDB and SCP, beside biosig in the same run, and
// of a recording of a day with twelve leads (1 GB). Ratios: ours divided by biosig's, so that below 1 is
// faster or smaller.

import { spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import { WRITERS } from '../../main/formats/writers.ts';
import { synthesiseEcg } from '../../main/signal/synthetic/synthetic-ecg.ts';
import { recordSynthetic } from '../../main/signal/synthetic/synthetic-recording.ts';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { type Recording, readAllSamples } from '../../shared/signal/recording.ts';
import { buildReader } from '../support/independent.ts';
import { projectRoot, shelfFolder } from '../support/test-data.ts';
import { printMachine } from './harness.ts';
import type { FileReading } from './read-file.ts';

const ROUNDS = 7;
const SAMPLE_RATE_HZ = 500;
const MEMORY_TARGET_BYTES = 300 * 2 ** 20;

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const rounded = (value: number): number => Math.round(value * 100) / 100;
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** A minute of heart beats, over and over: what it costs to read does not depend on what it shows. */
function longRecording(seconds: number, leads: number, resolutionUv: number): Recording {
  const ecg = synthesiseEcg({
    leads: STANDARD_LEADS.slice(0, leads),
    sampleRateHz: SAMPLE_RATE_HZ,
    durationSeconds: 60,
    noiseUv: 15,
  });
  const minute = recordSynthetic(ecg, { resolutionUv, startTimeMs: Date.UTC(2026, 10, 21), patient: {} });
  const channels = minute.channels.map((channel) => {
    const samples = readAllSamples(channel);
    return {
      ...channel,
      sampleCount: seconds * SAMPLE_RATE_HZ,
      read(start: number, target: Int32Array) {
        for (let i = 0; i < target.length; i++) target[i] = samples[(start + i) % samples.length]!;
      },
    };
  });
  return { ...minute, channels, durationSeconds: seconds };
}

async function save(recording: Recording, format: string, folder: string, fileName: string): Promise<string> {
  const writer = WRITERS.find(({ name }) => name === format)!;
  const streams = new Map<string, ReturnType<typeof createWriteStream>>();
  for (const { fileName: name, bytes } of writer.write(recording, fileName)) {
    const stream = streams.get(name) ?? createWriteStream(join(folder, name));
    streams.set(name, stream);
    if (!stream.write(bytes)) await new Promise<void>((resolve) => stream.once('drain', () => resolve()));
  }
  for (const stream of streams.values()) {
    stream.end();
    await finished(stream);
  }
  return join(folder, fileName);
}

function readOurs(path: string, rounds: number): FileReading {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(projectRoot, 'test/bench/read-file.ts'), path, String(rounds)],
    {
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as FileReading;
}

function readTheirs(program: string, path: string): FileReading {
  const runs = Array.from(
    { length: ROUNDS },
    () =>
      JSON.parse(
        spawnSync(program, [path, 'time'], { encoding: 'utf8', timeout: 60_000 }).stdout,
      ) as FileReading,
  );
  return {
    ms: median(runs.map(({ ms }) => ms)),
    samples: runs[0]!.samples,
    peakBytes: Math.max(...runs.map(({ peakBytes }) => peakBytes)),
  };
}

function compareReading(name: string, path: string, bytes: number, program: string | undefined): void {
  const ours = readOurs(path, ROUNDS + 1);
  const theirs = program === undefined ? undefined : readTheirs(program, path);
  print({
    reading: name,
    megabytes: rounded(bytes / 1e6),
    ours: {
      ms: rounded(ours.ms),
      mbPerSecond: rounded(bytes / 1e3 / ours.ms),
      peakMb: rounded(ours.peakBytes / 2 ** 20),
    },
    ...(theirs === undefined
      ? { biosig: 'left out: not installed' }
      : {
          biosig: {
            ms: rounded(theirs.ms),
            mbPerSecond: rounded(bytes / 1e3 / theirs.ms),
            peakMb: rounded(theirs.peakBytes / 2 ** 20),
          },
          timeRatio: rounded(ours.ms / theirs.ms),
          memoryRatio: rounded(ours.peakBytes / theirs.peakBytes),
        }),
  });
}

printMachine();
const biosig = buildReader('read-biosig', 'biosig');
const folder = mkdtempSync(join(tmpdir(), 'isoline-formats-'));
try {
  const hour = await save(longRecording(3600, 12, 1), 'edf', folder, 'hour.edf');
  compareReading('EDF+, 12 leads, 500 Hz, 1 h', hour, statSync(hour).size, biosig);
  const wfdb = await save(longRecording(3600, 3, 2.5), 'wfdb', folder, 'hour.hea');
  compareReading('WFDB 212, 3 leads, 500 Hz, 1 h', wfdb, statSync(wfdb.replace(/hea$/, 'dat')).size, biosig);
  const shelf = shelfFolder('formats/scp');
  if (shelf === undefined) print({ reading: 'SCP-ECG', leftOut: 'the shelf is not here' });
  else
    compareReading(
      `SCP-ECG, ${basename('Example.scp')}`,
      join(shelf, 'Example.scp'),
      statSync(join(shelf, 'Example.scp')).size,
      biosig,
    );
  const day = await save(longRecording(86_400, 12, 1), 'edf', folder, 'day.edf');
  const reading = readOurs(day, 1);
  const bytes = statSync(day).size;
  print({
    reading: 'EDF+, 12 leads, 500 Hz, 24 h, in blocks',
    megabytes: rounded(bytes / 1e6),
    ms: rounded(reading.ms),
    mbPerSecond: rounded(bytes / 1e3 / reading.ms),
    peakMb: rounded(reading.peakBytes / 2 ** 20),
    isWithinTarget: reading.peakBytes < MEMORY_TARGET_BYTES,
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
