// Answers what the renderer asks, one handler an operation of the contract. They translate; the clinic decides.

import type { Handlers } from '../../shared/bridge/server.ts';
import type { Clinic } from '../clinic/clinic.ts';

/** Who acts at the screen, until people sign in. */
const ACTOR = 'workstation';

export interface WorkstationFacts {
  readonly version: string;
  readonly isDemo: boolean;
  readonly serviceUrl: string;
}

export function bridgeHandlers(clinic: Clinic, facts: WorkstationFacts): Handlers {
  return {
    'workstation.about': async () => facts,
    'task.list': async ({ limit }) => clinic.tasks.list(limit),
    'task.get': async ({ taskId }) => clinic.tasks.detail(taskId),
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
    'task.retry': async ({ taskId }) => {
      await clinic.tasks.retry(taskId, ACTOR);
      return {};
    },
  };
}
