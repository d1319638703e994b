// MATLAB files: whichever way their signal, its rate and its leads are written down.

import { describe, expect, test } from 'vitest';
import { admit, readRecord } from '../../../main/formats/read-record.ts';
import { readAllSamples, readMillivolts } from '../../../shared/signal/recording.ts';
import { type MatValue, madeMat } from '../../support/made-mat.ts';
import { bytesFile } from '../../support/test-data.ts';

const read = (variables: Readonly<Record<string, MatValue>>, isCompressed = false) => {
  const file = bytesFile('ecg.mat', madeMat(variables, isCompressed));
  return admit(readRecord(file, [file]));
};
const wave = (scale: number): number[] =>
  Array.from({ length: 600 }, (_, i) => Math.round(scale * Math.sin(i / 20)));
const TWO = [wave(900), wave(400)];
const FS: MatValue = { matrix: [[300]] };
const LEADS: MatValue = { texts: ['II', 'V1'] };

describe('a MATLAB file', () => {
  test.each([
    ['a channel a row', { val: { matrix: TWO, isInt16: true }, fs: FS, leads: LEADS }, false],
    ['compressed', { val: { matrix: TWO }, Fs: FS, labels: LEADS }, true],
    [
      'a channel a column',
      {
        data: { matrix: TWO[0]!.map((_, i) => [TWO[0]![i]!, TWO[1]![i]!]) },
        sampling_rate: FS,
        lead_names: LEADS,
      },
      false,
    ],
    ['in a structure', { ECG: { fields: { data: { matrix: TWO }, fs: FS, leads: LEADS } } }, true],
  ] as const)('%s', (_how, variables, isCompressed) => {
    const result = read(variables, isCompressed);
    if (!result.ok) throw new Error(result.message);
    const { channels, durationSeconds, warnings } = result.recording;
    expect(durationSeconds).toBe(2);
    expect(channels.map(({ label }) => label)).toEqual(['II', 'V1']);
    expect(channels.map((channel) => [...readAllSamples(channel)].map((value) => value + 0))).toEqual(
      TWO.map((samples) => samples.map((value) => value + 0)),
    );
    expect(warnings.map(({ code }) => code)).toEqual(['unit_missing', 'unit_missing']);
  });

  test('with a unit is in millivolts', () => {
    const result = read({
      ecg: { matrix: [wave(900).map((uv) => uv / 3000)] },
      fs: FS,
      unit: { text: 'mV' },
    });
    if (!result.ok) throw new Error(result.message);
    expect(readMillivolts(result.recording.channels[0]!, 31, 1)[0]).toBeCloseTo(wave(900)[31]! / 3000, 6);
  });

  test('without a rate, without a signal, or cut off is refused with a sentence that says so', () => {
    expect(read({ val: { matrix: TWO }, leads: LEADS })).toMatchObject({
      ok: false,
      message: expect.stringContaining('does not tell its sample rate'),
    });
    expect(read({ fs: FS })).toMatchObject({ ok: false, reason: 'no_ecg_record' });
    const whole = madeMat({ val: { matrix: TWO }, fs: FS });
    const cut = bytesFile('cut.mat', whole.subarray(0, 3000));
    expect(readRecord(cut, [cut])).toMatchObject({ ok: false, message: expect.stringContaining('cut off') });
  });

  test('takes the rate and the units of the structure that its signal is in', () => {
    const ecg = { data: { matrix: TWO }, fs: FS, leads: LEADS, units: { texts: ['mV', 'uV'] } };
    const ppg = { data: { matrix: [wave(5).slice(0, 200)] }, fs: { matrix: [[125]] } };
    const result = read({
      filter: { fields: { freq: { matrix: [[50]] } } },
      ppg: { fields: ppg },
      ecg: { fields: ecg },
    });
    if (!result.ok) throw new Error(result.message);
    expect(result.recording.channels.map(({ unit, rate }) => [unit, rate.samples])).toEqual([
      ['mV', 300],
      ['uV', 300],
    ]);
    expect(read({ val: { matrix: TWO }, leads: LEADS, fs: FS, sf: { matrix: [[500]] } })).toMatchObject({
      message: expect.stringContaining('tells several'),
    });
  });

  test('with a text of any length is read', () => {
    const notes = { text: 'a'.repeat(400_000) };
    expect(read({ notes, val: { matrix: TWO }, fs: FS, leads: LEADS }).ok).toBe(true);
  });

  test('of channels without names is asked about, never guessed', () => {
    expect(read({ val: { matrix: TWO }, fs: FS })).toMatchObject({ ok: false, reason: 'no_ecg_record' });
  });
});
