// `isoline audit verify`: checks that no row of the audit trail was changed, removed or swapped.

import { resolve } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import { openDataStore } from '../data-folder.ts';
import { type Command, print, usageError } from './command.ts';

export const auditCommand: Command = {
  name: 'audit',
  summary: 'Check the audit trail of a data folder.',
  usage: 'verify --data-dir D',
  options: { 'data-dir': { value: 'D', meaning: 'The data folder.' } },
  positionals: [1, 1],
  async run(args) {
    if (args.positionals[0] !== 'verify') throw usageError('Use "audit verify".', auditCommand);
    using store = openDataStore(resolve(args.required('data-dir')), 'command');
    const { entries, brokenAt } = store.audit.verify();
    if (brokenAt !== undefined)
      throw new IsolineError(
        'database_damaged',
        `The audit trail does not fit from entry ${brokenAt} on: something was changed or removed there.`,
      );
    print(`The audit trail is whole: ${entries} entries.`);
  },
};
