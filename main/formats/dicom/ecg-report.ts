// The reading of an ECG as a structured report (PS3.16, TID 3700 and those that it includes): who read it, its numbers over all
// leads and on each, its findings. The object beside the waveform, and another one for each reading.

import type { Measurements } from '../../../shared/analysis-result.ts';
import type { AskedExamination } from '../../../shared/order.ts';
import { isAsNamed, STANDARD_LEADS } from '../../../shared/signal/lead.ts';
import type { Recording, StartTime } from '../../../shared/signal/recording.ts';
import type { ReadEcg } from '../../ground/read-ecg.ts';
import type { Deviations } from '../deviations.ts';
import { scpLeadId, scpLeadName } from '../scp/scp-lead-names.ts';
import {
  coded,
  type Dataset,
  dateTimeOf,
  decimal,
  inZoneOf,
  type Names,
  patientModule,
  plainName,
  plainValue,
  simulatedWords,
  studyModule,
  timesOf,
} from './dicom-dataset.ts';
import { ENHANCED_SR } from './dicom-uids.ts';

type LeadNumbers = NonNullable<Measurements['leads']>[string];
type StNumbers = NonNullable<Measurements['st']>[string];

type Concept = readonly [value: string, scheme: string, meaning: string];
const concept = (code: Concept): readonly Dataset[] => [coded(...code)];

const MS: Concept = ['ms', 'UCUM', 'millisecond'];
const MV: Concept = ['mV', 'UCUM', 'millivolt'];
const DEG: Concept = ['deg', 'UCUM', 'Degree'];
const BPM: Concept = ['{H.B.}/min', 'UCUM', 'beats per minute'];
const FAILED: Concept = ['114006', 'DCM', 'Measurement failure'];
const FRIDERICIA: Concept = ['122732', 'DCM', 'Fridericia QTc Algorithm'];
const FINDING: Concept = ['271921002', 'SCT', 'ECG Finding'];
const SUMMARY: Concept = ['55112-7', 'LN', 'Summary'];

type Relation = 'CONTAINS' | 'HAS CONCEPT MOD' | 'HAS OBS CONTEXT' | 'HAS PROPERTIES';

const item = (relation: Relation, type: string, name: Concept, value: Dataset): Dataset => ({
  RelationshipType: relation,
  ValueType: type,
  ConceptNameCodeSequence: concept(name),
  ...value,
});
const code = (relation: Relation, name: Concept, value: Concept): Dataset =>
  item(relation, 'CODE', name, { ConceptCodeSequence: concept(value) });
const text = (name: Concept, value: string): Dataset => item('CONTAINS', 'TEXT', name, { TextValue: value });

/** @param template of the items in it */
const container = (name: Concept, items: readonly Dataset[], template?: string): Dataset =>
  item('CONTAINS', 'CONTAINER', name, {
    ContinuityOfContent: 'SEPARATE',
    ...(template !== undefined && {
      ContentTemplateSequence: [{ MappingResource: 'DCMR', TemplateIdentifier: template }],
    }),
    ContentSequence: items,
  });

/** The template demands it: where it could not be measured, that is said. */
const number = (name: Concept, value: number | undefined, unit: Concept, about: readonly Dataset[] = []) =>
  item('CONTAINS', 'NUM', name, {
    MeasuredValueSequence:
      value === undefined
        ? []
        : [{ NumericValue: decimal(value), MeasurementUnitsCodeSequence: concept(unit) }],
    ...(value === undefined && { NumericValueQualifierCodeSequence: concept(FAILED) }),
    ...(about.length > 0 && { ContentSequence: about }),
  });

/** Left out where it was not measured. */
const known = (
  name: Concept,
  value: number | undefined,
  unit: Concept,
  about?: readonly Dataset[],
): Dataset[] => (value === undefined ? [] : [number(name, value, unit, about)]);

/** TID 3713. */
function globalNumbers(measured: Measurements): Dataset {
  const { heartRateBpm, rrMs, prMs, qrsMs, qtMs, qtcFridericiaMs, pMs } = measured;
  return container(
    ['122158', 'DCM', 'ECG Global Measurements'],
    [
      number(['2:16016', 'MDC', 'Ventricular Heart Rate'], heartRateBpm, BPM),
      number(['2:16160', 'MDC', 'QT interval global'], qtMs, MS),
      number(['2:15872', 'MDC', 'PR interval global'], prMs, MS),
      number(['2:16156', 'MDC', 'QRS duration global'], qrsMs, MS),
      number(['2:16168', 'MDC', 'RR interval global'], rrMs, MS),
      ...known(['2:15876', 'MDC', 'QTc interval global'], qtcFridericiaMs, MS, [
        code('HAS PROPERTIES', ['111001', 'DCM', 'Algorithm Name'], FRIDERICIA),
      ]),
      ...known(['2:16184', 'MDC', 'P duration, global'], pMs, MS),
      ...known(['2:16128', 'MDC', 'P Axis'], measured.pAxisDeg, DEG),
      ...known(['2:16132', 'MDC', 'QRS axis'], measured.qrsAxisDeg, DEG),
      ...known(['2:16136', 'MDC', 'T axis'], measured.tAxisDeg, DEG),
    ],
    '3713',
  );
}

/**
 * Q, R and S in the order in which they are named, each a notch or not: a second R, and what follows it, has no code that all
 * understand.
 */
function deflections({ qrs }: LeadNumbers): { q?: number; r?: number; s?: number } {
  const peaks = qrs.map(({ peakMv }) => peakMv);
  const first = peaks.findIndex((mv) => mv > 0);
  if (first < 0) return {};
  const behind = peaks.slice(first);
  const fall = behind.findIndex((mv) => mv < 0);
  const r = Math.max(...behind.slice(0, fall < 0 ? undefined : fall));
  const q = Math.min(...peaks.slice(0, first), 0);
  if (fall < 0) return { r, ...(q < 0 && { q }) };
  const rise = behind.findIndex((mv, i) => i > fall && mv > 0);
  const s = Math.min(...behind.slice(fall, rise < 0 ? undefined : rise));
  return { r, s, ...(q < 0 && { q }) };
}

function numbersOfLead(lead: LeadNumbers | undefined, st: StNumbers | undefined): Dataset[] {
  const { q, r, s } = lead === undefined ? {} : deflections(lead);
  const each = (name: Concept, mv: number | undefined): Dataset[] => known(name, mv, MV);
  return [
    ...each(['2:1280', 'MDC', 'P maximum amplitude, per lead'], lead?.pMaxMv),
    ...each(['2:1536', 'MDC', 'P minimum amplitude, per lead'], lead?.pMinMv),
    ...each(['2:1792', 'MDC', 'Q amplitude, per lead'], q),
    ...each(['2:2048', 'MDC', 'R amplitude, per lead'], r),
    ...each(['2:2304', 'MDC', 'S amplitude, per lead'], s),
    ...each(['2:1024', 'MDC', 'J point Amplitude, per lead'], st?.jMv),
    ...each(['2:14336', 'MDC', 'Amplitude at 60 ms into ST segment, per lead'], st?.j60Mv),
    ...each(['2:14592', 'MDC', 'Amplitude at 80 ms into ST segment, per lead'], st?.j80Mv),
    ...each(['2:2560', 'MDC', 'T maximum amplitude, per lead'], lead?.tMaxMv),
    ...each(['2:2816', 'MDC', 'T minimum amplitude, per lead'], lead?.tMinMv),
  ];
}

/** TID 3714, of leads that are connected as they are called. */
function leadNumbers(
  { channels }: Pick<Recording, 'channels'>,
  { leads = {}, st = {} }: Measurements,
): Dataset[] {
  return channels.flatMap(({ lead }) => {
    const id = isAsNamed(lead) ? scpLeadId(lead) : undefined;
    if (lead === undefined || id === undefined) return [];
    const numbers = numbersOfLead(leads[lead.code], st[lead.code]);
    if (numbers.length === 0) return [];
    const which = code(
      'HAS CONCEPT MOD',
      ['122148', 'DCM', 'Lead ID'],
      [`2:${id}`, 'MDC', `Lead ${scpLeadName(id)}`],
    );
    return [container(['122159', 'DCM', 'ECG Lead Measurements'], [which, ...numbers], '3714')];
  });
}

/** TID 1002: the program, and whoever approved what it found. */
function observers({ by, analysisVersion }: ReadEcg): Dataset[] {
  const type = (value: Concept): Dataset =>
    code('HAS OBS CONTEXT', ['121005', 'DCM', 'Observer Type'], value);
  const device = (name: Concept, value: string): Dataset =>
    item('HAS OBS CONTEXT', 'TEXT', name, { TextValue: value });
  const person = item('HAS OBS CONTEXT', 'PNAME', ['121008', 'DCM', 'Person Observer Name'], {
    PersonName: plainName(by),
  });
  return [
    ...(by === '' ? [] : [type(['121006', 'DCM', 'Person']), person]),
    type(['121007', 'DCM', 'Device']),
    device(['121013', 'DCM', 'Device Observer Name'], 'Isoline'),
    device(['121015', 'DCM', 'Device Observer Model Name'], `Isoline, analysis ${analysisVersion}`),
  ];
}

interface Source {
  readonly object: string;
  readonly names: Names;
}

const referenceTo = ({ object, names }: Source): Dataset => ({
  ReferencedSOPClassUID: object,
  ReferencedSOPInstanceUID: names.SOPInstanceUID,
});

/** TID 3700. */
function contentOf(
  recording: Pick<Recording, 'channels'>,
  startTime: StartTime,
  read: ReadEcg,
  source: Source,
): Dataset[] {
  const { measurements, remarks, indications } = read;
  const leads = recording.channels.flatMap(({ lead }) => (isAsNamed(lead) ? [lead.code] : []));
  const procedure: Concept = STANDARD_LEADS.every((lead) => leads.includes(lead))
    ? ['268400002', 'SCT', '12-Lead ECG']
    : ['29303009', 'SCT', 'Electrocardiographic procedure'];
  return [
    code('HAS CONCEPT MOD', ['121058', 'DCM', 'Procedure reported'], procedure),
    ...observers(read),
    ...(indications.length === 0
      ? []
      : [
          container(
            ['18785-6', 'LN', 'Indications for Procedure'],
            indications.map((each) => text(['121071', 'DCM', 'Finding'], each)),
          ),
        ]),
    container(
      ['55111-9', 'LN', 'Current Procedure Descriptions'],
      [
        item('CONTAINS', 'DATETIME', ['122146', 'DCM', 'Procedure DateTime'], {
          DateTime: dateTimeOf(startTime.utcMs),
        }),
        item('CONTAINS', 'WAVEFORM', ['121112', 'DCM', 'Source of Measurement'], {
          ReferencedSOPSequence: [referenceTo(source)],
        }),
      ],
      '3708',
    ),
    container(
      ['122144', 'DCM', 'Quantitative Analysis'],
      [globalNumbers(measurements), ...leadNumbers(recording, measurements)],
    ),
    ...(remarks.length === 0
      ? []
      : [
          container(
            ['122145', 'DCM', 'Qualitative Analysis'],
            remarks.map((remark) => text(FINDING, remark)),
            '3717',
          ),
          container(SUMMARY, [text(SUMMARY, remarks.join('\n'))], '3719'),
        ]),
  ];
}

/** Who says that it is right; what no physician has read is not verified. */
function verification({ by, organization, madeMs }: ReadEcg, startTime: StartTime): Dataset {
  if (by === '') return { VerificationFlag: 'UNVERIFIED', PreliminaryFlag: 'PRELIMINARY' };
  return {
    VerificationFlag: 'VERIFIED',
    PreliminaryFlag: 'FINAL',
    VerifyingObserverSequence: [
      {
        VerifyingObserverName: plainName(by),
        VerifyingObserverIdentificationCodeSequence: [],
        VerifyingOrganization: plainValue(organization),
        VerificationDateTime: dateTimeOf(inZoneOf(startTime, madeMs)),
      },
    ],
  };
}

/** The study as it was asked for, and the request that the report answers. */
function requestedBy(asked: AskedExamination | undefined, { StudyInstanceUID }: Names): Dataset {
  const { RequestAttributesSequence: step, ...study } = studyModule(asked);
  if (step === undefined && study.AccessionNumber === '') return study;
  const request = {
    StudyInstanceUID,
    ReferencedStudySequence: [],
    AccessionNumber: study.AccessionNumber,
    PlacerOrderNumberImagingServiceRequest: '',
    FillerOrderNumberImagingServiceRequest: '',
    RequestedProcedureID: study.StudyID,
    RequestedProcedureDescription: '',
    RequestedProcedureCodeSequence: [],
  };
  return { ...study, ReferencedRequestSequence: [request] };
}

/** The dataset of an enhanced structured report (PS3.3, A.35.2). */
export function ecgReportDataset(
  recording: Pick<Recording, 'channels' | 'patient' | 'device'>,
  startTime: StartTime,
  read: ReadEcg,
  {
    names,
    source,
    deviations,
    asked,
  }: {
    readonly names: Names;
    /** The waveform that it is about. */
    readonly source: Source;
    readonly deviations: Deviations;
    readonly asked: AskedExamination | undefined;
  },
): Dataset {
  const { AcquisitionDateTime: _, ...times } = timesOf(startTime, inZoneOf(startTime, read.madeMs));
  const evidence = {
    StudyInstanceUID: source.names.StudyInstanceUID,
    ReferencedSeriesSequence: [
      { SeriesInstanceUID: source.names.SeriesInstanceUID, ReferencedSOPSequence: [referenceTo(source)] },
    ],
  };
  return {
    SpecificCharacterSet: 'ISO_IR 192',
    SOPClassUID: ENHANCED_SR,
    ...names,
    ...times,
    ...patientModule(recording.patient, deviations, asked),
    ...requestedBy(asked, names),
    ...simulatedWords(recording.device),
    Modality: 'SR',
    SeriesNumber: 3,
    InstanceNumber: 1,
    Manufacturer: 'Isoline',
    ReferencedPerformedProcedureStepSequence: [],
    PerformedProcedureCodeSequence: [],
    CompletionFlag: 'COMPLETE',
    ...verification(read, startTime),
    CurrentRequestedProcedureEvidenceSequence: [evidence],
    ValueType: 'CONTAINER',
    ConceptNameCodeSequence: concept(['28010-7', 'LN', 'ECG Report']),
    ContinuityOfContent: 'SEPARATE',
    ContentTemplateSequence: [{ MappingResource: 'DCMR', TemplateIdentifier: '3700' }],
    ContentSequence: contentOf(recording, startTime, read, source),
  };
}
