// Connections as tests set them up: what each leads to, on this computer.

import type { ConnectionTo } from '../../shared/connections/connections.ts';
import type { FhirConfig } from '../../shared/connections/fhir.ts';

export const centralAt = (url: string, organizationThere = 'clinic'): ConnectionTo => ({
  kind: 'central',
  config: { url, organizationThere },
});

const here = (port: number) => ({ host: '127.0.0.1', port, isTls: false });

export const archiveAt = (port: number, title: string): ConnectionTo => ({
  kind: 'dicom',
  config: { ...here(port), title },
});

export const hospitalAt = (port: number): ConnectionTo => ({
  kind: 'hl7',
  config: { ...here(port), application: 'KIS', facility: 'ST ANNA' },
});

export const fhirAt = (url: string, more: Partial<FhirConfig> = {}): ConnectionTo => ({
  kind: 'fhir',
  config: { url, patientSystem: '', clientId: '', tokenUrl: '', orders: '', ...more },
});
