// The channels of a recording, and which of them are ECG.

import type { CHANNEL_COMMANDS, CHANNEL_QUERIES } from '../../../shared/bridge/contract/channels.ts';
import { given } from '../../../shared/given.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Answers } from './caller.ts';

export function channelQueries({ channelChoices, imports }: Clinic): Answers<keyof typeof CHANNEL_QUERIES> {
  return {
    'channels.of': async ({ taskId }) => {
      const { choice, ...view } = await channelChoices.of(undefined, taskId);
      return { ...view, ...given({ choice: choice && [...choice] }) };
    },
    'channels.ofImport': async ({ importId, name }, { session }) => imports.channels(importId, name, session),
  };
}

export function channelCommands({ channelChoices, imports }: Clinic): Answers<keyof typeof CHANNEL_COMMANDS> {
  return {
    'channels.choose': async ({ taskId, ...choosing }, { actor }) => {
      await channelChoices.choose(undefined, taskId, choosing, actor);
      return {};
    },
    'channels.import': async ({ importId, autoComplete, ...chosen }, caller) =>
      imports.importChosen(importId, { ...chosen, isAutoComplete: autoComplete }, caller),
  };
}
