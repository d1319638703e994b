// New versions of the program: looked for once a day where a server is set, fetched and installed when somebody says so.
// Never while something is recorded, after a backup, and nothing that its signed list does not name.

import type { LookOutcome, UPDATE_HINDRANCES, UpdateState } from '../../../shared/bridge/contract/updates.ts';
import { IsolineError, type Reason, toPlainError } from '../../../shared/errors.ts';
import { given } from '../../../shared/given.ts';
import type { Backups } from '../backups/backups.ts';
import { type ClinicContext, change } from '../context.ts';
import type { OfferedVersion, Updating } from '../ports.ts';
import { compareVersions, type ProgramUpdate, type Release, type ReleaseSource } from './records.ts';

type Hindrance = (typeof UPDATE_HINDRANCES)[number];
type Work = NonNullable<UpdateState['work']>;

const DAY_MS = 86_400_000;
/** An upload that has brought nothing for so long goes on after the restart as well as now. */
const UPLOAD_QUIET_MS = 120_000;
/** The installer as it is fetched, kept, and unpacked. */
const ROOM_FACTOR = 3;

interface Found {
  readonly release: Release;
  readonly source: ReleaseSource;
  readonly sizeBytes: number;
  /** Where the installer lies, once it was fetched and checked. */
  readonly path?: string;
}

export class Updates {
  readonly #context: ClinicContext;
  readonly #backups: Backups;
  #work: Work | undefined;
  #running: Promise<void> = Promise.resolve();
  #found: Found | undefined;
  /** The outcome of the last look at a server; a folder says nothing about what there is elsewhere. */
  #looked: { readonly server: string; readonly outcome: LookOutcome } | undefined;
  #failed: { readonly atMs: number; readonly reason: Reason } | undefined;
  #nextLookMs: number;

  constructor(context: ClinicContext, backups: Backups) {
    this.#context = context;
    this.#backups = backups;
    // Not all clinics at the same moment, and none while it starts.
    const [a = 0, b = 0] = context.randomBytes(2);
    this.#nextLookMs = context.clock.nowMs() + ((a * 256 + b) / 65_536) * 3_600_000;
  }

  async state(): Promise<UpdateState> {
    const { productVersion, store, settings } = this.#context;
    const last = store.updates.last();
    const told = last?.outcome && (await this.#told(last));
    const server = settings()['updates.server'];
    return {
      version: productVersion,
      makesBackup: settings()['backup.folder'] !== '',
      ...given({
        unavailable: this.#unavailable,
        outcome: this.#looked?.server === server ? this.#looked.outcome : undefined,
        work: this.#work && { ...this.#work },
        release: this.#found && {
          version: this.#found.release.version,
          notes: this.#found.release.notes,
          sizeBytes: this.#found.sizeBytes,
          isFetched: this.#found.path !== undefined,
        },
        verifiedMs: server === '' ? undefined : store.updates.verifiedMs(server),
        failed: this.#failed,
        hindrance: this.#found && (await this.#hindrance()),
        last: told,
      }),
    };
  }

  get #unavailable(): UpdateState['unavailable'] {
    const { updating } = this.#context;
    if (updating === undefined) return 'host';
    return updating.releases.canCheck ? undefined : 'keys';
  }

  async #told(update: ProgramUpdate): Promise<NonNullable<UpdateState['last']>> {
    const isInstalled = update.outcome === 'installed';
    return {
      version: update.toVersion,
      fromVersion: update.fromVersion,
      atMs: update.startedMs,
      isInstalled,
      ...given({
        wayBack: isInstalled
          ? await this.#context.updating?.releases.keptInstaller(update.fromVersion)
          : undefined,
      }),
    };
  }

  /** What would suffer if the program ended now. */
  async #hindrance(): Promise<Hindrance | undefined> {
    const { store, clock } = this.#context;
    if (store.streams.countOpen() > 0) return 'recording';
    if (store.uploads.isReceivingSince(clock.nowMs() - UPLOAD_QUIET_MS)) return 'upload';
    if (store.tasks.inState('PROCESSING').length > 0) return 'analysis';
    return this.#work?.kind !== 'preparing' && (await this.#backups.state()).isRunning ? 'backup' : undefined;
  }

  /**
   * @param folder instead of the server that is set
   * @throws IsolineError `update_unavailable`, `update_blocked`, `update_unreachable`, `update_unsigned`,
   * `update_expired`, `update_unsuitable`, `update_damaged`
   */
  async look(folder: string | undefined): Promise<{ readonly outcome: LookOutcome }> {
    const source = this.#sourceOf(folder);
    const updating = this.#begin('looking');
    const isServer = source.kind === 'server';
    return this.#run(async () => {
      if (isServer) {
        this.#looked = undefined;
        this.#nextLookMs = this.#context.clock.nowMs() + DAY_MS;
      }
      const found = await this.#newer(source, updating);
      const outcome = typeof found === 'string' ? found : 'newer';
      if (isServer) this.#looked = { server: source.url, outcome };
      if (typeof found !== 'string') this.#take(found);
      else if (this.#found?.source.kind === source.kind) this.#found = undefined;
      return { outcome };
    });
  }

  /** What was fetched already stays fetched. */
  #take(found: Found): void {
    const path = found.release.version === this.#found?.release.version ? this.#found.path : undefined;
    this.#found = { ...found, ...given({ path }) };
  }

  async #newer(
    source: ReleaseSource,
    { releases, installer }: Updating,
  ): Promise<Found | Exclude<LookOutcome, 'newer'>> {
    const { productVersion } = this.#context;
    const release = await releases.read(source);
    await this.#noteVerified(source);
    if (compareVersions(release.version, productVersion) <= 0) return 'newest';
    if (compareVersions(release.minimumVersion, productVersion) > 0)
      throw new IsolineError(
        'update_unsuitable',
        `Version ${release.version} needs version ${release.minimumVersion} first. Install that one by hand.`,
        { minimumVersion: release.minimumVersion },
      );
    await using served = await releases.serve(source, release);
    const offered = await installer.look(served.url);
    if (offered === undefined) return 'heldBack';
    return { release, source, sizeBytes: signedSizeBytes(offered, release) };
  }

  #sourceOf(folder: string | undefined): ReleaseSource {
    if (folder !== undefined) return { kind: 'folder', path: folder };
    const url = this.#context.settings()['updates.server'];
    if (url === '')
      throw new IsolineError(
        'update_unreachable',
        'No address for new versions is set. Enter one, or choose a folder.',
      );
    return { kind: 'server', url };
  }

  async #noteVerified(source: ReleaseSource): Promise<void> {
    if (source.kind !== 'server') return;
    const { store, clock } = this.#context;
    await change(this.#context, () => {
      store.updates.noteVerified(source.url, clock.nowMs());
      return { result: undefined, notes: [] };
    });
  }

  /** Returns at once; what becomes of it is told by the state. @throws IsolineError `update_blocked` */
  fetch(): void {
    const found = this.#require();
    // The host writes it, and no thread of its own is between that and the devices.
    if (this.#context.store.streams.countOpen() > 0) throw blocked('recording');
    const { releases, installer } = this.#begin('fetching');
    this.#inBackground(async () => {
      if ((await this.#context.files.freeBytes()) < ROOM_FACTOR * found.sizeBytes)
        throw new IsolineError('storage_full', 'There is no room on the disk for the new version.');
      await using served = await releases.serve(found.source, found.release);
      // A folder has another address each time, and the installer remembers what it looked at last.
      const offered = await installer.look(served.url);
      if (offered === undefined) throw gone();
      signedSizeBytes(offered, found.release);
      const path = await installer.fetch((done, of) => this.#progress(done, of));
      await releases.check(found.release, path);
      this.#found = { ...found, path };
    });
  }

  /**
   * A backup, then everything is closed and replaced. Returns at once.
   * @throws IsolineError `update_blocked` while something is recorded, comes in or is analysed
   */
  async install(actor: string): Promise<void> {
    const found = this.#require();
    const { release, path } = found;
    if (path === undefined) throw gone();
    await this.#requireUnhindered();
    const { releases, installer } = this.#begin('preparing');
    const { productVersion } = this.#context;
    this.#inBackground(async () => {
      await this.#backUp(actor);
      await releases.check(release, path).catch(async (error: unknown) => {
        // It is fetched again: what lies there would be taken for it.
        await releases.drop(path);
        const { path: _, ...again } = found;
        this.#found = again;
        throw error;
      });
      await releases.keep(release.version, productVersion, path);
      // All that may have taken minutes, in which an emergency came.
      await this.#requireUnhindered();
      await this.#noteBegun(release.version, actor);
      this.#work = { kind: 'installing', done: 0, of: 0 };
      this.#context.publish('update.changed', {});
      // The host may refuse; then nothing was changed, and its reason is passed on.
      await installer.install().catch(async (error: unknown) => {
        await this.noteOutcome();
        throw error;
      });
    });
  }

  async #noteBegun(to: string, actor: string): Promise<void> {
    const { store, clock, productVersion: from } = this.#context;
    await change(this.#context, () => {
      store.updates.begin({ fromVersion: from, toVersion: to, startedMs: clock.nowMs() });
      return {
        result: undefined,
        notes: [{ actor, action: 'update.begun', subject: 'program', detail: { from, to } }],
      };
    });
  }

  /** Where no folder is set up, the copy that is made before a database changes has to do. */
  async #backUp(actor: string): Promise<void> {
    if (this.#context.settings()['backup.folder'] === '') return;
    this.#backups.start('make', actor);
    await this.#backups.settled();
    const { failed } = await this.#backups.state();
    if (failed !== undefined)
      throw new IsolineError(
        'update_blocked',
        'The backup before the update failed, so nothing was installed. See to the backup first.',
        { hindrance: 'backup' },
      );
  }

  #require(): Found {
    if (this.#found === undefined) throw gone();
    return this.#found;
  }

  async #requireUnhindered(): Promise<void> {
    const hindrance = await this.#hindrance();
    if (hindrance !== undefined) throw blocked(hindrance);
  }

  /** By the minute. What fails is told on the screen, not in anybody's face. */
  lookIfDue(): void {
    const { settings, clock } = this.#context;
    const isDue = clock.nowMs() >= this.#nextLookMs;
    if (!isDue || settings()['updates.server'] === '' || this.#unavailable !== undefined) return;
    if (this.#work === undefined)
      this.#running = this.look(undefined).then(() => undefined, this.#keepFailure);
  }

  /** After a start: whether the version that was to come is the one that runs. */
  async noteOutcome(): Promise<void> {
    const { store, productVersion } = this.#context;
    const last = store.updates.last();
    if (last === undefined || last.outcome !== undefined) return;
    const outcome = productVersion === last.toVersion ? 'installed' : 'failed';
    await change(this.#context, () => {
      store.updates.setOutcome(last.id, outcome);
      const detail = { from: last.fromVersion, to: last.toVersion };
      return {
        result: undefined,
        notes: [{ actor: 'program', action: `update.${outcome}` as const, subject: 'program', detail }],
      };
    });
  }

  /** Until what is under way has ended. */
  settled(): Promise<void> {
    return this.#running;
  }

  #progress(done: number, of: number): void {
    if (this.#work === undefined) return;
    this.#work = { ...this.#work, done, of };
    this.#context.publish('update.changed', {});
  }

  /** One at a time. @throws IsolineError `update_unavailable`, `update_blocked` */
  #begin(kind: Work['kind']): Updating {
    const { updating, publish } = this.#context;
    if (updating === undefined || this.#unavailable !== undefined)
      throw new IsolineError(
        'update_unavailable',
        'This installation of Isoline cannot update itself. Install the new version as you installed this one.',
      );
    if (this.#work !== undefined)
      throw new IsolineError(
        'update_blocked',
        'Isoline is already busy with an update. Wait until it has ended.',
      );
    this.#work = { kind, done: 0, of: 0 };
    publish('update.changed', {});
    return updating;
  }

  #inBackground(job: () => Promise<void>): void {
    this.#running = this.#run(job).catch(this.#keepFailure);
  }

  /** Keeps a failure that nobody waited for, until something succeeds. */
  readonly #keepFailure = (error: unknown): void => {
    this.#failed = { atMs: this.#context.clock.nowMs(), reason: toPlainError(error).reason };
    this.#context.publish('update.changed', {});
  };

  async #run<T>(job: () => Promise<T>): Promise<T> {
    const { log, publish } = this.#context;
    try {
      const result = await job();
      this.#failed = undefined;
      // Until the program ends nobody may begin anything else.
      if (this.#work?.kind !== 'installing') this.#work = undefined;
      return result;
    } catch (error) {
      log('update.failed', { reason: toPlainError(error).reason });
      this.#work = undefined;
      throw error;
    } finally {
      publish('update.changed', {});
    }
  }
}

const blocked = (hindrance: Hindrance): IsolineError =>
  new IsolineError(
    'update_blocked',
    'Something is being recorded, received, analysed or backed up. Try again when it has ended.',
    { hindrance },
  );

const gone = (): IsolineError =>
  new IsolineError('update_unreachable', 'The new version is not there any more. Look for it again.');

/**
 * What the server offers has to be what was signed: the same version, the same files.
 * @returns the size of the largest
 * @throws IsolineError `update_damaged`
 */
function signedSizeBytes(offered: OfferedVersion, release: Release): number {
  const isSigned = offered.files.every(({ name, sha512 }) =>
    release.files.some((file) => file.name === name && file.sha512 === sha512),
  );
  if (offered.version !== release.version || offered.files.length === 0 || !isSigned)
    throw new IsolineError(
      'update_damaged',
      'The server offers something else than the release that was signed. Nothing was installed.',
    );
  return Math.max(
    ...release.files
      .filter(({ name }) => offered.files.some((file) => file.name === name))
      .map(({ sizeBytes }) => sizeBytes),
  );
}
