// `--channels`: what is understood, and what is refused with a sentence that helps.

import { describe, expect, test } from 'vitest';
import { channelChoice } from '../../../../main/host/cli/chosen-channels.ts';

const CHANNELS = [
  { label: 'EKG1 ' },
  { label: 'EKG2' },
  { label: 'ECG V=5' },
  { label: 'Chin' },
  { label: 'Chin' },
];

describe('--channels', () => {
  test('names channels by their label or their place, and leaves the others out', () => {
    expect(channelChoice('EKG1=II; EKG2 = ecg turned 0.5uV ; ECG V=5=v5; #4=no', CHANNELS)).toEqual([
      { label: 'EKG1 ', as: 'MDC_ECG_LEAD_II' },
      { label: 'EKG2', as: 'ECG', isTurned: true, uvPerUnit: 0.5 },
      { label: 'ECG V=5', as: 'MDC_ECG_LEAD_V5' },
      { label: 'Chin' },
      { label: 'Chin' },
    ]);
    expect(channelChoice('EKG2', CHANNELS)[1]).toEqual({ label: 'EKG2', as: 'AS_NAMED' });
  });

  test.each([
    ['EKG3=II', 'there is no channel "EKG3", but "EKG1", "EKG2"'],
    ['Chin=II', '"Chin" is there 2 times. Name it by its place, as #4.'],
    ['EKG1=W2', '"W2" is no lead.'],
    ['EKG1=II upside', '"upside" is not understood.'],
    ['EKG1=II 0uV', '"0uV" is not understood.'],
    ['#9=II', 'there is no channel "#9"'],
    [' ; ', 'name at least one channel'],
  ])('%s', (text, sentence) => {
    expect(() => channelChoice(text, CHANNELS)).toThrow(sentence);
  });
});
