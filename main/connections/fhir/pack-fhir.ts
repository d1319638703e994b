// The newest approved reading of a task as a transaction for a FHIR server.

import type { Clinic } from '../../clinic/clinic.ts';
import type { OutboxEntry } from '../../clinic/outbox/records.ts';
import { isOrderedHere, patientQuery, writeFhirResult } from '../../formats/fhir/fhir-result.ts';
import { approvedReading, loadOf } from '../packing/approved-reading.ts';
import type { FhirParcel } from './fhir-client.ts';

/** So much of the signal goes along: what a twelve-lead ECG is. */
const SIGNAL_S = 10;
/** A strip of any recording has fewer in that time. */
const MOST_HZ = 2000;

/** @throws IsolineError where it cannot be made ready */
export async function packFhir(
  clinic: Clinic,
  { taskId }: OutboxEntry,
  patientSystem: string,
  serverUrl: string,
): Promise<FhirParcel> {
  const { reading, name, revision, isCurrent } = await approvedReading(clinic, taskId);
  const range = { startSample: 0, sampleCount: SIGNAL_S * MOST_HZ };
  const { sampleRateHz, leads } = await clinic.review.signal(taskId, range);
  const wantedBytes = Float32Array.BYTES_PER_ELEMENT * Math.round(SIGNAL_S * sampleRateHz);
  const signal = {
    sampleRateHz,
    leads: leads.map((lead) => ({ ...lead, mv: lead.mv.subarray(0, wantedBytes) })),
  };
  const bundle = writeFhirResult({ ...reading, serverUrl, patientSystem, signal });
  const { patient } = reading;
  return {
    bundle,
    name,
    patient: {
      query: patientQuery({ ...reading, serverUrl, patientSystem }),
      isOrdered: isOrderedHere({ ...reading, serverUrl }),
      id: patient.id,
      system: patientSystem,
      lastName: patient.lastName,
      birthDate: patient.birthDate,
    },
    load: loadOf(bundle, revision),
    isCurrent,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
