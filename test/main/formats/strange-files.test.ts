// Files that other programs wrote in ways of their own, from the shelf: each is read as what it is, or refused in one sentence.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../main/analysis/analyse.ts';
import type { ReadResult } from '../../../main/formats/format.ts';
import { admit, readRecord } from '../../../main/formats/read-record.ts';
import { ecgChannels } from '../../../main/signal/channels/judge-channels.ts';
import { leadName } from '../../../shared/signal/lead.ts';
import { INVALID_SAMPLE, type Recording, readMillivolts } from '../../../shared/signal/recording.ts';
import { fileOf, projectRoot } from '../../support/test-data.ts';

const folder = join(projectRoot, '..', 'shared', 'field', 'files');
const read = (name: string): ReadResult => {
  const file = fileOf(join(folder, name));
  return admit(readRecord(file, [file]));
};

function recordingOf(name: string): Recording {
  const result = read(name);
  if (!result.ok) throw new Error(`${name}: ${result.message}`);
  return result.recording;
}

const leadsOf = ({ channels }: Recording): string[] =>
  ecgChannels(channels).map(({ label, lead }) => (lead === undefined ? `?${label}` : leadName(lead.code)));
const TWELVE = 'I II III aVR aVL aVF V1 V2 V3 V4 V5 V6';

describe.skipIf(!existsSync(folder))(
  'files of strangers (left out where the shelf is not beside the project)',
  () => {
    test.each([
      ['a01-4sets-10s.xml', 10],
      ['a01d-repbeat-first.xml', 10],
      ['a06d-decl16-utf8.xml', 10],
      ['a06f-comment-long.xml', 10],
      ['a08c-deccomma.xml', 10],
      ['d01-median-first.dcm', 10],
      ['d02-4x2.5s.dcm', 10],
      ['d03-nometa-explicit.dcm', 10],
      ['d03b-nometa-implicit.dcm', 10],
      ['d05-bigendian.dcm', 10],
      ['d07e-unitword.dcm', 10],
      ['d07g-SL32.dcm', 10],
      ['d08b-12of16-masked.dcm', 10],
      ['d12-abp-first.dcm', 10],
      ['e18-bigheader.edf', 10],
      ['e04b-tal-nosign-D.edf', 70],
      ['e04d-comma-D.edf', 70],
      ['e16d-res-Annotations.edf', 70],
      ['e17b-blank.edf', 70],
    ])('%s has twelve leads of %i s', (name, seconds) => {
      const recording = recordingOf(name);
      expect(leadsOf(recording).join(' ')).toBe(TWELVE);
      expect(recording.durationSeconds).toBeCloseTo(seconds, 6);
    });

    test('all of them hold the same ECG, each with the gaps that it has', () => {
      const truth = readMillivolts(recordingOf('d12-abp-first.dcm').channels[1]!, 0, 1250);
      for (const name of [
        'a08c-deccomma.xml',
        'd05-bigendian.dcm',
        'd07g-SL32.dcm',
        'd08b-12of16-masked.dcm',
      ]) {
        const own = readMillivolts(recordingOf(name).channels[1]!, 0, 1250);
        const worst = own.reduce((most, mv, i) => Math.max(most, Math.abs(mv - (truth[i] as number))), 0);
        expect([name, worst < 0.0021]).toEqual([name, true]);
      }
      const pieces = recordingOf('d02-4x2.5s.dcm');
      const chest = pieces.channels.find(({ label }) => label === 'V1')!;
      const samples = new Int32Array(5000);
      chest.read(0, samples);
      expect([...samples].map((sample) => sample !== INVALID_SAMPLE).lastIndexOf(true)).toBe(3749);
      expect([...samples].findIndex((sample) => sample !== INVALID_SAMPLE)).toBe(2500);
      expect(pieces.gaps).toBeUndefined();
      for (const name of ['e04b-tal-nosign-D.edf', 'e16d-res-Annotations.edf'])
        expect(recordingOf(name).gaps).toEqual([{ startSeconds: 5, endSeconds: 65 }]);
    });

    test.each([
      ['e01-psg-c3c4.edf', '?ECG'],
      ['e01d-psg-ref.edf', '?ECG1 ?ECG2'],
      ['e02-channel123.edf', '?Channel 1 ?Channel 2 ?Channel 3'],
      ['e13-ecgABC.edf', '?ECG A ?ECG B ?ECG C'],
      ['e14-cfs-list.edf', '?ECG2 ?ECG1'],
      ['e15a-ecg-thor.edf', '?ECG'],
      ['e15d-chb.edf', '?ECG'],
      ['e15j-batt.edf', '?ECG'],
      ['e15k-marker.edf', '?ECG'],
      ['two-V5V1.edf', '?ECG 1 ?ECG 2'],
      ['i01-total.ecg', 'V1 V5 III'],
    ])('%s: of its channels, %s', (name, leads) => {
      expect(leadsOf(recordingOf(name)).join(' ')).toBe(leads);
    });

    test.each([
      [
        'e05-plain-id.edf',
        { id: 'MRN-4711', gender: 'FEMALE', birthDate: '1951-05-02', lastName: 'Testperson Erika' },
      ],
      ['e05c-plus-2parts.edf', { id: 'MRN-4711', gender: 'FEMALE' }],
      ['a06c-declutf8-latin1.xml', { firstName: 'Jörg', lastName: 'Müller' }],
      ['a01-4sets-10s.xml', { firstName: 'Erika', lastName: 'Testperson' }],
      ['d10c-jp13.dcm', { firstName: 'ﾀﾛｳ', lastName: 'ﾔﾏﾀﾞ' }],
    ])('%s names its patient', (name, patient) => {
      expect(recordingOf(name).patient).toMatchObject(patient);
    });

    test('what is left out or guessed is said, and nothing else', () => {
      const codes = (name: string) => recordingOf(name).warnings.map(({ code }) => code);
      expect(codes('a06c-declutf8-latin1.xml')).toEqual(['letters_guessed']);
      expect(codes('d01-median-first.dcm')).toEqual(['groups_left_out']);
      expect(codes('d12-abp-first.dcm')).toEqual(['groups_left_out']);
      expect(codes('i01-total.ecg')).toEqual([]);
      expect(codes('d02-4x2.5s.dcm')).toEqual(['leads_in_turn']);
      expect(recordingOf('e03-latin1-tal.edf').annotations[0]?.text).toBe('Belastungsende Jäger übel');
    });

    test('leads that were recorded in turn are not called silent', () => {
      const { statements } = analyse(recordingOf('d02-4x2.5s.dcm'));
      expect(statements.map(({ text }) => text)).toEqual([
        'Signal too poor to interpret: each lead was recorded for a part of the time',
      ]);
    });

    test('a file without an ECG is refused', () => {
      expect(read('e15l-eeg-only.edf')).toMatchObject({ ok: false, reason: 'no_ecg_record' });
    });
  },
);
