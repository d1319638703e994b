// Answers one page: finds out who asks and whether that one may, then lets the handler of the operation
// answer.

import type { Operation } from '../../../shared/bridge/contract/operation.ts';
import { CLINIC_CALLS, type ClinicCall } from '../../../shared/bridge/contract.ts';
import { guardAtSeat } from '../../../shared/bridge/seat-rules.ts';
import type { HandlersOf } from '../../../shared/bridge/server.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import type { ConnectionLink } from '../../clinic/ports.ts';
import { auditAnswers } from './audit.ts';
import { backupAnswers } from './backups.ts';
import type { Answers } from './caller.ts';
import { channelCommands, channelQueries } from './channels.ts';
import { doorAnswers } from './doors.ts';
import { openedAnswers } from './opened.ts';
import { orderAnswers } from './orders.ts';
import { patientAnswers } from './patients.ts';
import { peopleAnswers } from './people.ts';
import { readerCommands, readerQueries } from './readers.ts';
import { dayQueries, reviewCommands, reviewQueries } from './review.ts';
import { type SeatIdentity, seatAnswers } from './seats.ts';
import { settingAnswers, type WorkstationFacts } from './settings.ts';
import { syncCommands, syncQueries } from './sync.ts';
import { taskCommands, taskQueries } from './tasks.ts';
import { updateAnswers } from './updates.ts';

/**
 * @param session who is signed in at the page is found by it
 * @param isSeat the page is that of another computer or tablet
 */
export function pageHandlers(
  clinic: Clinic,
  facts: WorkstationFacts,
  link: ConnectionLink,
  seatIdentity: SeatIdentity,
  session: string,
  isSeat: boolean,
): HandlersOf<ClinicCall> {
  const answers: Answers<ClinicCall> = {
    ...taskQueries(clinic),
    ...taskCommands(clinic),
    ...reviewQueries(clinic),
    ...dayQueries(clinic),
    ...channelQueries(clinic),
    ...reviewCommands(clinic),
    ...readerQueries(clinic),
    ...readerCommands(clinic),
    ...channelCommands(clinic),
    ...patientAnswers(clinic),
    ...orderAnswers(clinic),
    ...peopleAnswers(clinic),
    ...seatAnswers(clinic, seatIdentity),
    ...doorAnswers(clinic),
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
    const operation: Operation = CLINIC_CALLS[name];
    return [
      name,
      async (input: unknown) => {
        if (isSeat) clinic.seats.requireSeat(session);
        const guard = isSeat ? guardAtSeat(name, operation) : operation;
        return answer(input, clinic.sessions.callerOf(session, guard));
      },
    ];
  });
  return Object.fromEntries(guarded) as HandlersOf<ClinicCall>;
}
