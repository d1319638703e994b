// Twelve reports of different kinds, from labelled recordings, the simulated patient and the small test data.

import { join } from 'node:path';
import type { Channel, PatientFacts, Recording } from '../../shared/signal/recording.ts';
import { simulatedPatient } from '../support/simulated-patient.ts';
import { toRecording, twelveLeads } from '../support/synthetic-recording.ts';
import { dataFolder, recordingFrom, shelfFolder } from '../support/test-data.ts';

export interface SampleReport {
  readonly name: string;
  readonly origin: string;
  readonly patient: PatientFacts;
  /** Undefined where the recording is not at hand. */
  readonly recording: () => Recording;
}

const WOMAN: PatientFacts = {
  lastName: 'Fernández Ortega',
  firstName: 'Lucía',
  birthDate: '1972-02-09',
  gender: 'FEMALE',
  id: '004 817',
};
const MAN: PatientFacts = {
  lastName: 'Park',
  firstName: 'Min-jun',
  birthDate: '1958-07-27',
  gender: 'MALE',
  id: '007 742',
};
const CHILD: PatientFacts = {
  lastName: 'Kowalska',
  firstName: 'Zofia',
  birthDate: '2020-05-02',
  gender: 'FEMALE',
  id: '009 105',
};

const corpus = (...parts: string[]): Recording => recordingFrom(join(shelfFolder('corpus') ?? '', ...parts));
const annotated = (...parts: string[]): Recording =>
  recordingFrom(join(shelfFolder('annotated') ?? '', ...parts));
const simulated = (rhythm: Parameters<typeof simulatedPatient>[0]['rhythm']): Recording =>
  toRecording(simulatedPatient({ rhythm }));

/** A recording again and again, for a day. */
function day(source: Recording): Recording {
  const channels = source.channels.map((channel): Channel => {
    const once = new Int32Array(channel.sampleCount);
    channel.read(0, once);
    const perSecond = channel.rate.samples / channel.rate.seconds;
    return {
      ...channel,
      sampleCount: 86_400 * perSecond,
      read(startSample, target) {
        for (let done = 0, at = startSample % once.length; done < target.length; at = 0) {
          const piece = once.subarray(at, at + target.length - done);
          target.set(piece, done);
          done += piece.length;
        }
      },
    };
  });
  return { ...source, channels, durationSeconds: 86_400 };
}

export const SAMPLE_REPORTS: readonly SampleReport[] = [
  {
    name: 'normal',
    origin: 'PTB-XL 00003',
    patient: WOMAN,
    recording: () => corpus('ptbxl', '00003_hr.hea'),
  },
  {
    name: 'ST-elevation infarction',
    origin: 'simulated patient, anterior',
    patient: MAN,
    recording: () => simulated('stemi-anterior'),
  },
  {
    name: 'atrial fibrillation',
    origin: 'PTB-XL 00307',
    patient: MAN,
    recording: () => corpus('ptbxl', '00307_hr.hea'),
  },
  {
    name: 'atrial flutter',
    origin: 'CinC 2020 JS13938',
    patient: MAN,
    recording: () => corpus('cinc2020', 'JS13938.hea'),
  },
  {
    name: 'left bundle branch block',
    origin: 'PTB-XL 00286',
    patient: WOMAN,
    recording: () => corpus('ptbxl', '00286_hr.hea'),
  },
  { name: 'paced', origin: 'simulated patient', patient: MAN, recording: () => simulated('paced') },
  {
    name: 'half an hour with 992 ventricular beats',
    origin: 'MIT-BIH 208',
    patient: WOMAN,
    recording: () => annotated('mitdb', '208.hea'),
  },
  {
    name: '24 hours',
    origin: 'MIT-BIH 106 again and again',
    patient: WOMAN,
    recording: () => day(recordingFrom(join(dataFolder, 'wfdb', '106.hea'))),
  },
  {
    name: 'a child of six',
    origin: 'simulated patient',
    patient: CHILD,
    recording: () => toRecording(simulatedPatient({ rhythm: 'sinus', heartRateBpm: 105 })),
  },
  {
    name: 'amplitudes of 6 mV',
    origin: 'synthetic, four times as high',
    patient: MAN,
    recording: () =>
      toRecording(twelveLeads({ durationSeconds: 10 }), (raw) => {
        for (const [i, value] of raw.entries()) raw[i] = 4 * value;
      }),
  },
  {
    name: 'nobody named',
    origin: 'LUDB 1',
    patient: {},
    recording: () => recordingFrom(join(dataFolder, 'wfdb', '1.hea')),
  },
  {
    name: 'one lead of thirty seconds',
    origin: 'CinC 2017 A00009',
    patient: MAN,
    recording: () => corpus('cinc2017', 'A00009.hea'),
  },
];
