// Connections, and what is on its way there.

import type { SYNC_COMMANDS, SYNC_QUERIES } from '../../../shared/bridge/contract/sync.ts';
import { factsOf } from '../../../shared/connections/connections.ts';
import type { Clinic } from '../../clinic/clinic.ts';
import { SyncBoard } from '../../clinic/outbox/board.ts';
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
  return { ...connectionCommands(clinic, link), ...sendCommands(clinic), ...itemCommands(clinic, link) };
}

function connectionCommands({ connections, context, enrolment }: Clinic, link: ConnectionLink) {
  return {
    'connection.add': async ({ to, label, organization, secret = '' }, { actor }) => {
      const connectionId = await connections.add({ to, label, localPath: organization, secret }, actor);
      // Results approved while a hospital was not connected are sent now. A central service is sent what is new.
      if (factsOf(to).takes === 'results') await enrolment.reconsider();
      context.settingsChanged();
      return { connectionId };
    },
    'connection.change': async ({ connectionId, secret, takesUnread }, { actor }) => {
      if (secret !== undefined) await connections.setSecret(connectionId, secret, actor);
      if (takesUnread !== undefined) {
        await connections.setTakesUnread(connectionId, takesUnread, actor);
        await enrolment.reconsider();
      }
      context.settingsChanged();
      return {};
    },
    'connection.remove': async ({ connectionId }, { actor }) => {
      await connections.remove(connectionId, actor);
      context.settingsChanged();
      return {};
    },
    'connection.test': async ({ connectionId }, { actor }) => {
      const outcome = await link.test(connectionId);
      if (outcome.isReached && outcome.proven !== undefined) {
        await connections.noteProven(connectionId, outcome.proven, actor);
        context.settingsChanged();
      }
      return outcome;
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
