// A modality worklist: what is asked of it, and its entries as orders (PS3.4, annex K; PS3.3, C.4.10 to C.4.12).

import type { DataSet } from 'dicom-parser';
import { given } from '../../../shared/given.ts';
import type { AskedExamination, OrderFacts } from '../../../shared/order.ts';
import { parseCompactDate } from '../start-time.ts';
import { encodeBare } from './dicom-encoding.ts';
import { toImplicit } from './implicit.ts';
import { itemsOf, parseBare, textOf } from './read-elements.ts';
import { patientOf } from './read-patient.ts';

const MOST_CHARACTERS = 64;
const STEP = 'x00400100';
/** The sequences that an entry without stated types does not announce as such. */
const SEQUENCES = new Set([STEP, 'x00321064', 'x00400008', 'x00081110', 'x00081120']);

export interface WorklistQuestion {
  /** `ECG`; empty for everything. */
  readonly modality: string;
  /** What this station is called there; empty for those of all stations. */
  readonly stationTitle: string;
  /** YYYYMMDD, or a range `YYYYMMDD-YYYYMMDD`. */
  readonly days: string;
}

/** Everything that is to be told of an entry stands there empty. */
export function worklistQuery(
  { modality, stationTitle, days }: WorklistQuestion,
  isImplicit = false,
): Uint8Array {
  const explicit = encodeBare({
    SpecificCharacterSet: 'ISO_IR 192',
    AccessionNumber: '',
    ReferringPhysicianName: '',
    PatientName: '',
    PatientID: '',
    PatientBirthDate: '',
    PatientSex: '',
    PatientSize: '',
    PatientWeight: '',
    StudyInstanceUID: '',
    RequestedProcedureDescription: '',
    ReasonForTheRequestedProcedure: '',
    RequestedProcedureID: '',
    PlacerOrderNumberImagingServiceRequest: '',
    ScheduledProcedureStepSequence: [
      {
        Modality: modality,
        ScheduledStationAETitle: stationTitle,
        ScheduledProcedureStepStartDate: days,
        ScheduledProcedureStepStartTime: '',
        ScheduledProcedureStepDescription: '',
        ScheduledProcedureStepID: '',
      },
    ],
  });
  return isImplicit ? toImplicit(explicit) : explicit;
}

const said = (text: string): string | undefined => (text === '' ? undefined : text.slice(0, MOST_CHARACTERS));

/** One that was cut could be another's: what is longer than DICOM allows is left out. */
const numberOf = (text: string): string | undefined =>
  text === '' || text.length > MOST_CHARACTERS ? undefined : text;

/** `0930` and `093000` as 09:30. */
const timeOf = (text: string): string | undefined => {
  const [, hour, minute] = /^(\d\d)(\d\d)/.exec(text) ?? [];
  return hour === undefined ? undefined : `${hour}:${minute}`;
};

function askedOf(entry: DataSet, step: DataSet | undefined): AskedExamination {
  const studyUid = textOf(entry, 'x0020000d');
  return given({
    accession: numberOf(textOf(entry, 'x00080050')),
    studyUid: /^[0-9.]{1,64}$/.test(studyUid) ? studyUid : undefined,
    procedureId: numberOf(textOf(entry, 'x00401001')),
    stepId: step && numberOf(textOf(step, 'x00400009')),
    stepWords: step && said(textOf(step, 'x00400007')),
    referrer: said(textOf(entry, 'x00080090')),
    wholeName: said(textOf(entry, 'x00100010').split('=')[0] ?? ''),
  });
}

/** Undefined where the entry names no patient, or cannot be read. */
export function readWorklistEntry(bytes: Uint8Array, isImplicit = false): OrderFacts | undefined {
  try {
    const entry = parseBare(bytes, isImplicit, SEQUENCES);
    const [step] = itemsOf(entry, STEP);
    const patient = patientOf(entry);
    if (patient.id === undefined && patient.lastName === undefined) return undefined;
    const examination = (step && said(textOf(step, 'x00400007'))) ?? said(textOf(entry, 'x00321060'));
    const reason = said(textOf(entry, 'x00401002'));
    const asked = askedOf(entry, step);
    return {
      format: 'dicom',
      patient,
      ...given({
        orderNumber: numberOf(textOf(entry, 'x00402016')) ?? asked.accession,
        examination,
        day: step && parseCompactDate(textOf(step, 'x00400002')),
        time: step && timeOf(textOf(step, 'x00400003')),
      }),
      indications: reason === undefined ? [] : [reason],
      asked,
      warnings: [],
    };
  } catch {
    // The library throws, also strings, at whatever it stumbles over.
    return undefined;
  }
}
