// A long analysis that is broken off goes on where it was, and finds the same.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { WALKS, type Waypoints } from '../../../main/analysis/signal/walk.ts';
import type { AnalysisJob } from '../../../main/clinic/ports.ts';
import { openWaypoints } from '../../../main/pool/waypoint-folder.ts';
import { synthesiseEcg } from '../../../main/signal/synthetic/synthetic-ecg.ts';
import { type Channel, INVALID_SAMPLE, type Recording } from '../../../shared/signal/recording.ts';
import { endlessChannel } from '../../support/endless-recording.ts';
import { toRecording } from '../../support/synthetic-recording.ts';

const RATE_HZ = 500;
const SECONDS = 3900;
const once70 = toRecording(
  synthesiseEcg({
    leads: ['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II', 'MDC_ECG_LEAD_V1'],
    sampleRateHz: RATE_HZ,
    durationSeconds: 70,
    noiseUv: 20,
  }),
);

/** More than an hour, with all that a walk has to remember: hum, spikes, gaps, and minutes in which P is hidden. */
const channels = once70.channels.map((channel): Channel => {
  const samples = new Int32Array(channel.sampleCount);
  channel.read(0, samples);
  const endless = endlessChannel(channel, samples, RATE_HZ, SECONDS);
  return {
    ...endless,
    read(start, target) {
      endless.read(start, target);
      for (let i = 0; i < target.length; i++) {
        const at = start + i;
        const second = at / RATE_HZ;
        if (second >= 400 && second < 412) target[i] = INVALID_SAMPLE;
        else if (second < 1300)
          target[i] = (target[i] as number) + Math.round(80 * Math.sin((2 * Math.PI * 50 * at) / RATE_HZ));
        else if (at % 45_007 === 0) target[i] = (target[i] as number) + 2000;
        else if (second >= 2000 && second < 2900)
          target[i] = (target[i] as number) + ((at * 7919) % 400) - 200;
      }
    },
  };
});
const recording: Recording = { ...once70, channels, durationSeconds: SECONDS };
const whole = JSON.stringify(analyse(recording));

class BrokenOff extends Error {}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'isoline-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const job: AnalysisJob = { files: [{ name: 'day.edf', path: '/data/files/ab/cd' }], patient: {} };
const inFolder = (own = job): Waypoints => openWaypoints(folder, own);

/** Goes on from the folder, and is broken off when so much more was laid aside. */
function breakingAfter(places: number): Waypoints {
  const kept = inFolder();
  let left = places;
  return {
    of: kept.of,
    layAside(walk, place) {
      kept.layAside(walk, place);
      if (--left === 0) throw new BrokenOff();
    },
  };
}

const SECTIONS = 13;

describe('an analysis that is broken off again and again', () => {
  test('finds the same as one that is not', () => {
    const sections = 7;
    let breaks = 0;
    let result: string | undefined;
    while (result === undefined)
      try {
        result = JSON.stringify(analyse(recording, { waypoints: breakingAfter(sections) }));
      } catch (error) {
        if (!(error instanceof BrokenOff)) throw error;
        breaks++;
      }
    expect(breaks).toBe(Math.floor((WALKS.length * SECTIONS) / sections));
    expect(result).toBe(whole);
  });

  test('looks at no section again that was laid aside', () => {
    expect(() => analyse(recording, { waypoints: breakingAfter(WALKS.length * SECTIONS) })).toThrow(
      BrokenOff,
    );
    const told: string[] = [];
    analyse(recording, { waypoints: inFolder(), onProgress: (at) => told.push(JSON.stringify(at)) });
    expect(told).toEqual(['{"stage":"beats"}', '{"stage":"measuring"}']);
  });
});

describe('what was laid aside', () => {
  test.each<[string, AnalysisJob]>([
    ['other files', { ...job, files: [{ name: 'day.edf', path: '/data/files/ab/ef' }] }],
    ['corrected beats', { ...job, constraints: { beats: [{ sample: 500, label: 'V' }] } as never }],
    ['another start', { ...job, startMs: 1 }],
  ])('is not taken for %s', (_, other) => {
    inFolder().layAside('scan', { sections: 3, state: [1] });
    expect(inFolder().of('scan')).toEqual({ sections: 3, state: [1] });
    expect(inFolder(other).of('scan')).toBeUndefined();
  });

  test('is not believed where a bit of it differs, or its end is missing', () => {
    inFolder().layAside('scan', { sections: 3, state: new Float64Array(100) });
    const path = join(folder, 'scan');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, -1));
    expect(inFolder().of('scan')).toBeUndefined();
    bytes[60] = (bytes[60] as number) ^ 1;
    writeFileSync(path, bytes);
    expect(inFolder().of('scan')).toBeUndefined();
  });

  test('is readable for its owner alone', () => {
    const inner = join(folder, '7');
    openWaypoints(inner, job).layAside('beats', { sections: 1, state: 0 });
    expect(readdirSync(inner)).toEqual(['beats']);
    expect(statSync(inner).mode & 0o077).toBe(0);
    expect(statSync(join(inner, 'beats')).mode & 0o077).toBe(0);
  });

  test('where nothing can be written, the analysis goes on', () => {
    writeFileSync(join(folder, 'file'), '');
    const waypoints = openWaypoints(join(folder, 'file'), job);
    expect(JSON.stringify(analyse(once70, { waypoints }))).toBe(JSON.stringify(analyse(once70)));
  });
});
