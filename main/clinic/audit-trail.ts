// The audit trail for those who look into it: searched, checked, exported.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditEntryView, AuditState } from '../../shared/bridge/views.ts';
import { csvTable } from '../../shared/csv-field.ts';
import { type AuditFilter, CHAIN_START, type ChainEnd, type NumberedEntry } from './audit.ts';
import { type ClinicContext, change } from './context.ts';
import { searchTerms } from './patients/patient-words.ts';
import { patientOf } from './tasks/task-patient.ts';

const EXPORT_PART = 1000;
/** Beyond that a table program gives up, too. */
const MOST_EXPORTED = 200_000;
/** The screen has words for these. */
const PROGRAMS = ['workstation', 'program', 'cli'];
const COLUMNS = ['number', 'time (UTC)', 'actor', 'name', 'action', 'subject', 'patient', 'detail'];

export interface AuditListing {
  readonly entries: readonly AuditEntryView[];
  readonly nextBeforeSeq: number | undefined;
}

export class AuditTrail {
  readonly #context: ClinicContext;
  #checked: AuditState['checked'];
  #checking: Promise<void> | undefined;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  state(): AuditState {
    const checked = this.#checked;
    return {
      entries: this.#context.store.audit.lastSeq(),
      actors: this.#actors(),
      ...(checked !== undefined && { checked }),
    };
  }

  /** Everybody who may have done something, also those who have left. */
  #actors(): AuditState['actors'] {
    const { store } = this.#context;
    return [
      ...store.users.all().map(({ id, name }) => ({ actor: `user:${id}`, name })),
      ...store.tokens.list().map(({ id, label }) => ({ actor: `token:${id}`, name: label })),
      ...PROGRAMS.map((actor) => ({ actor })),
    ];
  }

  list(filter: AuditFilter, beforeSeq: number, limit: number): AuditListing {
    const { store, clock } = this.#context;
    // What is typed may be the name of a patient: the trail knows people by their recordings alone.
    const orTerms =
      filter.text === undefined ? undefined : searchTerms(filter.text, 'dayFirst', clock.nowMs());
    const { entries, nextBeforeSeq } = store.audit.page({ ...filter, orTerms }, beforeSeq, limit);
    const labels = new Map(store.tokens.list().map(({ id, label }) => [id, label]));
    return { entries: entries.map((entry) => this.#toView(entry, labels)), nextBeforeSeq };
  }

  /** Every entry against the one before it, and the end against what is noted outside the database. */
  async check(actor: string): Promise<void> {
    this.#checking ??= this.#check(actor).finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  async #check(actor: string): Promise<void> {
    const { store, clock, auditAnchorFault } = this.#context;
    let [end, brokenAt]: [ChainEnd, number | undefined] = [CHAIN_START, undefined];
    for (;;) {
      const part = store.audit.verifyPart(end);
      if (part === undefined) break;
      ({ end, brokenAt } = part);
      if (brokenAt !== undefined) break;
      // What is being recorded goes first.
      await nextTurn();
    }
    const fault = await auditAnchorFault();
    const unfitAt = store.audit.firstOf('audit.unfit');
    this.#checked = {
      atMs: clock.nowMs(),
      entries: end.seq,
      ...(brokenAt !== undefined && { brokenAt }),
      ...(fault !== undefined && { fault }),
      ...(unfitAt !== undefined && { unfitAt }),
    };
    const isWhole = brokenAt === undefined && fault === undefined && unfitAt === undefined;
    const detail = { entries: end.seq, isWhole };
    await change(this.#context, () => ({
      result: undefined,
      notes: [{ actor, action: 'audit.checked', subject: 'audit', detail }],
    }));
  }

  /** As CSV, newest first. The export is an entry, too. */
  async exported(filter: AuditFilter, actor: string): Promise<Uint8Array> {
    const lines = [COLUMNS];
    let beforeSeq: number | undefined = Number.MAX_SAFE_INTEGER;
    while (beforeSeq !== undefined && lines.length < MOST_EXPORTED) {
      const listing: AuditListing = this.list(filter, beforeSeq, EXPORT_PART);
      for (const entry of listing.entries)
        lines.push([
          String(entry.seq),
          new Date(entry.atMs).toISOString(),
          entry.actor,
          entry.by ?? '',
          entry.action,
          entry.subject,
          [entry.patient?.lastName, entry.patient?.firstName].filter(Boolean).join(', '),
          JSON.stringify(entry.detail),
        ]);
      ({ nextBeforeSeq: beforeSeq } = listing);
      await nextTurn();
    }
    const entries = lines.length - 1;
    if (beforeSeq !== undefined) lines.push([`Earlier entries, before number ${beforeSeq}, are left out.`]);
    await change(this.#context, () => ({
      result: undefined,
      notes: [{ actor, action: 'audit.exported', subject: 'audit', detail: { entries } }],
    }));
    return new TextEncoder().encode(csvTable(lines));
  }

  #toView(
    { seq, timeMs, actor, action, subject, detail }: NumberedEntry,
    tokenLabels: ReadonlyMap<number, string>,
  ): AuditEntryView {
    const { store } = this.#context;
    const [kind, id] = actor.split(':');
    const by =
      kind === 'user'
        ? store.users.byId(Number(id))?.name
        : kind === 'token'
          ? tokenLabels.get(Number(id))
          : undefined;
    const [of, taskId] = subject.split(':');
    const task = of === 'task' ? store.tasks.byId(Number(taskId)) : undefined;
    return {
      seq,
      atMs: timeMs,
      actor,
      action,
      subject,
      detail,
      ...(by !== undefined && { by }),
      ...(task !== undefined && { patient: patientOf(task.fields, {}) }),
    };
  }
}
