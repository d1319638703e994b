// `isoline audit verify`: checks that no row of the audit trail was changed, removed or swapped.

import { resolve } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import type { AnchorFault } from '../../clinic/ports.ts';
import { anchorFault, UNFIT } from '../../store/audit/audit-anchor.ts';
import { openDataStore } from '../data-folder.ts';
import { type Command, print, usageError } from './command.ts';

const FAULTS: Readonly<Record<AnchorFault, string>> = {
  missing: 'the note was removed.',
  forged: 'the note was changed.',
  cut: 'entries are missing at its end.',
  rewritten: 'its entries were replaced.',
};

export const auditCommand: Command = {
  name: 'audit',
  usage: 'verify --data-dir D',
  options: { 'data-dir': { value: 'D', meaning: 'The data folder.' } },
  positionals: [1, 1],
  async run(args) {
    if (args.positionals[0] !== 'verify') throw usageError('Use "audit verify".', auditCommand);
    const dataDir = resolve(args.required('data-dir'));
    using store = openDataStore(dataDir, 'command');
    const fault = await anchorFault(dataDir, store.audit);
    const { entries, brokenAt } = store.audit.verify();
    if (brokenAt !== undefined)
      throw new IsolineError(
        'database_damaged',
        `The audit trail does not fit from entry ${brokenAt} on: something was changed or removed there.`,
      );
    if (fault !== undefined)
      throw new IsolineError(
        'database_damaged',
        `The audit trail does not match its record outside the database: ${FAULTS[fault]}`,
      );
    const unfitAt = store.audit.firstOf(UNFIT);
    if (unfitAt !== undefined)
      throw new IsolineError(
        'database_damaged',
        `Before entry ${unfitAt}, entries of the audit trail were removed or replaced: by a restored backup, or by somebody.`,
      );
    print(`The audit trail is whole: ${entries} entries.`);
  },
};
