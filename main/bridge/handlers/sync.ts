// Central services, and what is on its way there.

import type { SYNC_COMMANDS, SYNC_QUERIES } from '../../../shared/bridge/contract/sync.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import { SyncBoard } from '../../clinic/outbox/board.ts';
import { kindOf } from '../../clinic/outbox/records.ts';
import { changedMeanwhile, requireThere } from '../../clinic/outbox/require-there.ts';
import type { CentreLink } from '../../clinic/ports.ts';
import type { Answers } from './caller.ts';

export function syncQueries(clinic: Clinic, link: CentreLink): Answers<keyof typeof SYNC_QUERIES> {
  const { centres, enrolment, context } = clinic;
  const board = new SyncBoard(context, link);
  return {
    'sync.overview': async () => ({
      centres: board.overview(),
      raised: board.raised(),
      asked: clinic.centralCommands.all,
      isIdle: link.isIdle,
    }),
    'sync.items': async ({ centreId, list, limit }) => ({ items: board.items(centreId, list, limit) }),
    'sync.earlier': async ({ centreId }) => ({ count: enrolment.earlier(centres.find(centreId)).length }),
    'sync.report': async ({ taskId }, { session }) => {
      const read = await board.report(taskId);
      await clinic.reading.note(session, 'sync.report_read', taskId);
      return read;
    },
  };
}

export function syncCommands(clinic: Clinic, link: CentreLink): Answers<keyof typeof SYNC_COMMANDS> {
  return { ...centreCommands(clinic, link), ...sendCommands(clinic), ...itemCommands(clinic, link) };
}

function centreCommands({ centres, context, enrolment }: Clinic, link: CentreLink) {
  return {
    'centre.add': async ({ label, url, organization, organizationThere, certificates, token }, { actor }) => {
      const made = {
        label,
        url,
        localPath: organization,
        organizationPath: organizationThere,
        certificates,
        token,
      };
      const centreId = await centres.add(made, actor);
      context.settingsChanged();
      return { centreId };
    },
    'archive.add': async ({ organization, certificates, ...archive }, { actor }) => {
      const centreId = await centres.addArchive({ ...archive, certificates, localPath: organization }, actor);
      await enrolment.reconsider();
      context.settingsChanged();
      return { centreId };
    },
    'results.add': async ({ organization, certificates, ...receiver }, { actor }) => {
      const centreId = await centres.addResults(
        { ...receiver, certificates, localPath: organization },
        actor,
      );
      await enrolment.reconsider();
      context.settingsChanged();
      return { centreId };
    },
    'fhir.add': async ({ organization, certificates, ...server }, { actor }) => {
      const centreId = await centres.addFhir({ ...server, certificates, localPath: organization }, actor);
      await enrolment.reconsider();
      context.settingsChanged();
      return { centreId };
    },
    'centre.setTakesUnread': async ({ centreId, takesUnread }, { actor }) => {
      await centres.setTakesUnread(centreId, takesUnread, actor);
      await enrolment.reconsider();
      context.settingsChanged();
      return {};
    },
    'centre.setToken': async ({ centreId, token }, { actor }) => {
      await centres.setToken(centreId, token, actor);
      context.settingsChanged();
      return {};
    },
    'centre.remove': async ({ centreId }, { actor }) => {
      await centres.remove(centreId, actor);
      context.settingsChanged();
      return {};
    },
    'centre.test': async ({ centreId }, { actor }) => {
      const { isIdempotent } = centres.find(centreId);
      const test = await link.test(centreId);
      if (test.archive !== undefined) {
        await centres.setConfirming(centreId, test.archive.confirmation, actor);
        context.settingsChanged();
      } else if (test.isReached && kindOf(centres.find(centreId)) === 'central')
        await centres.setProven(
          centreId,
          { isIdempotent: test.isOurs ?? isIdempotent, isStreamProven: test.isStreamProven },
          actor,
        );
      return test;
    },
  } satisfies Partial<Answers<keyof typeof SYNC_COMMANDS>>;
}

function sendCommands({ centres, context, decisions, enrolment, tasks }: Clinic) {
  return {
    'sync.pause': async ({ centreId }, { actor }) => {
      await decisions.setStop(centreId, 'person', actor);
      return {};
    },
    'sync.resume': async ({ centreId }, { actor }) => {
      await decisions.setStop(centreId, undefined, actor);
      // What hindered it outside may be gone too: a key store that was locked.
      context.settingsChanged();
      return {};
    },
    'sync.now': async ({ centreId }, { actor }) => {
      await decisions.sendNow(centreId, actor);
      context.settingsChanged();
      return {};
    },
    'sync.sendEarlier': async ({ centreId }, { actor }) => ({
      count: await enrolment.sendEarlier(centres.find(centreId), actor),
    }),
    'sync.send': async ({ taskId }, { actor }) => {
      await enrolment.send(taskId, actor);
      return {};
    },
    'sync.keepPatient': async ({ taskId, isKept }, { actor }) => {
      await decisions.keepPatientOf(tasks.find(undefined, taskId), isKept, actor);
      return {};
    },
  } satisfies Partial<Answers<keyof typeof SYNC_COMMANDS>>;
}

function itemCommands({ context, decisions }: Clinic, link: CentreLink) {
  return {
    'sync.answer': async ({ itemId, answer, centralId = '' }, { actor }) => {
      if (answer === 'there') await requireThere(context, link, itemId, centralId);
      const isTaken = await decisions.answer(
        itemId,
        answer === 'there' ? { kind: answer, centralId } : { kind: answer },
        actor,
      );
      if (!isTaken) throw changedMeanwhile();
      return {};
    },
    'sync.settle': async ({ itemId, how }, { actor }) => {
      if (how === 'asNew') await decisions.sendAsNew(itemId, actor);
      else await decisions.settleDifference(itemId, how, actor);
      return {};
    },
    'sync.seen': async ({ itemId }, { actor }) => {
      await decisions.noteSeen(itemId, actor);
      return {};
    },
  } satisfies Partial<Answers<keyof typeof SYNC_COMMANDS>>;
}
