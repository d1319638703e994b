// A patient of a FHIR server, and a request for an ECG of him, as servers keep them.

import type { StoredResource } from '../doubles/fhir-server.ts';

export const PATIENT_SYSTEM = 'urn:oid:1.2.3';
export const ECG_SEARCH = 'status=active&intent=order&code=http://loinc.org|11524-6';
const ID_TYPES = 'http://terminology.hl7.org/CodeSystem/v2-0203';

const typed = (code: string, value: string): object => ({
  type: { coding: [{ system: ID_TYPES, code }] },
  value,
});

export const patientResource = (
  id: string,
  more: Readonly<Record<string, unknown>> = {},
): StoredResource => ({
  resourceType: 'Patient',
  id,
  identifier: [{ system: PATIENT_SYSTEM, value: '4711' }],
  name: [
    { use: 'maiden', family: 'Roth', given: ['Zoë'] },
    { use: 'official', family: 'Müller', given: ['Zoë', 'Maria'], prefix: ['Dr.'] },
  ],
  birthDate: '1951-03-14',
  gender: 'female',
  ...more,
});

export const requestResource = (
  id: string,
  patientId: string,
  more: Readonly<Record<string, unknown>> = {},
): StoredResource => ({
  resourceType: 'ServiceRequest',
  id,
  identifier: [typed('PLAC', `P${id}`), typed('ACSN', `ACC${id}`)] as StoredResource['identifier'] & object,
  status: 'active',
  intent: 'order',
  code: {
    coding: [{ system: 'http://loinc.org', code: '11524-6', display: 'EKG study' }],
    text: 'ECG 12 leads',
  },
  subject: { reference: `Patient/${patientId}` },
  requester: { display: 'Dr. Arias' },
  reasonCode: [{ text: 'Chest pain' }],
  ...more,
});
