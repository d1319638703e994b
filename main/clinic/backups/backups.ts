// Automatic backups: once a day, and whenever somebody asks. One at a time; what became of each is noted, and how old the
// last good one is can be seen on every screen of those who can do something about it.

import type { AuditAction } from '../../../shared/audit-actions.ts';
import type { BackupState } from '../../../shared/bridge/views.ts';
import { IsolineError, toPlainError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import { type ClinicContext, change } from '../context.ts';
import { changeSetting } from '../settings.ts';
import type { BackupKind, BackupRun, BackupSecret, BackupTarget } from './records.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export class Backups {
  readonly #context: ClinicContext;
  readonly #ended = new AbortController();
  #running: { readonly kind: BackupKind | 'restore'; done: number; of: number } | undefined;
  #work: Promise<void> = Promise.resolve();
  #triedMs = Number.NEGATIVE_INFINITY;

  constructor(context: ClinicContext) {
    this.#context = context;
  }

  async state(): Promise<BackupState> {
    const { store, settings, clock } = this.#context;
    const folder = settings()['backup.folder'];
    const progress = this.#running && { ...this.#running };
    if (folder === '') return { isRunning: progress !== undefined, isLate: false, ...given({ progress }) };
    // Before everything else: what is said below belongs to one moment.
    const isEncrypted = (await this.#context.backupSecret.read()) !== undefined;
    const { backups } = store;
    const [good, failed] = [backups.last('make', folder, true), backups.last('make', folder, false)];
    const [whole, damaged] = [backups.last('verify', folder, true), backups.last('verify', folder, false)];
    const mostMs = settings()['backup.warnDays'] * DAY_MS;
    return {
      folder,
      isEncrypted,
      isRunning: this.#running !== undefined,
      // Where none was ever good, the first that fails is one too many.
      isLate: good === undefined ? failed !== undefined : isOld(good.endedMs, clock.nowMs(), mostMs),
      ...given({
        progress: this.#running && { ...this.#running },
        lastGood: good && {
          atMs: good.endedMs,
          files: good.files,
          sizeBytes: good.sizeBytes,
          lost: good.lost,
        },
        // What was mended since is no trouble any more.
        failed: newer(failed, good),
        verified: whole && { atMs: whole.endedMs },
        damaged: newer(damaged, whole),
      }),
    };
  }

  /**
   * From now on backups go into this folder, one at once. A backup that is there already is gone on with.
   * @throws IsolineError `backup_unusable`, `backup_key_wrong`, `backup_damaged`, `storage_busy`
   */
  async setUp(folder: string, secret: BackupSecret, actor: string): Promise<void> {
    this.#requireIdle();
    await this.#context.backupMaker.open({ folder, secret });
    const { backupSecret } = this.#context;
    if (secret.kind === 'none') await backupSecret.remove();
    else await backupSecret.write(secret.passphrase);
    await changeSetting(this.#context, 'backup.folder', folder, actor);
    this.start('make', actor);
  }

  /** What lies in the folder stays there. */
  async stop(actor: string): Promise<void> {
    await changeSetting(this.#context, 'backup.folder', '', actor);
    await this.#context.backupSecret.remove();
    this.#context.publish('backup.changed', {});
  }

  /** Returns at once; what becomes of it is noted. @throws IsolineError `storage_busy`, `backup_unusable` */
  start(kind: BackupKind, actor: string): void {
    this.#requireIdle();
    const folder = this.#context.settings()['backup.folder'];
    if (folder === '')
      throw new IsolineError(
        'backup_unusable',
        'No folder for backups was chosen. Choose one in the settings.',
      );
    this.#running = { kind, done: 0, of: 0 };
    this.#triedMs = this.#context.clock.nowMs();
    this.#context.publish('backup.changed', {});
    this.#work = this.#run(kind, folder, actor).finally(() => {
      this.#running = undefined;
      this.#context.publish('backup.changed', {});
    });
  }

  /**
   * Only into a data folder in which nothing was recorded yet; the workstation then restarts with what was restored.
   * @throws IsolineError `something_recorded`, `storage_busy`, `backup_unusable`, `database_newer`,
   * `backup_key_wrong`, `backup_damaged`
   */
  async restore(folder: string, secret: BackupSecret): Promise<void> {
    this.#requireIdle();
    this.#requireNothingRecorded();
    this.#running = { kind: 'restore', done: 0, of: 0 };
    const restoring = this.#restore({ folder, secret });
    this.#work = restoring.catch(() => undefined);
    await restoring;
    this.#context.restart();
  }

  async #restore(target: BackupTarget): Promise<void> {
    const { backupMaker } = this.#context;
    try {
      await backupMaker.restore(target, this.#onProgress, this.#ended.signal);
      // It may have taken hours, in which an emergency came.
      this.#requireNothingRecorded();
    } catch (error) {
      await backupMaker.dropRestored();
      throw error;
    } finally {
      this.#running = undefined;
      this.#context.publish('backup.changed', {});
    }
  }

  #requireNothingRecorded(): void {
    const { store, isEmergency } = this.#context;
    // What is recorded meanwhile lies in a folder of its own, and joins what is restored once it is put together.
    if (isEmergency && (store.streams.countOpen() > 0 || store.tasks.inState('QUEUED').length > 0))
      throw new IsolineError(
        'task_state_conflict',
        'A recording is still running or being stored. Stop it, wait a moment, then restore.',
      );
    if (!isEmergency && store.tasks.hasAny())
      throw new IsolineError(
        'something_recorded',
        'Something was recorded here already. A backup is only restored where nothing is, so that nothing is lost.',
      );
  }

  readonly #onProgress = (done: number, of: number): void => {
    if (this.#running === undefined) return;
    Object.assign(this.#running, { done, of });
    this.#context.publish('backup.changed', {});
  };

  /** Looked at by the minute: one a day, and after a failed one another try in an hour. */
  startIfDue(): void {
    const { store, settings, clock } = this.#context;
    const folder = settings()['backup.folder'];
    if (folder === '' || this.#running !== undefined || this.#ended.signal.aborted) return;
    const nowMs = clock.nowMs();
    const lastMs = store.backups.last('make', folder, true)?.endedMs ?? Number.NEGATIVE_INFINITY;
    if (isOld(lastMs, nowMs, DAY_MS) && Math.abs(nowMs - this.#triedMs) > HOUR_MS)
      this.start('make', 'program');
  }

  /** Until what is under way has ended. */
  settled(): Promise<void> {
    return this.#work;
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#work;
  }

  #requireIdle(): void {
    if (this.#ended.signal.aborted)
      throw new IsolineError('shutting_down', 'The program is ending. Start it again first.');
    if (this.#running !== undefined)
      throw new IsolineError('storage_busy', 'A backup is under way. Wait until it has ended.');
  }

  async #targetOf(folder: string): Promise<BackupTarget> {
    const passphrase = await this.#context.backupSecret.read();
    return {
      folder,
      secret: passphrase === undefined ? { kind: 'none' } : { kind: 'passphrase', passphrase },
    };
  }

  async #run(kind: BackupKind, folder: string, actor: string): Promise<void> {
    const { backupMaker, clock, log } = this.#context;
    let run: Omit<BackupRun, 'kind' | 'folder' | 'endedMs'>;
    try {
      const target = await this.#targetOf(folder);
      run = await backupMaker[kind](target, this.#onProgress, this.#ended.signal);
    } catch (error) {
      if (this.#ended.signal.aborted) return;
      const { reason } = toPlainError(error);
      log('backup.failed', { kind, reason });
      run = { files: 0, sizeBytes: 0, lost: 0, reason };
    }
    await this.#note({ ...run, kind, folder, endedMs: clock.nowMs() }, actor);
  }

  async #note(run: BackupRun, actor: string): Promise<void> {
    const { files, sizeBytes, lost, reason, kind } = run;
    const action: AuditAction =
      reason !== undefined ? 'backup.failed' : kind === 'make' ? 'backup.made' : 'backup.verified';
    await change(this.#context, () => {
      this.#context.store.backups.add(run);
      const detail = reason === undefined ? { files, sizeBytes, lost } : { kind, reason };
      return { result: undefined, notes: [{ actor, action, subject: 'backup', detail }] };
    }).catch((error: unknown) =>
      this.#context.log('backup.unnoted', { reason: error instanceof Error ? error.name : 'unknown' }),
    );
  }
}

/** A clock that was wrong may have put it into the future: then nobody knows how old it is. */
const isOld = (atMs: number, nowMs: number, mostMs: number): boolean =>
  nowMs - atMs > mostMs || atMs - nowMs > HOUR_MS;

/** One that failed, as long as none after it was good. */
const newer = (
  failed: BackupRun | undefined,
  good: BackupRun | undefined,
): { readonly atMs: number; readonly reason: string } | undefined =>
  failed?.reason === undefined || failed.endedMs < (good?.endedMs ?? 0)
    ? undefined
    : { atMs: failed.endedMs, reason: failed.reason };
