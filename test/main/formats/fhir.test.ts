// The reading of an ECG as FHIR R4, against the published schema.

import { expect, test } from 'vitest';
import { type FhirResult, patientQuery, writeFhirResult } from '../../../main/formats/fhir/fhir-result.ts';
import { faultsOf } from '../../support/fhir-schema.ts';

const float32 = (values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

const READING: FhirResult = {
  isSimulated: false,
  patient: { id: '4711', lastName: 'Müller', firstName: 'Zoë', birthDate: '1951-03-14', gender: 'FEMALE' },
  serverUrl: 'https://fhir.example.org/r4',
  patientSystem: 'urn:oid:1.2.3',
  status: 'approved',
  orderNumber: '77',
  fillerNumber: 'abc',
  asked: { accession: 'ACC1' },
  startMs: Date.UTC(2026, 10, 21, 8, 30),
  offsetMinutes: -210,
  approval: { isByPhysician: true, by: 'Dr. Lind', atMs: Date.UTC(2026, 10, 21, 9), offsetMinutes: 60 },
  isCorrected: false,
  measurements: { heartRateBpm: 71.6, qrsMs: 98, qtcFridericiaMs: 412 },
  warnings: [],
  statements: ['Sinus rhythm', 'Normal ECG'],
  indications: [],
  pdf: Buffer.from('%PDF-1.7'),
  signal: {
    sampleRateHz: 500,
    leads: [
      {
        name: 'MDC_ECG_LEAD_II',
        isCalibrated: true,
        isStandard: true,
        mv: float32([0.1, Number.NaN, -1.2346]),
      },
      { name: 'MDC_ECG_LEAD_V1', isCalibrated: false, isStandard: true, mv: float32([1, 2, 3]) },
      // MLII is called so in its file, and has the code of the lead that it resembles.
      { name: 'MDC_ECG_LEAD_I', isCalibrated: true, isStandard: false, mv: float32([1, 2, 3]) },
      { name: 'ECG', isCalibrated: true, isStandard: true, mv: float32([1, 2, 3]) },
    ],
  },
};

interface Resource {
  readonly resourceType: string;
  readonly [field: string]: unknown;
}

interface Entry {
  readonly fullUrl: string;
  readonly resource: Resource;
  readonly request: { readonly method: string; readonly url: string; readonly ifNoneExist?: string };
}

const bundleOf = (result: FhirResult): { resourceType: string; entry: Entry[] } =>
  JSON.parse(Buffer.from(writeFhirResult(result)).toString('utf8'));
const resourcesOf = (result: FhirResult, type: string): Resource[] =>
  bundleOf(result)
    .entry.map(({ resource }) => resource)
    .filter(({ resourceType }) => resourceType === type);

test.each([
  ['with everything', READING],
  ['of nobody known', { ...READING, patient: {}, patientSystem: '', offsetMinutes: undefined }],
  [
    'corrected, of another system',
    { ...READING, isCorrected: true, asked: undefined, orderNumber: undefined },
  ],
  [
    'simulated, and not read by a physician',
    {
      ...READING,
      isSimulated: true,
      warnings: [],
      statements: [],
      measurements: {},
      approval: { ...READING.approval, isByPhysician: false },
      signal: { sampleRateHz: 500, leads: [] },
    },
  ],
] satisfies [string, FhirResult][])('a reading %s is as the schema of R4 wants it', (_name, result) => {
  const bundle = bundleOf(result);
  expect(faultsOf(bundle)).toEqual([]);
  for (const { resource } of bundle.entry) expect(faultsOf(resource)).toEqual([]);
});

test('a wrong resource is found by the schema', () => {
  expect(faultsOf({ resourceType: 'Observation' })).not.toEqual([]);
  expect(faultsOf({ resourceType: 'Patient', birthDate: '14.3.1951' } as Resource)).not.toEqual([]);
});

test('a reading names the patient, the measurements and the order', () => {
  const [patient] = resourcesOf(READING, 'Patient');
  expect(patient).toMatchObject({
    identifier: [{ system: 'urn:oid:1.2.3', value: '4711' }],
    name: [{ family: 'Müller', given: ['Zoë'] }],
    gender: 'female',
    birthDate: '1951-03-14',
  });
  const [report] = resourcesOf(READING, 'DiagnosticReport');
  expect(report).toMatchObject({
    status: 'final',
    basedOn: [{ identifier: { value: '77' } }],
    effectiveDateTime: '2026-11-21T05:00:00-03:30',
    issued: '2026-11-21T10:00:00+01:00',
    resultsInterpreter: [{ display: 'Dr. Lind' }],
    conclusion: 'Sinus rhythm\nNormal ECG',
  });
  expect(report?.identifier).toMatchObject([{ value: 'abc.report' }, { value: 'ACC1' }]);
  const observations = resourcesOf(READING, 'Observation');
  expect(
    observations.map(({ valueQuantity }) => (valueQuantity as { value: number } | undefined)?.value),
  ).toEqual([72, 98, 412, undefined]);
  expect(report?.result).toHaveLength(4);
});

test('samples are microvolts of leads that are what they are called; a missing one is said', () => {
  const component = resourcesOf(READING, 'Observation').at(-1)?.component as {
    code: { coding: { code: string; display: string }[] };
    valueSampledData: Record<string, unknown>;
  }[];
  expect(component).toHaveLength(1);
  expect(component[0]).toMatchObject({
    code: { coding: [{ code: '131330', display: 'MDC_ECG_ELEC_POTL_II' }] },
    valueSampledData: { period: 2, factor: 0.001, data: '100 E -1235' },
  });
});

test('sent again it is the same; a number that is gone is withdrawn; nobody is made twice', () => {
  expect(writeFhirResult(READING)).toEqual(writeFhirResult(READING));
  const { entry } = bundleOf(READING);
  for (const { request, resource } of entry)
    if (resource.resourceType === 'Patient')
      expect(request).toEqual({
        method: 'POST',
        url: 'Patient',
        ifNoneExist: `identifier=${encodeURIComponent('urn:oid:1.2.3|4711')}`,
      });
    else expect(request).toMatchObject({ method: 'PUT', url: expect.stringContaining('?identifier=') });
  expect(new Set(entry.map(({ fullUrl }) => fullUrl)).size).toBe(entry.length);
  const amended: FhirResult = { ...READING, isCorrected: true, measurements: { heartRateBpm: 70 } };
  const qrs = bundleOf(amended).entry.find(({ request }) => request.url.includes('abc.qrsMs'))?.resource;
  expect(qrs?.status).toBe('entered-in-error');
  expect(qrs?.valueQuantity).toBeUndefined();
  expect(JSON.stringify(resourcesOf(amended, 'DiagnosticReport')[0]?.result)).not.toContain(
    bundleOf(amended).entry.find(({ request }) => request.url.includes('abc.qrsMs'))?.fullUrl,
  );
});

const ORDERED: FhirResult = {
  ...READING,
  asked: {
    requestUrl: 'https://fhir.example.org/r4/ServiceRequest/7',
    patientUrl: 'https://fhir.example.org/r4/Patient/17',
  },
};

test('whom the server itself ordered it for is named as it names him, and not made again', () => {
  expect(faultsOf(bundleOf(ORDERED))).toEqual([]);
  expect(resourcesOf(ORDERED, 'Patient')).toEqual([]);
  expect(patientQuery(ORDERED)).toBe('_id=17');
  const [report] = resourcesOf(ORDERED, 'DiagnosticReport');
  expect(report).toMatchObject({
    subject: { reference: 'Patient/17' },
    basedOn: [{ reference: 'ServiceRequest/7', identifier: { value: '77' } }],
  });
});

test('an order of one server is nothing that another server knows', () => {
  const elsewhere = { ...ORDERED, serverUrl: 'https://fhir.example.org/r4b' };
  expect(resourcesOf(elsewhere, 'Patient')).toHaveLength(1);
  expect(patientQuery(elsewhere)).toContain('4711');
  expect(resourcesOf(elsewhere, 'DiagnosticReport')[0]?.basedOn).toEqual([
    { type: 'ServiceRequest', identifier: { value: '77' } },
  ]);
});

test('a number with signs of a search asks for that number alone', () => {
  const query = patientQuery({ ...READING, patientSystem: '', patient: { id: '47,11|2$' } });
  expect(decodeURIComponent(query)).toBe('identifier=47\\,11\\|2\\$');
});

test('of a simulated signal everything is marked as test data, the patient, too', () => {
  const { entry } = bundleOf({ ...READING, isSimulated: true });
  for (const { resource } of entry) expect(resource.meta).toMatchObject({ security: [{ code: 'HTEST' }] });
  expect(bundleOf(READING).entry.some(({ resource }) => 'meta' in resource)).toBe(false);
});
