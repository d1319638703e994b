// What people are shown of the way to the connections.

import type { ConnectionView, RaisedView, SyncItemView } from '../../../shared/bridge/sync-views.ts';
import { factsOf, orderTroublesOf, shownOf } from '../../../shared/connections/connections.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import type { PatientFacts } from '../../../shared/signal/recording.ts';
import { SYNC_LISTS, type SyncList } from '../../../shared/sync-state.ts';
import type { ClinicContext } from '../context.ts';
import type { ConnectionLink } from '../ports.ts';
import { patientOf } from '../tasks/task-patient.ts';
import { causeOf, centralIdOf, knowableFromMs, processedMsOf, severityOf } from './item.ts';
import type { Connection, OutboxEntry, SentPatient } from './records.ts';

const HALF_HOUR_MS = 1_800_000;
const HALF_HOURS = 48;

/** How many of these fell into each half hour of the last day, the latest last. */
function byHalfHour(timesMs: readonly number[], nowMs: number): number[] {
  const counts = new Array<number>(HALF_HOURS).fill(0);
  for (const timeMs of timesMs) {
    const place = HALF_HOURS - 1 - Math.floor((nowMs - timeMs) / HALF_HOUR_MS);
    if (place >= 0 && place < HALF_HOURS) counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

const midnightMs = (nowMs: number): number => new Date(nowMs).setHours(0, 0, 0, 0);

const withoutChannels = ({ channels: _channels, ...patient }: SentPatient = {}) => patient;

export class SyncBoard {
  readonly #context: ClinicContext;
  readonly #link: ConnectionLink;

  constructor(context: ClinicContext, link: ConnectionLink) {
    this.#context = context;
    this.#link = link;
  }

  overview(): ConnectionView[] {
    return this.#context.store.connections.all().map((connection) => this.#toView(connection));
  }

  /** What a centre judges graver than we do, and nobody has seen yet. */
  raised(): RaisedView[] {
    return this.#context.store.outbox.raised().map(({ item, taskId, severity }) => ({
      itemId: item.id,
      taskId,
      severity,
      patient: this.#patientOf(taskId),
    }));
  }

  #toView({
    id,
    label,
    to,
    organizationId,
    takesUnread,
    proven,
    upstream,
    lastContactMs,
  }: Connection): ConnectionView {
    const { store, clock, connectionSecrets } = this.#context;
    const facts = factsOf(to);
    const nowMs = clock.nowMs();
    const counts = store.outbox.count(id);
    const count = (state: OutboxEntry['item']['state']): number => counts.get(state) ?? 0;
    const { trouble, clockOffsetMs, bytesPerSecond } = this.#link.stateOf(id);
    const oldestMs = store.outbox.oldest(id, ['READY', 'SENDING'])?.createdMs;
    return {
      connectionId: id,
      label,
      host: facts.hostOf(to.config),
      organization: store.organizations.byId(organizationId)?.path ?? '',
      kind: to.kind,
      facts: shownOf(to),
      hasCredential: facts.needsSecret(to.config),
      isSealed: connectionSecrets.isSealed,
      takesOrders: orderTroublesOf(to) !== undefined,
      takesResults: facts.takes === 'results',
      takesUnread,
      ...given({ isConfirming: proven.isConfirming }),
      ...(upstream.stop !== undefined && { stop: upstream.stop }),
      ...(trouble !== undefined && { trouble }),
      ...(lastContactMs !== undefined && { lastContactMs }),
      ...given({ lastDoneMs: store.outbox.lastDoneMs(id) }),
      doneByHalfHour: byHalfHour(store.outbox.doneSince(id, nowMs - HALF_HOURS * HALF_HOUR_MS), nowMs),
      ...(upstream.notBeforeMs > nowMs && { nextTryMs: upstream.notBeforeMs }),
      ...(clockOffsetMs !== undefined && { clockOffsetMs }),
      held: count('HELD'),
      waiting: count('READY') + count('SENDING'),
      sending: count('SENDING'),
      atCentre: count('WAITING_REPORT'),
      toDecide: count('NEEDS_CHECK') + count('REFUSED'),
      stopped: count('STOPPED'),
      differing: store.outbox.countDiffering(id),
      doneToday: store.outbox.countChangedSince(id, 'DONE', midnightMs(nowMs)),
      done: count('DONE'),
      ...(oldestMs !== undefined && { oldestMs }),
      waitingBytes: store.outbox.waitingBytes(id),
      ...(bytesPerSecond !== undefined && { bytesPerSecond }),
    };
  }

  /** The queue in the order in which it goes; everything else with what happened last on top. */
  items(connectionId: number, list: SyncList, limit: number): SyncItemView[] {
    return this.#entries(connectionId, list, limit).map((entry) => ({
      ...this.#toItem(entry),
      ...(list === 'differing' && { sentPatient: withoutChannels(entry.sent) }),
    }));
  }

  #entries(connectionId: number, list: SyncList, limit: number): OutboxEntry[] {
    const { outbox } = this.#context.store;
    if (list === 'differing') return outbox.differing(connectionId, limit);
    return list === 'queue'
      ? outbox.queue(connectionId, SYNC_LISTS.queue, limit)
      : outbox.list(connectionId, SYNC_LISTS[list], limit);
  }

  #patientOf(taskId: number): PatientFacts {
    const { store } = this.#context;
    const task = store.tasks.byId(taskId);
    if (task === undefined) return {};
    const recording = task.recordingId === undefined ? undefined : store.recordings.byId(task.recordingId);
    return patientOf(task.fields, recording?.facts.patient ?? {});
  }

  #isKept(taskId: number): boolean {
    const { tasks, outbox } = this.#context.store;
    const patientId = tasks.byId(taskId)?.patientId;
    return patientId !== undefined && outbox.isKept(patientId);
  }

  #toItem({ item, connectionId, taskId, marker, changedMs }: OutboxEntry): SyncItemView {
    const progress = this.#link.progressOf(connectionId, item.id);
    return {
      itemId: item.id,
      taskId,
      patient: this.#patientOf(taskId),
      state: item.state,
      way: item.way,
      kind: (this.#context.store.connections.byId(connectionId) as Connection).to.kind,
      isCritical: item.isCritical,
      isLive: item.isLive,
      createdMs: item.createdMs,
      changedMs,
      ...(item.notBeforeMs > this.#context.clock.nowMs() && { nextTryMs: item.notBeforeMs }),
      ...given({ knowableFromMs: knowableFromMs(item, this.#context.clock.nowMs()) }),
      failures: item.vain,
      ...given({ cause: causeOf(item), message: item.message, centralId: centralIdOf(item) }),
      marker,
      ...(progress !== undefined && { progress }),
      ...given({ severity: severityOf(item) }),
      hasReport: this.#context.store.outbox.latestReport(item.id) !== undefined,
      isWithoutReport: processedMsOf(item) !== undefined,
      isPatientKept: this.#isKept(taskId),
    };
  }

  /** @throws IsolineError `report_not_available`, `report_damaged` */
  async report(taskId: number): Promise<{ pdf: Uint8Array; fetchedMs: number; patient: PatientFacts }> {
    const { store, files } = this.#context;
    if (store.tasks.byId(taskId)?.state === 'DELETED')
      throw new IsolineError('task_not_found', 'This task does not exist.');
    const report = store.outbox
      .ofTask(taskId)
      .map(({ item }) => store.outbox.latestReport(item.id))
      .findLast((each) => each !== undefined);
    if (report === undefined)
      throw new IsolineError(
        'report_not_available',
        'The central service has not sent a report for this recording yet.',
      );
    const pdf = await files.get(report.sha256);
    if (pdf === undefined)
      throw new IsolineError(
        'report_damaged',
        'The stored report from the central service is damaged. Fetch it again.',
      );
    return { pdf, fetchedMs: report.fetchedMs, patient: this.#patientOf(taskId) };
  }
}
