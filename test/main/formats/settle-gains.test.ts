import { expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import { settleGains } from '../../../main/formats/settle-gains.ts';
import {
  INVALID_SAMPLE,
  type Recording,
  readAllSamples,
  readMillivolts,
} from '../../../shared/signal/recording.ts';
import { rangeOf } from '../../../shared/signal/statistics.ts';
import { toRecording, twelveLeads } from '../../support/synthetic-recording.ts';

const ecg = twelveLeads();
const truth = toRecording(ecg);
const codesOf = ({ warnings }: Pick<Recording, 'warnings'>): string[] => warnings.map(({ code }) => code);

/** Each lead with the gain that makes its range one millivolt, as the header of LUDB states it. */
const toOwnRange = (recording: Recording): Recording => ({
  ...recording,
  channels: recording.channels.map((channel) => {
    const samples = Float64Array.from(readAllSamples(channel).filter((raw) => raw !== INVALID_SAMPLE));
    return { ...channel, unit: 'mV', mvPerUnit: 1, scale: 1 / rangeOf(samples, 0, samples.length) };
  }),
});

test('leads that were each scaled to their own range are read in microvolts, which is said', () => {
  const settled = settleGains(toOwnRange(truth));
  expect(settled.warnings[0]).toMatchObject({ code: 'gains_contradict', name: 'gains_contradict' });
  for (const [i, channel] of settled.channels.entries())
    expect(readMillivolts(channel, 0, 500)).toEqual(readMillivolts(truth.channels[i]!, 0, 500));
  const [right, wrong] = [analyse(truth), analyse(toOwnRange(truth))];
  expect(analyse(settled).measurements).toEqual(right.measurements);
  expect(right.measurements.qrsAxisDeg).toBeDefined();
  expect(wrong.measurements.qrsAxisDeg).toBeUndefined();
  expect(codesOf(wrong)).toContain('limb_leads_contradict');
});

test('missing samples say nothing of the size of a step', () => {
  const gappy = toRecording(ecg, (raw) => raw.fill(INVALID_SAMPLE, 100, 110));
  expect(settleGains(toOwnRange(gappy)).warnings[0]?.name).toBe('gains_contradict');
});

test('steps of a size that no heart has in microvolts settle nothing: amplitudes are not measured', () => {
  const settled = settleGains(toOwnRange(toRecording(ecg, undefined, 0.01)));
  expect(settled.warnings[0]?.name).toBe('gains_contradict.unknown_step');
  expect(settled.channels.map(({ isCalibrated }) => isCalibrated)).toEqual(Array(12).fill(false));
});

test.each<[string, Recording]>([
  ['one gain', truth],
  [
    'gains that differ and fit the samples',
    {
      ...truth,
      channels: toRecording(ecg, (raw, lead) => {
        if (lead.includes('AV')) for (let i = 0; i < raw.length; i++) raw[i] = 2 * (raw[i] as number);
      }).channels.map((channel) => (channel.label.startsWith('aV') ? { ...channel, scale: 0.5 } : channel)),
    },
  ],
])('a recording with %s stays as it is', (_what, recording) => {
  expect(settleGains(recording)).toBe(recording);
});

test('leads that fit together neither in millivolts nor in steps keep their scales, and have no axis', () => {
  const exchanged = {
    ...truth,
    channels: truth.channels.map((channel, i) => ({
      ...channel,
      scale: 1 + i / 100,
      lead: truth.channels[(i + 1) % 12]!.lead!,
    })),
  };
  expect(settleGains(exchanged)).toBe(exchanged);
  const result = analyse(exchanged);
  expect(result.measurements.qrsAxisDeg).toBeUndefined();
  expect(codesOf(result)).toContain('limb_leads_contradict');
});
