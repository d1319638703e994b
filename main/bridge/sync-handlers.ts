// Answers what the renderer asks of the way to central services.

import type { CLINIC_CALLS } from '../../shared/bridge/contract.ts';
import type { HandlersOf } from '../../shared/bridge/server.ts';
import { IsolineError } from '../../shared/errors.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { SyncBoard } from '../clinic/outbox/board.ts';
import type { CentreLink } from '../clinic/ports.ts';

type PageCall = keyof typeof CLINIC_CALLS;

/** A task that was made there so long before or after ours is another one (D126). */
const SAME_TIME_MS = 600_000;

const gone = (): IsolineError => new IsolineError('item_not_found', 'This went on meanwhile. Look at it again.');

/** That the task under this number may be ours. @throws IsolineError `centre_refused`, `centre_silent`, `item_not_found` */
async function requireThere({ context }: Clinic, link: CentreLink, itemId: number, centralId: string): Promise<void> {
  const entry = context.store.outbox.byId(itemId);
  if (entry === undefined) throw gone();
  const createdMs = /^[1-9]\d{0,18}$/.test(centralId) ? await link.createdMsOf(entry.centreId, centralId) : undefined;
  if (createdMs === undefined)
    throw new IsolineError('central_task_unknown', `The central service has no task ${centralId}. Look at the number again.`);
  // The number that we know ourselves needs no proof; clocks differ by what the last answer said.
  const { intendedMs, centralId: known } = entry.item;
  const offsetMs = link.stateOf(entry.centreId).clockOffsetMs ?? 0;
  if (known !== centralId && Math.abs(createdMs - offsetMs - (intendedMs ?? entry.changedMs)) > SAME_TIME_MS)
    throw new IsolineError(
      'central_task_other',
      `Task ${centralId} was made there at another time: it is another one. Look at the number again.`,
    );
}

export function syncHandlers(clinic: Clinic, link: CentreLink, session: string) {
  const { sessions, centres, decisions, enrolment, context } = clinic;
  const board = new SyncBoard(context, link);
  return {
    'sync.overview': async () => ({
      centres: board.overview(),
      raised: board.raised(),
      asked: clinic.centralCommands.all,
      isIdle: link.isIdle,
    }),
    'sync.items': async ({ centreId, list, limit }) => ({ items: board.items(centreId, list, limit) }),
    'sync.report': async ({ taskId }) => {
      const read = await board.report(taskId);
      await clinic.reading.note(session, 'sync.report_read', taskId);
      return read;
    },
    'centre.add': async ({ label, url, organization, organizationThere, certificates, token }) => {
      const made = { label, url, localPath: organization, organizationPath: organizationThere, certificates, token };
      const centreId = await centres.add(made, sessions.actor(session, 'settings'));
      context.settingsChanged();
      return { centreId };
    },
    'centre.setToken': async ({ centreId, token }) => {
      await centres.setToken(centreId, token, sessions.actor(session, 'settings'));
      context.settingsChanged();
      return {};
    },
    'centre.remove': async ({ centreId }) => {
      await centres.remove(centreId, sessions.actor(session, 'settings'));
      context.settingsChanged();
      return {};
    },
    'centre.test': async ({ centreId }) => {
      const actor = sessions.actor(session, 'sync');
      const { isIdempotent } = centres.find(centreId);
      const test = await link.test(centreId);
      if (test.isReached)
        await centres.setProven(centreId, { isIdempotent: test.isOurs ?? isIdempotent, isStreamProven: test.isStreamProven }, actor);
      return test;
    },
    'sync.pause': async ({ centreId }) => {
      await decisions.setStop(centreId, 'person', sessions.actor(session, 'sync'));
      return {};
    },
    'sync.resume': async ({ centreId }) => {
      await decisions.setStop(centreId, undefined, sessions.actor(session, 'sync'));
      // What hindered it outside may be gone too: a key store that was locked.
      context.settingsChanged();
      return {};
    },
    'sync.now': async ({ centreId }) => {
      await decisions.sendNow(centreId, sessions.actor(session, 'record'));
      context.settingsChanged();
      return {};
    },
    'sync.answer': async ({ itemId, answer, centralId = '' }) => {
      const actor = sessions.actor(session, 'sync');
      if (answer === 'there') await requireThere(clinic, link, itemId, centralId);
      const isTaken = await decisions.answer(itemId, answer === 'there' ? { kind: answer, centralId } : { kind: answer }, actor);
      if (!isTaken) throw gone();
      return {};
    },
    'sync.settle': async ({ itemId, how }) => {
      const actor = sessions.actor(session, 'sync');
      if (how === 'asNew') await decisions.sendAsNew(itemId, actor);
      else await decisions.settleDifference(itemId, how, actor);
      return {};
    },
    'sync.seen': async ({ itemId }) => {
      await decisions.noteSeen(itemId, sessions.actor(session, 'record'));
      return {};
    },
    'sync.earlier': async ({ centreId }) => ({ count: enrolment.earlier(centres.find(centreId)).length }),
    'sync.sendEarlier': async ({ centreId }) => {
      const actor = sessions.actor(session, 'sync');
      return { count: await enrolment.sendEarlier(centres.find(centreId), actor) };
    },
    'sync.send': async ({ taskId }) => {
      await enrolment.send(taskId, sessions.actor(session, 'sync'));
      return {};
    },
    'sync.keepPatient': async ({ taskId, isKept }) => {
      const actor = sessions.actor(session, 'sync');
      const { patientId } = clinic.tasks.find(undefined, taskId);
      if (patientId === undefined) throw new IsolineError('patient_missing', 'No patient is assigned to this recording yet.');
      await decisions.keepPatient(patientId, isKept, actor);
      return {};
    },
  } satisfies Partial<HandlersOf<PageCall>>;
}
