// Central services, and what is on its way there.

import type { SYNC_COMMANDS, SYNC_QUERIES } from '../../../shared/bridge/contract/sync.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import { SyncBoard } from '../../clinic/outbox/board.ts';
import { kindOf } from '../../clinic/outbox/records.ts';
import { changedMeanwhile, requireThere } from '../../clinic/outbox/require-there.ts';
import type { ConnectionLink } from '../../clinic/ports.ts';
import type { Answers } from './caller.ts';

export function syncQueries(clinic: Clinic, link: ConnectionLink): Answers<keyof typeof SYNC_QUERIES> {
  const { connections, enrolment, context } = clinic;
  const board = new SyncBoard(context, link);
  return {
    'sync.overview': async () => ({
      connections: board.overview(),
      raised: board.raised(),
      asked: clinic.centralCommands.all,
      isIdle: link.isIdle,
    }),
    'sync.items': async ({ connectionId, list, limit }) => ({
      items: board.items(connectionId, list, limit),
    }),
    'sync.earlier': async ({ connectionId }) => ({
      count: enrolment.earlier(connections.find(connectionId)).length,
    }),
    'sync.report': async ({ taskId }, { session }) => {
      const read = await board.report(taskId);
      await clinic.reading.note(session, 'sync.report_read', taskId);
      return read;
    },
  };
}

export function syncCommands(clinic: Clinic, link: ConnectionLink): Answers<keyof typeof SYNC_COMMANDS> {
  return { ...centreCommands(clinic, link), ...sendCommands(clinic), ...itemCommands(clinic, link) };
}

function centreCommands({ connections, context, enrolment }: Clinic, link: ConnectionLink) {
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
      const connectionId = await connections.add(made, actor);
      context.settingsChanged();
      return { connectionId };
    },
    'archive.add': async ({ organization, certificates, ...archive }, { actor }) => {
      const connectionId = await connections.addArchive(
        { ...archive, certificates, localPath: organization },
        actor,
      );
      await enrolment.reconsider();
      context.settingsChanged();
      return { connectionId };
    },
    'results.add': async ({ organization, certificates, ...receiver }, { actor }) => {
      const connectionId = await connections.addResults(
        { ...receiver, certificates, localPath: organization },
        actor,
      );
      await enrolment.reconsider();
      context.settingsChanged();
      return { connectionId };
    },
    'fhir.add': async ({ organization, certificates, ...server }, { actor }) => {
      const connectionId = await connections.addFhir(
        { ...server, certificates, localPath: organization },
        actor,
      );
      await enrolment.reconsider();
      context.settingsChanged();
      return { connectionId };
    },
    'centre.setTakesUnread': async ({ connectionId, takesUnread }, { actor }) => {
      await connections.setTakesUnread(connectionId, takesUnread, actor);
      await enrolment.reconsider();
      context.settingsChanged();
      return {};
    },
    'centre.setToken': async ({ connectionId, token }, { actor }) => {
      await connections.setToken(connectionId, token, actor);
      context.settingsChanged();
      return {};
    },
    'centre.remove': async ({ connectionId }, { actor }) => {
      await connections.remove(connectionId, actor);
      context.settingsChanged();
      return {};
    },
    'centre.test': async ({ connectionId }, { actor }) => {
      const { isIdempotent } = connections.find(connectionId);
      const test = await link.test(connectionId);
      if (test.archive !== undefined) {
        await connections.setConfirming(connectionId, test.archive.confirmation, actor);
        context.settingsChanged();
      } else if (test.isReached && kindOf(connections.find(connectionId)) === 'central')
        await connections.setProven(
          connectionId,
          { isIdempotent: test.isOurs ?? isIdempotent, isStreamProven: test.isStreamProven },
          actor,
        );
      return test;
    },
  } satisfies Partial<Answers<keyof typeof SYNC_COMMANDS>>;
}

function sendCommands({ connections, context, decisions, enrolment, tasks }: Clinic) {
  return {
    'sync.pause': async ({ connectionId }, { actor }) => {
      await decisions.setStop(connectionId, 'person', actor);
      return {};
    },
    'sync.resume': async ({ connectionId }, { actor }) => {
      await decisions.setStop(connectionId, undefined, actor);
      // What hindered it outside may be gone too: a key store that was locked.
      context.settingsChanged();
      return {};
    },
    'sync.now': async ({ connectionId }, { actor }) => {
      await decisions.sendNow(connectionId, actor);
      context.settingsChanged();
      return {};
    },
    'sync.sendEarlier': async ({ connectionId }, { actor }) => ({
      count: await enrolment.sendEarlier(connections.find(connectionId), actor),
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

function itemCommands({ context, decisions }: Clinic, link: ConnectionLink) {
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
