// Answers one page: finds out who asks and whether that one may, then lets the handler of the operation
// answer.

import { CLINIC_CALLS, type ClinicCall } from '../../../shared/bridge/contract.ts';
import type { HandlersOf } from '../../../shared/bridge/server.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { CentreLink } from '../../clinic/ports.ts';
import { auditAnswers } from './audit.ts';
import { backupAnswers } from './backups.ts';
import type { Answers } from './caller.ts';
import { openedAnswers } from './opened.ts';
import { orderAnswers } from './orders.ts';
import { patientAnswers } from './patients.ts';
import { peopleAnswers } from './people.ts';
import { reviewCommands, reviewQueries } from './review.ts';
import { settingAnswers, type WorkstationFacts } from './settings.ts';
import { syncCommands, syncQueries } from './sync.ts';
import { taskCommands, taskQueries } from './tasks.ts';
import { updateAnswers } from './updates.ts';

/** @param session who is signed in at the page is found by it */
export function pageHandlers(
  clinic: Clinic,
  facts: WorkstationFacts,
  link: CentreLink,
  session: string,
): HandlersOf<ClinicCall> {
  const answers: Answers<ClinicCall> = {
    ...taskQueries(clinic),
    ...taskCommands(clinic),
    ...reviewQueries(clinic),
    ...reviewCommands(clinic),
    ...patientAnswers(clinic),
    ...orderAnswers(clinic),
    ...peopleAnswers(clinic),
    ...settingAnswers(clinic, facts),
    ...backupAnswers(clinic),
    ...auditAnswers(clinic),
    ...updateAnswers(clinic),
    ...openedAnswers(clinic),
    ...syncQueries(clinic, link),
    ...syncCommands(clinic, link),
  };
  const guarded = (Object.keys(answers) as ClinicCall[]).map((name) => {
    const answer = answers[name] as (input: unknown, caller: unknown) => Promise<unknown>;
    return [
      name,
      async (input: unknown) => answer(input, clinic.sessions.callerOf(session, CLINIC_CALLS[name])),
    ];
  });
  return Object.fromEntries(guarded) as HandlersOf<ClinicCall>;
}
