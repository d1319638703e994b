// Answers what the renderer asks, one handler an operation of the contract. They translate; the clinic decides.

import type { CLINIC_CALLS, RECORDER_CALLS } from '../../shared/bridge/contract.ts';
import type { HandlersOf } from '../../shared/bridge/server.ts';
import type { KnownPatient, OrderView, ServiceTrouble, TokenView } from '../../shared/bridge/views.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { orderStateOf } from '../clinic/orders.ts';
import type { CentreLink } from '../clinic/ports.ts';
import type { Order, Patient, Token } from '../clinic/records.ts';
import { changeSetting } from '../clinic/settings.ts';
import { historyOf } from '../clinic/task-history.ts';
import { createToken, revokeToken } from '../clinic/tokens.ts';
import { actorOf, type Person } from '../clinic/users.ts';
import { syncHandlers } from './sync-handlers.ts';

export interface WorkstationFacts {
  readonly version: string;
  readonly isDemo: boolean;
  readonly serviceUrl: string;
  readonly serviceTrouble?: ServiceTrouble;
  /** SHA-256 of the service's certificate, where it has one. */
  readonly fingerprint?: string;
}

const toKnown = ({ id, facts, measuredMs, seenMs }: Patient): KnownPatient => ({
  patientId: id,
  patient: facts,
  ...(measuredMs !== undefined && { measuredMs }),
  seenMs,
});

const toTokenView = (token: Token): TokenView => ({
  tokenId: token.id,
  organization: token.organizationPath,
  label: token.label,
  prefix: token.prefix,
  scopes: [...token.scopes],
  createdMs: token.createdMs,
  ...(token.expiresMs !== undefined && { expiresMs: token.expiresMs }),
  ...(token.lastUsedMs !== undefined && { lastUsedMs: token.lastUsedMs }),
  isRevoked: token.revokedMs !== undefined,
});

const toOrderView = (order: Order): OrderView => ({
  orderId: order.id,
  facts: order.facts,
  state: orderStateOf(order),
  readMs: order.readMs,
});

type PageCall = keyof typeof CLINIC_CALLS;

/** What can be asked before anybody has signed in. */
const ASKED_BY_ANYBODY: ReadonlySet<string> = new Set<PageCall>([
  'workstation.about',
  'session.get',
  'session.signIn',
  'session.signOut',
  'session.touch',
]);

/**
 * The answers to one page.
 * @param session who is signed in there is found by it
 */
export function bridgeHandlers(clinic: Clinic, facts: WorkstationFacts, link: CentreLink, session: string): HandlersOf<PageCall> {
  const handlers = {
    ...queryHandlers(clinic, facts, session),
    ...accountHandlers(clinic, session),
    ...workHandlers(clinic, session),
    ...syncHandlers(clinic, link, session),
  };
  const guarded = Object.entries(handlers).map(([name, handler]) => {
    const answer = handler as (input: unknown, signal: AbortSignal) => Promise<unknown>;
    if (ASKED_BY_ANYBODY.has(name)) return [name, answer];
    return [
      name,
      async (input: unknown, signal: AbortSignal) => {
        clinic.sessions.requireAnybody(session);
        return answer(input, signal);
      },
    ];
  });
  return Object.fromEntries(guarded) as typeof handlers;
}

function queryHandlers(clinic: Clinic, facts: WorkstationFacts, session: string) {
  const { sessions, users } = clinic;
  return {
    'workstation.about': async () => facts,
    'session.get': async () => {
      const person = sessions.person(session);
      return { isNeeded: sessions.areNeeded, ...(person !== undefined && { person }), users: users.active() };
    },
    'task.list': async (query) => {
      const { rows, total } = clinic.tasks.list(query);
      return {
        rows: rows.map((row) =>
          row.state === 'RECEIVING' && clinic.streams.isDeviceLost(row.taskId) ? { ...row, isDeviceLost: true } : row,
        ),
        total,
      };
    },
    'task.get': async ({ taskId }) => {
      const device = clinic.streams.deviceView(clinic.tasks.find(undefined, taskId));
      return { ...clinic.tasks.detail(taskId), ...(device !== undefined && { device }) };
    },
    'task.history': async ({ taskId }) => {
      const stage = clinic.queue.stageOf(clinic.tasks.find(undefined, taskId).id);
      return { events: historyOf(clinic.context, taskId), ...(stage !== undefined && { stage }) };
    },
    'patient.search': async ({ text, dateOrder }) => {
      const { patients, total } = clinic.patients.search(clinic.organizationId, text, dateOrder);
      return { patients: patients.map(toKnown), total };
    },
    'patient.similar': async ({ patient }) => ({ patients: clinic.patients.mayBeSame(clinic.organizationId, patient).map(toKnown) }),
    'patient.merges': async () => ({
      merges: clinic.patientMerge.recent().flatMap(({ id, mergedMs, keptId, goneId }) => {
        const [kept, gone] = [clinic.context.store.patients.byId(keptId), clinic.context.store.patients.byId(goneId)];
        return kept === undefined || gone === undefined ? [] : [{ mergeId: id, mergedMs, kept: toKnown(kept), gone: toKnown(gone) }];
      }),
    }),
    'order.list': async () => {
      sessions.actor(session, 'record');
      const { orders, unread, trouble } = clinic.orders.list();
      return {
        orders: orders.map(toOrderView),
        unread: unread.map(({ id, ...file }) => ({ fileId: id, ...file })),
        ...(trouble !== undefined && { trouble }),
      };
    },
    'order.look': async (reading) => {
      sessions.actor(session, 'settings');
      return clinic.orders.look(reading);
    },
    'setting.list': async () => ({
      values: Object.fromEntries(Object.entries(clinic.context.settings()).map(([key, value]) => [key, String(value)])),
    }),
    'token.list': async () => {
      sessions.actor(session, 'tokens');
      const { store } = clinic.context;
      return { tokens: store.tokens.list().map(toTokenView), organizations: store.organizations.all().map(({ path }) => path) };
    },
    'report.read': async ({ taskId }) => {
      const read = await clinic.reports.read(taskId);
      await clinic.reading.note(session, 'report.read', taskId);
      return read;
    },
  } satisfies Partial<HandlersOf<PageCall>>;
}

function accountHandlers({ sessions, users }: Clinic, session: string) {
  return {
    'session.signIn': async ({ userId, secret }) => sessions.signIn(session, userId, secret),
    'session.touch': async () => {
      sessions.touch(session);
      return {};
    },
    'session.signOut': async () => {
      sessions.end(session);
      return {};
    },
    'user.add': async ({ name, role, secret }) => users.add(name, role, secret, sessions.requireAnybody(session)),
    'user.deactivate': async ({ userId }) => {
      await users.deactivate(userId, sessions.requirePerson(session, 'users'));
      return {};
    },
    'user.changeSecret': async ({ before, after }) => {
      await users.changeSecret(sessions.requirePerson(session, 'record'), before, after);
      return {};
    },
  } satisfies Partial<HandlersOf<PageCall>>;
}

function workHandlers(clinic: Clinic, session: string) {
  const { sessions, users } = clinic;
  /** Somebody who may, and has just shown once more who it is (SEC53). */
  const confirmed = async (secret: string): Promise<Person> => users.confirm(sessions.requirePerson(session, 'approve'), secret);
  return {
    'import.open': async ({ files }) => {
      sessions.actor(session, 'import');
      return { importId: await clinic.imports.open(files) };
    },
    'import.write': async ({ importId, fileIndex, offsetBytes, bytes }) => {
      await clinic.imports.write(importId, fileIndex, offsetBytes, bytes);
      return {};
    },
    'import.finish': async ({ importId, autoComplete }) => clinic.imports.finish(importId, autoComplete, sessions.actor(session, 'import')),
    'import.cancel': async ({ importId }) => {
      await clinic.imports.cancel(importId);
      return {};
    },
    'device.command': async ({ taskId, command }) => {
      await clinic.devices.command(taskId, command, sessions.actor(session, 'record'));
      return {};
    },
    'stream.finish': async ({ taskId }) => {
      const actor = sessions.actor(session, 'record');
      await clinic.streams.finish(clinic.tasks.find(undefined, taskId).organizationId, taskId, actor);
      return {};
    },
    'device.setDuration': async ({ taskId, durationMs }) => {
      await clinic.devices.setDuration(taskId, durationMs, sessions.actor(session, 'record'));
      return {};
    },
    'task.retry': async ({ taskId }) => {
      await clinic.tasks.retry(taskId, sessions.actor(session, 'retry'));
      return {};
    },
    'task.assign': async (assigning) => {
      await clinic.assignment.assign(assigning, sessions.actor(session, 'editPatient'));
      return {};
    },
    'patient.merge': async ({ facts, ...merging }) => {
      const { ageYears: _age, ...lasting } = facts;
      return { mergeId: await clinic.patientMerge.merge({ ...merging, facts: lasting }, sessions.actor(session, 'mergePatients')) };
    },
    'patient.part': async ({ mergeId }) => {
      await clinic.patientMerge.undo(mergeId, sessions.actor(session, 'mergePatients'));
      return {};
    },
    'order.putAway': async ({ orderId }) => {
      await clinic.orders.putAway({ orderId }, sessions.actor(session, 'record'));
      return {};
    },
    'order.putFileAway': async ({ fileId }) => {
      await clinic.orders.putAway({ fileId }, sessions.actor(session, 'record'));
      return {};
    },
    'report.saved': async ({ taskId }) => {
      clinic.tasks.find(undefined, taskId);
      await clinic.reading.note(session, 'report.saved', taskId);
      return {};
    },
    'task.delete': async ({ taskId, reason }) => {
      await clinic.deletion.delete(taskId, reason, session);
      return {};
    },
    'task.approve': async ({ taskId, revision, secret }) => {
      const person = await confirmed(secret);
      await clinic.approvals.approve(taskId, revision, { name: person.name, actor: actorOf(person) });
      return {};
    },
    'task.reject': async ({ taskId, reason, secret }) => {
      const person = await confirmed(secret);
      await clinic.approvals.reject(taskId, reason, { name: person.name, actor: actorOf(person) });
      return {};
    },
    'token.create': async ({ organization, label, scopes, lifeDays }) => {
      const creator = sessions.actor(session, 'tokens');
      const { text } = await createToken(clinic.context, { organizationPath: organization, label, scopes, lifeDays, creator });
      return { text };
    },
    'token.revoke': async ({ tokenId }) => {
      await revokeToken(clinic.context, tokenId, sessions.actor(session, 'tokens'));
      return {};
    },
    'setting.change': async ({ key, text }) => {
      await changeSetting(clinic.context, key, text, sessions.actor(session, 'settings'));
      if (key.startsWith('sync.')) await clinic.enrolment.reconsider();
      return {};
    },
  } satisfies Partial<HandlersOf<PageCall>>;
}

/** For the recorder on the main thread. */
export function recorderHandlers({ desk, sessions, centralCommands }: Clinic): HandlersOf<keyof typeof RECORDER_CALLS> {
  return {
    'recorder.begin': async ({ sampleRateHz, leadCodes, scale, ...start }) => ({
      taskId: await desk.begin({ ...start, parameters: { sampleRateHz, leadCodes, scale } }),
    }),
    'recorder.append': async ({ taskId, timestampUs, bytes, events }) => {
      await desk.append(taskId, timestampUs, bytes, events);
      return centralCommands.isToStop(taskId) ? { isToStop: true } : {};
    },
    'recorder.finish': async ({ taskId, device, events, warnings }) => {
      await desk.finish(taskId, device, events, warnings);
      return {};
    },
    'recorder.discard': async ({ taskId, isTaskOurs }) => {
      await desk.discardEmpty(taskId, isTaskOurs);
      return {};
    },
    'recorder.lockAll': async () => {
      sessions.endAll();
      return {};
    },
    'recorder.requireSignedIn': async ({ session }) => {
      sessions.requireAnybody(session);
      return {};
    },
    'recorder.open': async () => ({ recordings: desk.open() }),
    'recorder.space': async () => ({ freeBytes: await desk.freeBytes() }),
    'recorder.known': async ({ identity }) => {
      const device = desk.known(identity);
      return device === undefined ? {} : { device };
    },
    'recorder.remember': async (device) => {
      await desk.remember(device);
      return {};
    },
  };
}
