// Tasks: made from uploads, imports or nothing; their state; what /v3 and the screens see of them. D50 to
// D64.

import { createHash } from 'node:crypto';
import { fullYears } from '../../../shared/civil-time.ts';
import { fitsOrder } from '../../../shared/entry/order-fit.ts';
import { IsolineError, type Reason } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import type { Severity } from '../../../shared/severity.ts';
import type { ChannelChoice } from '../../../shared/signal/channel-choice.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import { isProcessed, nextTaskState, type TaskEvent, type TaskState } from '../../../shared/task-state.ts';
import { warning } from '../../../shared/warnings/warning.ts';
import type { StatedTask, TaskFields } from '../../ground/task-fields.ts';
import { type ClinicContext, change, type Note, newLocalId, type Tx } from '../context.ts';
import type { Enrolment } from '../outbox/enrolment.ts';
import type { Patients } from '../patients/patients.ts';
import type { AnalysisJob } from '../ports.ts';
import { recordsOfUpload } from '../uploads/incoming-records.ts';
import type { Uploads } from '../uploads/uploads.ts';
import type { DeskEntry, RecordingFacts, RecordingRow, StoredFile, Task } from './records.ts';
import { listTask } from './task-listing.ts';
import { patientOf } from './task-patient.ts';

const SAME_REQUEST_MS = 86_400_000;

/** Things in a request that are odd without being wrong (D50). */
function fieldWarnings(fields: TaskFields, nowMs: number): Warning[] {
  const warnings: Warning[] = [];
  const { weightG, birthDate, ageYears } = fields.patient;
  if (weightG !== undefined && weightG < 200)
    warnings.push(warning('weight_looks_like_kg', { grams: weightG }));
  const asOfMs = fields.recordingStartMs ?? nowMs;
  if (
    birthDate !== undefined &&
    ageYears !== undefined &&
    Math.abs(fullYears(birthDate, asOfMs) - ageYears) > 1
  ) {
    warnings.push(warning('age_differs'));
  }
  return warnings;
}

/** Identity of a recording of several files: the list of their names and contents. */
export function identityOf(files: readonly StoredFile[]): string {
  const [only, ...rest] = files;
  if (only !== undefined && rest.length === 0) return only.sha256;
  const lines = files.map((file) => `${file.sha256} ${file.name}`).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** The upload that a task is made of, if any. */
export interface FromUpload {
  readonly uploadId: string;
  /** Equal for equal requests (D46). */
  readonly requestHash: string;
}

/** What other programs are told of a task. */
export interface Status {
  readonly createdMs: number;
  readonly isProcessed: boolean;
  readonly isReportAvailable: boolean;
  /** Absent until there are findings that count. */
  readonly severity: Severity | undefined;
}

const NOBODY: DeskEntry = { fields: { patient: {} }, isAutoComplete: false, identity: {} };

interface Draft extends StatedTask {
  readonly organizationId: number;
  readonly actor: string;
  readonly identity?: Task['identity'];
  readonly orderId?: number | undefined;
}

export class Tasks {
  readonly #context: ClinicContext;
  readonly #uploads: Uploads;
  readonly #patients: Patients;
  readonly #enrolment: Enrolment;
  readonly #onQueued: () => void;

  constructor(
    context: ClinicContext,
    uploads: Uploads,
    patients: Patients,
    enrolment: Enrolment,
    onQueued: () => void,
  ) {
    this.#context = context;
    this.#enrolment = enrolment;
    this.#uploads = uploads;
    this.#patients = patients;
    this.#onQueued = onQueued;
  }

  /**
   * Moves a task along the table of D60. @throws IsolineError `task_state_conflict`.
   */
  move(
    tx: Tx,
    taskId: number,
    event: TaskEvent,
    change: { failureReason?: Reason; attempts?: number } = {},
  ): TaskState {
    const task = this.find(undefined, taskId);
    const state = nextTaskState(task.state, event);
    if (state === undefined)
      throw new IsolineError(
        'task_state_conflict',
        `The task cannot do this in its current state (${task.state}).`,
      );
    this.#context.store.tasks.setState(taskId, state, change);
    if (state === 'DELETED') listTask(tx, this.#context.store, taskId);
    this.#enrolment.consider(tx, taskId);
    return state;
  }

  /** Whether it, or its newest reading, is to go somewhere now. */
  consider(tx: Tx, taskId: number): void {
    this.#enrolment.consider(tx, taskId);
  }

  /** The one operation behind POST /v3/orgs/…/tasks. */
  async create(
    organizationId: number,
    stated: StatedTask,
    actor: string,
    from?: FromUpload,
  ): Promise<readonly number[]> {
    if (from === undefined) return [await this.#createDraft({ organizationId, ...stated, actor })];
    const upload = await this.#uploads.requireComplete(organizationId, from.uploadId);
    const { store, clock } = this.#context;
    const earlier = store.uploads.earlierRequest(
      upload.id,
      from.requestHash,
      clock.nowMs() - SAME_REQUEST_MS,
    );
    if (earlier !== undefined) return earlier;
    const records = await recordsOfUpload(this.#context, organizationId, {
      sha256: upload.sha256,
      sizeBytes: upload.totalSizeBytes,
    });
    const ids = await change(this.#context, (tx) => {
      // While the file was looked at, the upload may have reached the end of its time.
      this.#uploads.find(organizationId, upload.id);
      // Two equal requests may have been looked at side by side: the first one to get here wins.
      const meanwhile = store.uploads.earlierRequest(
        upload.id,
        from.requestHash,
        clock.nowMs() - SAME_REQUEST_MS,
      );
      if (meanwhile !== undefined) return { result: meanwhile, notes: [] };
      const made = records.map((record) =>
        this.addRecorded(tx, { organizationId, ...stated, origin: 'v3', ...record, actor }),
      );
      const taskIds = made.map(({ taskId }) => taskId);
      store.uploads.rememberRequest(upload.id, from.requestHash, taskIds, clock.nowMs());
      return { result: taskIds, notes: made.flatMap(({ notes }) => notes) };
    });
    for (const id of ids) this.announceQueued(id);
    return ids;
  }

  announceQueued(taskId: number): void {
    this.#context.publish('task.changed', { taskId });
    this.#onQueued();
  }

  /** A task for a recording on the desk. @param entry absent: recorded before anybody said who it is */
  createForDesk(
    organizationId: number,
    deviceId: string,
    entry: DeskEntry | undefined,
    actor: string,
  ): Promise<number> {
    const { fields, isAutoComplete, identity, orderId } = entry ?? NOBODY;
    return this.#createDraft({
      organizationId,
      fields: { ...fields, deviceId },
      isAutoComplete,
      actor,
      identity,
      orderId,
    });
  }

  /** One more task for the patient of an earlier one, as it stands now. */
  createLike(
    { organizationId, fields, isAutoComplete, identity }: Task,
    deviceId: string,
    actor: string,
  ): Promise<number> {
    const { recordingStartMs: _start, ...rest } = fields;
    return this.#createDraft({
      organizationId,
      fields: { ...rest, deviceId },
      isAutoComplete,
      actor,
      identity,
    });
  }

  async #createDraft({
    organizationId,
    fields,
    isAutoComplete,
    actor,
    identity,
    orderId,
  }: Draft): Promise<number> {
    const { store, clock, randomBytes } = this.#context;
    const createdMs = clock.nowMs();
    const state: TaskState = fields.deviceId === undefined ? 'DRAFT' : 'WAITING';
    const id = await change(this.#context, (tx) => {
      const localId = newLocalId(randomBytes);
      const result = store.tasks.add({
        localId,
        organizationId,
        recordingId: undefined,
        patientId: this.#patients.noteSeen(tx, organizationId, patientOf(fields, {})),
        state,
        isAutoComplete,
        origin: 'v3',
        identity,
        fields,
        warnings: fieldWarnings(fields, createdMs),
        channels: undefined,
        createdMs,
      });
      listTask(tx, store, result);
      const order = orderId === undefined ? undefined : store.orders.byId(orderId);
      // An order that was taken for somebody else than lies there now is still open.
      const isOrdered =
        order?.organizationId === organizationId && fitsOrder(order.facts.patient, patientOf(fields, {}));
      if (isOrdered) store.orders.link(order.id, result);
      const detail = { state, ...identity, ...(isOrdered && { order: order.id }) };
      return {
        result,
        notes: [{ actor, action: 'task.created', subject: `task:${result}`, detail }],
      };
    });
    this.#context.publish('task.changed', { taskId: id });
    return id;
  }

  /** Adds a recording, if its content is new, and a queued task on it. */
  addRecorded(
    tx: Tx,
    input: StatedTask & {
      readonly organizationId: number;
      readonly origin: Task['origin'];
      readonly files: readonly StoredFile[];
      readonly facts: RecordingFacts;
      /** Beside those of the recording itself. */
      readonly warnings?: readonly Warning[];
      /** Which channels are ECG, where a person has said so of this recording. */
      readonly channels?: ChannelChoice | undefined;
      /** How the patient was confirmed, where it was recorded at a desk. */
      readonly identity?: Task['identity'];
      readonly actor: string;
    },
  ): { taskId: number; notes: Note[] } {
    const { store, clock, randomBytes } = this.#context;
    const createdMs = clock.nowMs();
    const sha256 = identityOf(input.files);
    const known = store.recordings.bySha256(sha256);
    const recordingId =
      known?.id ?? store.recordings.add({ sha256, files: input.files, facts: input.facts }, createdMs);
    const twin = known === undefined ? undefined : store.tasks.byRecording(known.id)[0];
    const ofFields = fieldWarnings(input.fields, createdMs);
    const told = new Set(ofFields.map(({ code }) => code));
    const warnings = [
      ...ofFields,
      ...(input.warnings ?? []).filter(({ code }) => !told.has(code)),
      ...(twin === undefined
        ? []
        : [warning('same_recording_as', { taskId: twin.id }, `same_recording_as:${twin.id}`)]),
    ];
    const localId = newLocalId(randomBytes);
    const { organizationId, isAutoComplete, origin, fields } = input;
    const remembered = this.#rememberedChannels(organizationId, input.facts);
    const channels = input.channels ?? remembered;
    const taskId = store.tasks.add({
      localId,
      organizationId,
      recordingId,
      patientId: this.#patients.noteSeen(tx, organizationId, patientOf(fields, input.facts.patient)),
      state: 'QUEUED',
      isAutoComplete,
      origin,
      identity: input.identity,
      fields,
      warnings,
      channels,
      createdMs,
    });
    listTask(tx, store, taskId);
    this.#enrolment.consider(tx, taskId);
    return {
      taskId,
      notes: [
        {
          actor: input.actor,
          action: 'task.created',
          subject: `task:${taskId}`,
          detail: {
            state: 'QUEUED',
            recording: recordingId,
            ...(input.channels === undefined && remembered !== undefined && { channels: 'remembered' }),
          },
        },
      ],
    };
  }

  /** What a person said of recordings with the same list of channels. */
  #rememberedChannels(organizationId: number, { channelsKey }: RecordingFacts): ChannelChoice | undefined {
    return channelsKey === undefined
      ? undefined
      : this.#context.store.channelChoices.of(organizationId, channelsKey);
  }

  /** A task of the organization; a foreign or deleted one is as if it were not there (D33). */
  find(organizationId: number | undefined, taskId: number): Task {
    const task = this.#context.store.tasks.byId(taskId);
    if (
      task === undefined ||
      task.state === 'DELETED' ||
      (organizationId !== undefined && task.organizationId !== organizationId)
    )
      throw new IsolineError('task_not_found', 'This task does not exist.');
    return task;
  }

  recordingOf(task: Task): RecordingRow {
    const recording =
      task.recordingId === undefined ? undefined : this.#context.store.recordings.byId(task.recordingId);
    if (recording === undefined)
      throw new IsolineError('task_state_conflict', 'The task has no recording yet.');
    return recording;
  }

  /** What a worker needs to know of a task's recording. */
  jobOf(task: Task): AnalysisJob {
    const recording = this.recordingOf(task);
    return {
      files: recording.files.map((file) => ({
        name: file.name,
        path: this.#context.files.path(file.sha256),
      })),
      patient: patientOf(task.fields, recording.facts.patient),
      createdMs: task.createdMs,
      withSuspicions: this.#context.settings()['analysis.suspicions'],
      ...given({ channels: task.channels, startMs: task.fields.recordingStartMs }),
    };
  }

  /** D61. */
  status(organizationId: number, taskId: number): Status {
    const task = this.find(organizationId, taskId);
    const isJudged = task.state === 'AWAITING_APPROVAL' || task.state === 'COMPLETED';
    const severity = isJudged ? task.severity : undefined;
    return {
      createdMs: task.createdMs,
      isProcessed: isProcessed(task.state),
      isReportAvailable: task.state === 'COMPLETED',
      severity,
    };
  }

  async retry(taskId: number, actor: string): Promise<void> {
    await change(this.#context, (tx) => {
      this.move(tx, taskId, 'retried', { attempts: 0 });
      return {
        result: undefined,
        notes: [{ actor, action: 'task.retried', subject: `task:${taskId}`, detail: {} }],
      };
    });
    this.announceQueued(taskId);
  }
}
