// Tables without a sampling rate: not analysed until a person gives the rate.

import { describe, expect, test } from 'vitest';
import { admit, readRecord } from '../../../main/formats/read-record.ts';
import { channelChoice } from '../../../main/host/cli/chosen-channels.ts';
import { type ChannelChoice, faultOfChoice } from '../../../shared/signal/channel-choice.ts';
import { readAllSamples } from '../../../shared/signal/recording.ts';
import { bytesFile } from '../../support/test-data.ts';
import { beatCode } from '../../support/text-device.ts';

const RATE_HZ = 250;
const lines = (line: (i: number) => string, count = 2500): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const read = (text: string, choice?: ChannelChoice) => {
  const file = bytesFile('ecg.csv', Buffer.from(text));
  return admit(readRecord(file, [file], choice));
};
const ecg = (i: number): number => beatCode(i, RATE_HZ);

describe('a table without a rate', () => {
  test.each([
    ['of two columns with names', `ECG,Resp\n${lines((i) => `${ecg(i)},${i % 7}`)}`, 2],
    ['of one number a line', lines((i) => String(ecg(i))), 1],
    ['of one number a line with a decimal comma and a semicolon', lines((i) => `${ecg(i)},5;1`), 2],
    ['with a head', `# my board\nvalue\n${lines((i) => String(ecg(i)))}`, 1],
  ])('%s is asked about', (_name, text, columns) => {
    const result = read(text);
    expect(result).toMatchObject({ ok: false, reason: 'rate_not_stated' });
    const stored = Array.from({ length: columns }, (_, i) => ({
      label: i === 0 && text.startsWith('ECG') ? 'ECG' : `Column ${i + 1}`,
    }));
    expect(stored).toHaveLength(columns);
  });

  test('is read at the rate that a person says, with a warning that says so', () => {
    const text = lines((i) => String(ecg(i)));
    const choice = channelChoice('#1=II 0.5uV 250Hz', [{ label: 'Column 1' }]);
    const result = read(text, choice);
    if (!result.ok) throw new Error(result.message);
    const { durationSeconds, channels, warnings } = result.recording;
    expect(durationSeconds).toBe(10);
    expect(channels[0]).toMatchObject({ rate: { samples: 250, seconds: 1 }, isCalibrated: true });
    expect(channels[0]).not.toHaveProperty('isRateUnknown');
    expect([...readAllSamples(channels[0]!)].slice(0, 300)).toEqual(
      Array.from({ length: 300 }, (_, i) => ecg(i)),
    );
    expect(warnings.map(({ code }) => code)).toContain('channel_rate_chosen');
  });

  test('a choice without a rate, or with two, does not do', () => {
    const offered = ['a', 'b'].map((label) => ({ label, rateHz: 1, isRateUnknown: true }));
    const chosen = (...rates: (number | undefined)[]): ChannelChoice =>
      rates.map((rateHz, i) => ({
        label: offered[i]!.label,
        as: i === 0 ? 'MDC_ECG_LEAD_I' : 'MDC_ECG_LEAD_II',
        ...(rateHz !== undefined && { rateHz }),
      }));
    expect(faultOfChoice(offered, chosen(undefined, undefined))).toEqual({ kind: 'rate' });
    expect(faultOfChoice(offered, chosen(250, undefined))).toEqual({ kind: 'rate' });
    expect(faultOfChoice(offered, chosen(250, 500))).toEqual({ kind: 'rate' });
    expect(faultOfChoice(offered, chosen(250, 250))).toBeUndefined();
  });

  test('a rate that is said of a file that says its own changes nothing', () => {
    const text = `time (s),ECG (mV)\n${lines((i) => `${(i / RATE_HZ).toFixed(3)},${(ecg(i) / 1000).toFixed(3)}`)}`;
    const result = read(text, [{ label: 'ECG', as: 'AS_NAMED', rateHz: 1000 }]);
    if (!result.ok) throw new Error(result.message);
    expect(result.recording).toMatchObject({
      durationSeconds: 10,
      channels: [{ rate: { samples: RATE_HZ, seconds: 1 } }],
    });
  });

  test.each([
    ['words', 'A letter to a patient\nwith a few lines,\nand no numbers.'],
    ['a short list', lines((i) => String(i), 100)],
    ['a list of people', lines((i) => `Miller ${i},F,${40 + (i % 30)}`, 400)],
  ])('%s is none', (_name, text) => {
    expect(read(text)).toMatchObject({ ok: false, reason: 'unsupported_format' });
  });
});
