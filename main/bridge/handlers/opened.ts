// Files that somebody opened with the program.

import type { OPENED_COMMANDS, OPENED_QUERIES } from '../../../shared/bridge/contract/opened.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Answers } from './caller.ts';

export function openedAnswers({
  context: { openedFiles, publish },
}: Clinic): Answers<keyof typeof OPENED_QUERIES | keyof typeof OPENED_COMMANDS> {
  return {
    'opened.list': async () => ({ files: openedFiles.views }),
    'opened.read': async ({ id, offsetBytes, lengthBytes }) => ({
      bytes: await openedFiles.read(id, offsetBytes, lengthBytes),
    }),
    'opened.close': async ({ ids }) => {
      openedFiles.close(ids);
      publish('opened.changed', {});
      return {};
    },
  };
}
