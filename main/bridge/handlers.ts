// Answers what the renderer asks, one handler an operation of the contract. They translate; the clinic decides.

import type { CLINIC_CALLS, KnownPatient, RECORDER_CALLS } from '../../shared/bridge/contract.ts';
import type { HandlersOf } from '../../shared/bridge/server.ts';
import type { Clinic } from '../clinic/clinic.ts';
import type { Patient } from '../clinic/stores.ts';

/** Who acts at the screen, until people sign in. */
const ACTOR = 'workstation';

export interface WorkstationFacts {
  readonly version: string;
  readonly isDemo: boolean;
  readonly serviceUrl: string;
  /** SHA-256 of the service's certificate, where it has one. */
  readonly fingerprint?: string;
}

const toKnown = ({ id, facts, measuredMs, seenMs }: Patient): KnownPatient => ({
  patientId: id,
  patient: facts,
  ...(measuredMs !== undefined && { measuredMs }),
  seenMs,
});

export function bridgeHandlers(clinic: Clinic, facts: WorkstationFacts): HandlersOf<keyof typeof CLINIC_CALLS> {
  return {
    'workstation.about': async () => facts,
    'task.list': async (query) => {
      const { rows, total } = clinic.tasks.list(query);
      return {
        rows: rows.map((row) =>
          row.state === 'RECEIVING' && clinic.streams.isDeviceLost(row.taskId) ? { ...row, isDeviceLost: true } : row,
        ),
        total,
      };
    },
    'task.get': async ({ taskId }) => {
      const device = clinic.streams.deviceView(clinic.tasks.find(undefined, taskId));
      return { ...clinic.tasks.detail(taskId), ...(device !== undefined && { device }) };
    },
    'patient.search': async ({ text, dateOrder }) => {
      const { patients, total } = clinic.patients.search(clinic.organizationId, text, dateOrder);
      return { patients: patients.map(toKnown), total };
    },
    'patient.similar': async ({ patient }) => ({ patients: clinic.patients.mayBeSame(clinic.organizationId, patient).map(toKnown) }),
    'report.read': async ({ taskId }) => clinic.reports.read(taskId),
    'import.open': async ({ files }) => ({ importId: await clinic.imports.open(files) }),
    'import.write': async ({ importId, fileIndex, offsetBytes, bytes }) => {
      await clinic.imports.write(importId, fileIndex, offsetBytes, bytes);
      return {};
    },
    'import.finish': async ({ importId, autoComplete }) => clinic.imports.finish(importId, autoComplete, ACTOR),
    'import.cancel': async ({ importId }) => {
      await clinic.imports.cancel(importId);
      return {};
    },
    'device.command': async ({ taskId, command }) => {
      await clinic.devices.command(taskId, command, ACTOR);
      return {};
    },
    'stream.finish': async ({ taskId }) => {
      await clinic.streams.finish(clinic.tasks.find(undefined, taskId).organizationId, taskId, ACTOR);
      return {};
    },
    'device.setDuration': async ({ taskId, durationMs }) => {
      await clinic.devices.setDuration(taskId, durationMs, ACTOR);
      return {};
    },
    'task.retry': async ({ taskId }) => {
      await clinic.tasks.retry(taskId, ACTOR);
      return {};
    },
  };
}

/** For the recorder on the main thread. */
export function recorderHandlers({ desk }: Clinic): HandlersOf<keyof typeof RECORDER_CALLS> {
  return {
    'recorder.begin': async ({ taskId, sampleRateHz, leadCodes, scale, device, startedMs }) => ({
      taskId: await desk.begin({ taskId, parameters: { sampleRateHz, leadCodes, scale }, device, startedMs }),
    }),
    'recorder.append': async ({ taskId, timestampUs, bytes, events }) => {
      await desk.append(taskId, timestampUs, bytes, events);
      return {};
    },
    'recorder.finish': async ({ taskId, device, events, warnings }) => {
      await desk.finish(taskId, device, events, warnings);
      return {};
    },
    'recorder.discard': async ({ taskId, isTaskOurs }) => {
      await desk.discardEmpty(taskId, isTaskOurs);
      return {};
    },
    'recorder.open': async () => ({ recordings: desk.open() }),
    'recorder.space': async () => ({ freeBytes: await desk.freeBytes() }),
    'recorder.known': async ({ identity }) => {
      const device = desk.known(identity);
      return device === undefined ? {} : { device };
    },
    'recorder.remember': async (device) => {
      await desk.remember(device);
      return {};
    },
  };
}
