// The domain of one data folder, put together: what the bridge and the service call.

import { AuditTrail } from './audit-trail.ts';
import { Backups } from './backups/backups.ts';
import { type ClinicContext, change } from './context.ts';
import { Doors } from './doors.ts';
import { Orders } from './orders/orders.ts';
import { CentralCommands } from './outbox/central-commands.ts';
import { Connections } from './outbox/connections.ts';
import { Decisions } from './outbox/decisions.ts';
import { Enrolment } from './outbox/enrolment.ts';
import { Outbox } from './outbox/outbox.ts';
import { LegalHolds } from './patients/legal-holds.ts';
import { PatientMerge } from './patients/patient-merge.ts';
import { Patients } from './patients/patients.ts';
import { Phrases } from './people/phrases.ts';
import { Sessions } from './people/sessions.ts';
import { Tokens } from './people/tokens.ts';
import { Users } from './people/users.ts';
import { Refusals } from './refusals.ts';
import { Seats } from './seats/seats.ts';
import { Storage } from './storage-state.ts';
import { DeskRecordings } from './streams/desk-recordings.ts';
import { DeviceLinks } from './streams/device-links.ts';
import { assembleStream } from './streams/stream-assembly.ts';
import { Streams } from './streams/streams.ts';
import { supportText } from './support-text.ts';
import { Adoption } from './tasks/adoption.ts';
import { AnalysisQueue } from './tasks/analysis-queue.ts';
import { Approvals } from './tasks/approvals.ts';
import { Assignment } from './tasks/assignment.ts';
import { ChannelChoices } from './tasks/channel-choices.ts';
import { Consultations } from './tasks/consultations.ts';
import { CorrectedFindings } from './tasks/corrected-findings.ts';
import { Corrections } from './tasks/corrections.ts';
import { Criticals } from './tasks/criticals.ts';
import { Deletion } from './tasks/deletion.ts';
import { Downloads } from './tasks/downloads.ts';
import { Exports } from './tasks/exports.ts';
import { PatientEcgs } from './tasks/patient-ecgs.ts';
import { Reading } from './tasks/reading.ts';
import { Reports } from './tasks/reports.ts';
import { Review } from './tasks/review.ts';
import { listUnlistedTasks } from './tasks/task-listing.ts';
import { Tasks } from './tasks/tasks.ts';
import { Worklist } from './tasks/worklist.ts';
import { Updates } from './updates/updates.ts';
import { Imports } from './uploads/imports.ts';
import { Uploads } from './uploads/uploads.ts';

export const DEFAULT_ORGANIZATION = 'clinic';
const HOUSEKEEPING_MS = 60_000;
const IDLE_LOOK_MS = 1000;

export interface Clinic {
  readonly context: ClinicContext;
  /** The organization of this workstation. */
  readonly organizationId: number;
  readonly tokens: Tokens;
  readonly users: Users;
  readonly sessions: Sessions;
  readonly phrases: Phrases;
  readonly consultations: Consultations;
  readonly seats: Seats;
  readonly uploads: Uploads;
  readonly patients: Patients;
  readonly tasks: Tasks;
  readonly worklist: Worklist;
  readonly streams: Streams;
  readonly devices: DeviceLinks;
  readonly desk: DeskRecordings;
  readonly approvals: Approvals;
  readonly assignment: Assignment;
  readonly channelChoices: ChannelChoices;
  readonly deletion: Deletion;
  readonly patientMerge: PatientMerge;
  readonly legalHolds: LegalHolds;
  readonly downloads: Downloads;
  readonly reports: Reports;
  readonly review: Review;
  readonly patientEcgs: PatientEcgs;
  readonly criticals: Criticals;
  readonly exports: Exports;
  readonly corrections: Corrections;
  readonly reading: Reading;
  readonly orders: Orders;
  readonly outbox: Outbox;
  readonly connections: Connections;
  readonly enrolment: Enrolment;
  readonly decisions: Decisions;
  readonly centralCommands: CentralCommands;
  readonly imports: Imports;
  readonly queue: AnalysisQueue;
  readonly adoption: Adoption;
  readonly refusals: Refusals;
  readonly doors: Doors;
  readonly backups: Backups;
  readonly storage: Storage;
  readonly updates: Updates;
  /** To be read before it is sent to anybody. */
  supportText(): Promise<string>;
  readonly auditTrail: AuditTrail;
  close(): Promise<void>;
}

/** A new data folder has one organization (command line: `token create`). */
export async function ensureOrganization(context: ClinicContext): Promise<number> {
  const known = context.store.organizations.byPath(DEFAULT_ORGANIZATION);
  if (known !== undefined) return known.id;
  return change(context, () => {
    const made = context.store.organizations.add(DEFAULT_ORGANIZATION, 'Clinic', context.clock.nowMs());
    return {
      result: made.id,
      notes: [
        { actor: 'program', action: 'organization.created', subject: `organization:${made.id}`, detail: {} },
      ],
    };
  });
}

export async function openClinic(context: ClinicContext): Promise<Clinic> {
  const organizationId = await ensureOrganization(context);
  const users = new Users(context);
  const sessions = new Sessions(context, users);
  const uploads = new Uploads(context);
  const patients = new Patients(context);
  // Tasks wake the queue and the queue moves tasks; the function breaks the circle.
  const outbox = new Outbox(context);
  const enrolment = new Enrolment(context, outbox);
  const tasks: Tasks = new Tasks(context, uploads, patients, enrolment, () => queue.wake());
  const findings = new CorrectedFindings(context, tasks);
  const reports = new Reports(context, tasks, findings);
  const devices = new DeviceLinks(context);
  const streams = new Streams(context, tasks, devices, outbox);
  const queue = new AnalysisQueue(context, tasks, reports, (task, signal) =>
    assembleStream(context, enrolment, task, signal),
  );
  const imports = new Imports(context, tasks, organizationId);
  const adoption = new Adoption(context, tasks, organizationId);
  const refusals = new Refusals(context);
  const orders = new Orders(context, organizationId);
  const downloads = new Downloads(context, tasks, reports);
  const legalHolds = new LegalHolds(context, tasks);
  const deletion = new Deletion(context, tasks, sessions);
  const backups = new Backups(context);
  const storage = new Storage(context);
  const updates = new Updates(context, backups);
  const auditTrail = new AuditTrail(context);
  await updates.noteOutcome();
  await deletion.removeErased();
  const endListing = await listUnlistedTasks(context);
  await outbox.resume();
  queue.start();
  const keepHouse = (): void => {
    Promise.all([
      uploads.expire(),
      streams.closeIdle(),
      downloads.expire(),
      orders.forgetOld(),
      deletion.removeErased(),
    ]).catch((error: unknown) =>
      context.log('housekeeping.failed', { reason: error instanceof Error ? error.name : 'unknown' }),
    );
  };
  keepHouse();
  // A backup not at once: whether these data are a copy is found out first.
  const housekeeping = setInterval(() => {
    keepHouse();
    backups.startIfDue();
    updates.lookIfDue();
  }, HOUSEKEEPING_MS);
  const locking = setInterval(() => sessions.endIdle(), IDLE_LOOK_MS);
  const worklist = new Worklist(context, tasks);
  return {
    context,
    organizationId,
    tokens: new Tokens(context),
    users,
    sessions,
    phrases: new Phrases(context),
    consultations: new Consultations(context, tasks),
    seats: new Seats(context, sessions),
    uploads,
    patients,
    tasks,
    worklist,
    streams,
    devices,
    desk: new DeskRecordings(context, tasks, streams, sessions, organizationId),
    approvals: new Approvals(context, tasks, reports, findings),
    assignment: new Assignment(context, tasks, patients, enrolment),
    channelChoices: new ChannelChoices(context, tasks, enrolment),
    patientMerge: new PatientMerge(context),
    deletion,
    legalHolds,
    downloads,
    reports,
    review: new Review(context, tasks, findings),
    patientEcgs: new PatientEcgs(context, tasks),
    criticals: new Criticals(context, tasks),
    exports: new Exports(context, tasks, worklist, reports),
    corrections: new Corrections(context, tasks),
    reading: new Reading(context, sessions),
    orders,
    outbox,
    connections: new Connections(context),
    enrolment,
    decisions: new Decisions(context, outbox, enrolment),
    centralCommands: new CentralCommands(context),
    imports,
    queue,
    adoption,
    refusals,
    doors: new Doors(context),
    backups,
    storage,
    updates,
    supportText: () => supportText({ context, backups, storage }),
    auditTrail,
    async close() {
      clearInterval(housekeeping);
      clearInterval(locking);
      await endListing();
      await backups.close();
      await refusals.close();
      await queue.stop();
      await imports.close();
    },
  };
}
