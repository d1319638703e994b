// Twelve recordings of twelve leads, their channels shuffled and named as twelve makers name them, as EDF and as tables: each lead is
// the one that it is, or has no name and is asked about. None has the name of another.

import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { RHYTHMS } from '../../../main/device/simulator/rhythms.ts';
import { edfBytes } from '../../../main/formats/edf/write-edf.ts';
import type { ReadResult } from '../../../main/formats/format.ts';
import { admit, readRecord } from '../../../main/formats/read-record.ts';
import { judgeChannels } from '../../../main/signal/channels/judge-channels.ts';
import { seededRandom } from '../../../main/signal/synthetic/random.ts';
import { recordSynthetic } from '../../../main/signal/synthetic/synthetic-recording.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { type Channel, type Recording, readMillivolts } from '../../../shared/signal/recording.ts';
import { simulatedPatient } from '../../support/simulated-patient.ts';
import { bytesFile } from '../../support/test-data.ts';

const isChest = (name: string): boolean => name.startsWith('V');

/** How a maker names the lead at a place; what names no place must stay unnamed. */
const MAKERS: readonly (readonly [string, (name: string, place: number) => string, isNamed: boolean])[] = [
  ['plain', (name) => name, true],
  ['small letters', (name) => name.toLowerCase(), true],
  ['with ECG', (name) => `ECG ${name}`, true],
  ['with EKG and a line', (name) => `EKG_${name.toUpperCase()}`, true],
  ['as Lead', (name) => `Lead ${name}`, true],
  ['of a filter', (name) => `${name} (filt)`, true],
  ['with units', (name) => `${name} [mV]`, true],
  ['with a reference', (name) => (isChest(name) ? `${name}-REF` : name), true],
  ['IEC letters of the chest', (name) => name.replace(/^V/, 'C'), true],
  ['numbers alone', (_name, place) => `${place + 1}`, false],
  ['channels', (_name, place) => `Channel ${place + 1}`, false],
  ['ECG and a number', (_name, place) => `ECG${place + 1}`, false],
];

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seededRandom(seed);
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** Leads with their own names, in another order. */
function made(i: number): Recording {
  const patient = simulatedPatient({ rhythm: RHYTHMS[i] ?? 'sinus', rateHz: 250, seed: 40 + i });
  const recording = recordSynthetic(patient, {
    resolutionUv: 1,
    startTimeMs: Date.UTC(2026, 2, 1),
    patient: {},
  });
  return { ...recording, channels: shuffled(recording.channels, i) };
}

const LABELS_AT = 256;
const LABEL_BYTES = 16;

/** Labels are written over: a writer would give leads names of its own. */
function asEdf(recording: Recording, labels: readonly string[]): Uint8Array {
  const bytes = Buffer.concat([...edfBytes(recording)]);
  for (const [i, label] of labels.entries())
    bytes.write(label.padEnd(LABEL_BYTES), LABELS_AT + LABEL_BYTES * i, 'latin1');
  return bytes;
}

const valuesOf = (channel: Channel): number[] =>
  [...readMillivolts(channel, 0, 2500)].map((mv) => Math.round(100 * mv));

function asTable({ channels }: Recording, labels: readonly string[]): Uint8Array {
  const columns = channels.map((channel) => readMillivolts(channel, 0, 2500));
  const lines = Array.from({ length: 2500 }, (_, i) =>
    [(i / 250).toFixed(3), ...columns.map((column) => (column[i] as number).toFixed(4))].join(','),
  );
  return Buffer.from(
    `${['time (s)', ...labels.map((label) => `"${label}"`)].join(',')}\n${lines.join('\n')}\n`,
  );
}

function reread(name: string, bytes: Uint8Array): ReadResult {
  const file = bytesFile(name, bytes);
  return admit(readRecord(file, [file]));
}

describe.each(MAKERS.map((maker, i) => [i, ...maker] as const))('%i: %s', (i, _maker, rename, isNamed) => {
  const truth = made(i);
  const labels = truth.channels.map(({ label }, place) => rename(label, place));
  test.each([
    ['EDF', () => reread('x.edf', asEdf(truth, labels))],
    ['a table', () => reread('x.csv', asTable(truth, labels))],
  ])('%s', (_format, again) => {
    const result = again();
    if (!result.ok) {
      // An import asks which of its channels are an ECG.
      expect([isNamed, result.reason]).toEqual([false, 'no_ecg_record']);
      return;
    }
    const { recording } = result;
    expect(recording.channels).toHaveLength(12);
    const verdicts = judgeChannels(recording.channels);
    expect(verdicts.every(({ isUsed }) => isUsed)).toBe(true);
    const named = verdicts.map(({ lead }) => (lead === undefined ? '' : leadName(lead.code)));
    expect(named.filter((name) => name !== '').length).toBe(isNamed ? 12 : 0);
    for (const [place, name] of named.entries()) {
      if (name === '') continue;
      const same = truth.channels.find(({ label }) => label === name)!;
      expect([name, valuesOf(recording.channels[place]!)]).toEqual([name, valuesOf(same)]);
    }
    if (isNamed) return;
    expect(recording.warnings.map(({ code }) => code)).toContain('channels_unnamed');
    // Nothing that needs a place is said of them.
    const { statements } = analyse(recording);
    expect(
      statements
        .map(({ code }) => code)
        .filter((code) => /axis|infarct|fascicular|bundle|hypertrophy|electrode/i.test(code)),
    ).toEqual([]);
  });
});
