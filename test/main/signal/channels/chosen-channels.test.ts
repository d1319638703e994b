// A person says which channels are ECG: what is read then, and what is said of it.

import { describe, expect, test } from 'vitest';
import { analyse } from '../../../../main/analysis/analyse.ts';
import { admit, readRecord } from '../../../../main/formats/read-record.ts';
import { ecgChannels } from '../../../../main/signal/channels/judge-channels.ts';
import {
  AS_NAMED,
  type ChannelChoice,
  faultOfChoice,
  NO_PLACE,
} from '../../../../shared/signal/channel-choice.ts';
import { withDerivedLeads } from '../../../../shared/signal/derived-leads.ts';
import { readMillivolts } from '../../../../shared/signal/recording.ts';
import { plainEdf } from '../../../support/plain-edf.ts';
import { type StrangeChannel, strangeEdf } from '../../../support/strange-channels.ts';
import { bytesFile } from '../../../support/test-data.ts';
import { write } from '../../../support/written-records.ts';

const read = (bytes: Uint8Array, choice?: ChannelChoice) => {
  const file = bytesFile('strange.edf', bytes);
  const result = readRecord(file, [file], choice);
  if (!result.ok) throw new Error(result.message);
  return result.recording;
};

const SLEEP: readonly StrangeChannel[] = [
  { label: 'C3', is: 'V3' },
  { label: 'EKG1', is: 'I' },
  { label: 'EKG2', is: 'II', isTurned: true },
  { label: 'Chin', is: 'V5' },
];
const CHOICE: ChannelChoice = [
  { label: 'C3' },
  { label: 'EKG1', as: 'MDC_ECG_LEAD_I' },
  { label: 'EKG2', as: 'MDC_ECG_LEAD_II', isTurned: true },
  { label: 'Chin' },
];

describe('channels that a person has chosen', () => {
  test('are the leads that they were named, turned over where that was said, and alone', () => {
    const chosen = read(strangeEdf(SLEEP), CHOICE);
    expect(chosen.channels.map(({ label, lead }) => [label, lead?.code])).toEqual([
      ['I', 'MDC_ECG_LEAD_I'],
      ['II', 'MDC_ECG_LEAD_II'],
    ]);
    const upright = read(strangeEdf([{ label: 'II', is: 'II' }]));
    const [expected, found] = [upright.channels[0]!, chosen.channels[1]!].map((channel) =>
      readMillivolts(channel, 0, 2000),
    );
    for (const [i, value] of expected!.entries()) expect(found![i]).toBeCloseTo(value, 2);
    expect(chosen.warnings.slice(-3).map(({ message }) => message)).toEqual([
      'The channels were chosen by a person: EKG1 = I, EKG2 = II.',
      'Turned over by a person: EKG2 = II.',
      'Left out by a person: C3, Chin.',
    ]);
  });

  test('count whatever their labels say, also muscle and brain', () => {
    const choice = SLEEP.map(({ label }) =>
      label === 'Chin' ? { label, as: 'MDC_ECG_LEAD_V5' as const } : { label },
    );
    expect(ecgChannels(read(strangeEdf(SLEEP), choice).channels).map(({ label }) => label)).toEqual(['V5']);
  });

  test('are analysed, and limb leads that follow from them are shown beside them', () => {
    const chosen = read(strangeEdf(SLEEP), CHOICE);
    expect(ecgChannels(withDerivedLeads(chosen).channels).map(({ label }) => label)).toEqual([
      'I',
      'II',
      'III',
      'aVR',
      'aVL',
      'aVF',
    ]);
    const { recording, beats } = analyse(chosen, { patient: {}, createdMs: 0 });
    expect([...recording.leads]).toEqual(['MDC_ECG_LEAD_I', 'MDC_ECG_LEAD_II']);
    expect(beats.length).toBeGreaterThan(8);
  });

  test('go by the chosen names into a file for others, and are read there as that', () => {
    const written = write(read(strangeEdf(SLEEP), CHOICE), 'edf', 'chosen.edf');
    const again = readRecord(written.files[0]!, written.files);
    if (!again.ok) throw new Error(again.message);
    expect(ecgChannels(again.recording.channels).map(({ lead }) => lead?.code)).toEqual([
      'MDC_ECG_LEAD_I',
      'MDC_ECG_LEAD_II',
    ]);
    const unplaced: ChannelChoice = SLEEP.map(({ label }) =>
      label === 'Chin' ? { label, as: NO_PLACE } : { label },
    );
    const [file, ...more] = write(read(strangeEdf(SLEEP), unplaced), 'edf', 'chosen.edf').files;
    const muscle = readRecord(file!, [file!, ...more]);
    if (!muscle.ok) throw new Error(muscle.message);
    expect(ecgChannels(muscle.recording.channels).map(({ label }) => label)).toEqual(['ECG 4']);
  });

  test('get the scale that was said; without any, nothing is measured in millivolts', () => {
    const bytes = plainEdf(['Raw'], 'adu');
    const [scaled] = read(bytes, [{ label: 'Raw', as: NO_PLACE, uvPerUnit: 0.5 }]).channels;
    // The file writes 900, in steps of 0.1.
    expect(scaled).toMatchObject({ isCalibrated: true, unit: 'uV' });
    expect(readMillivolts(scaled!, 0, 1)[0]).toBeCloseTo(900 * 0.0005, 3);
    const [raw] = read(bytes, [{ label: 'Raw', as: NO_PLACE }]).channels;
    expect(raw?.isCalibrated).toBe(false);
  });

  test('keep a place that has no code, and lose a label that is a word for something else', () => {
    const bytes = strangeEdf([
      { label: 'II', is: 'II' },
      { label: 'V7', is: 'V6' },
      { label: 'CH A', is: 'V1' },
    ]);
    const all = ['II', 'V7', 'CH A'].map((label) => ({ label, as: AS_NAMED }) as const);
    expect(read(bytes, all).channels.map(({ label }) => label)).toEqual(['II', 'V7', 'ECG 3']);
  });

  test('without a scale are written so that they are read again, and not measured', () => {
    const chosen = read(plainEdf(['Raw'], 'adu'), [{ label: 'Raw', as: 'MDC_ECG_LEAD_II' }]);
    const written = write(chosen, 'edf', 'chosen.edf');
    const again = admit(readRecord(written.files[0]!, written.files));
    if (!again.ok) throw new Error(again.message);
    expect(ecgChannels(again.recording.channels)).toMatchObject([{ isCalibrated: false }]);
  });

  test('a choice for other channels changes nothing, and that is said', () => {
    const recording = read(strangeEdf(SLEEP), [{ label: 'ECG', as: AS_NAMED }]);
    expect(recording.channels).toHaveLength(4);
    expect(recording.warnings.map(({ code }) => code)).toContain('channel_choice_unfit');
  });
});

describe('a choice cannot be used', () => {
  const OFFERED = [
    { label: 'II', rateHz: 250, lead: 'MDC_ECG_LEAD_II' as const },
    { label: 'EKG2', rateHz: 250 },
    { label: 'Pleth', rateHz: 10 },
  ];
  const fault = (...as: (ChannelChoice[number]['as'] | undefined)[]) =>
    faultOfChoice(
      OFFERED,
      OFFERED.map(({ label }, i) => ({ label, ...(as[i] !== undefined && { as: as[i] }) })),
    );

  test.each([
    ['without any channel', [], { kind: 'none' }],
    ['with a slow one', [AS_NAMED, undefined, NO_PLACE], { kind: 'slow', name: 'Pleth' }],
    ['with a lead twice', [AS_NAMED, 'MDC_ECG_LEAD_II'], { kind: 'twice', name: 'II' }],
    ['and otherwise it can', [AS_NAMED, NO_PLACE], undefined],
  ] as const)('%s', (_title, as, expected) => {
    expect(fault(...as)).toEqual(expected);
  });
});
