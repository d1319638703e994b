// The audit trail.

import type { AUDIT_COMMANDS, AUDIT_QUERIES } from '../../../shared/bridge/contract/audit.ts';
import { given } from '../../../shared/given.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { Answers } from './caller.ts';

export function auditAnswers({
  auditTrail,
}: Clinic): Answers<keyof typeof AUDIT_QUERIES | keyof typeof AUDIT_COMMANDS> {
  return {
    'audit.state': async () => auditTrail.state(),
    'audit.list': async ({ beforeSeq = Number.MAX_SAFE_INTEGER, limit, ...filter }) => {
      const { entries, nextBeforeSeq } = auditTrail.list(filter, beforeSeq, limit);
      return { entries: [...entries], ...given({ nextBeforeSeq }) };
    },
    'audit.check': async (_none, { actor }) => {
      await auditTrail.check(actor);
      return auditTrail.state();
    },
    'audit.export': async (filter, { actor }) => ({ csv: await auditTrail.exported(filter, actor) }),
  };
}
