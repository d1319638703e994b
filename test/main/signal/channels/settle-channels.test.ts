// What is said of the channels of a file that was read, on the files of strangers.

import { describe, expect, test } from 'vitest';
import { admit, readRecord } from '../../../../main/formats/read-record.ts';
import { ecgChannels } from '../../../../main/signal/channels/judge-channels.ts';
import { plainEdf } from '../../../support/plain-edf.ts';
import { bytesFile } from '../../../support/test-data.ts';

const read = (labels: readonly string[], unit = 'uV') => {
  const file = bytesFile('strange.edf', plainEdf(labels, unit));
  return admit(readRecord(file, [file]));
};

function warningsOf(labels: readonly string[]): readonly string[] {
  const result = read(labels);
  if (!result.ok) throw new Error(result.message);
  return result.recording.warnings.map(({ code, name, values }) => `${name ?? code} ${values?.labels ?? ''}`);
}

describe('channels of an EDF file', () => {
  test('what is no ECG is left out by name', () => {
    expect(warningsOf(['C3', 'C4', 'O1', 'ECG', 'Thor', 'foo'])).toEqual([
      'channels_left_out.eeg "C3", "C4", "O1"',
      'channels_left_out.respiration "Thor"',
      'channels_left_out.unknown "foo"',
    ]);
  });

  test('numbers are no names of leads: it is said that nobody knows which they are', () => {
    const result = read(['ECG 1', 'ECG 2']);
    if (!result.ok) throw new Error(result.message);
    expect(ecgChannels(result.recording.channels).map(({ label, lead }) => [label, lead])).toEqual([
      ['ECG 1', undefined],
      ['ECG 2', undefined],
    ]);
    expect(result.recording.warnings.map(({ code }) => code)).toEqual(['channels_unnamed']);
    expect(warningsOf(['ECG'])).toEqual([]);
    // Leads of Frank and of the back have names.
    expect(warningsOf(['II', 'V7', 'V8', 'V4R', 'vx', 'vy', 'vz'])).toEqual([]);
  });

  test('a lead that its company shows to be another thing has no name any more', () => {
    const result = read(['C3', 'C4', 'F3', 'ECG']);
    if (!result.ok) throw new Error(result.message);
    expect(result.recording.channels.map(({ lead }) => lead)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a file without an ECG is refused, and the sentence says what it holds', () => {
    expect(read(['C3', 'C4', 'O1', 'O2', 'F3', 'EOG L'])).toMatchObject({
      ok: false,
      reason: 'no_ecg_record',
      message: expect.stringContaining('holds no ECG, but EEG (C3, C4, O1, O2 …), eye movements (EOG L).'),
    });
    expect(read(['II'], 'mmHg')).toMatchObject({
      ok: false,
      message: expect.stringContaining(
        'but channels called ECG that are slow or not in volts (II in "mmHg").',
      ),
    });
  });
});
