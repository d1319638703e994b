// New versions of the program.

import type { UPDATE_COMMANDS, UPDATE_QUERIES } from '../../../shared/bridge/contract/updates.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Answers } from './caller.ts';

export function updateAnswers({
  updates,
}: Clinic): Answers<keyof typeof UPDATE_QUERIES | keyof typeof UPDATE_COMMANDS> {
  return {
    'update.state': async () => updates.state(),
    'update.look': async ({ folder }) => updates.look(folder),
    'update.fetch': async () => {
      updates.fetch();
      return {};
    },
    'update.install': async (_none, { actor }) => {
      await updates.install(actor);
      return {};
    },
  };
}
