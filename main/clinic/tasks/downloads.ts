// Files that are given out in chunks: frozen when the download is made, of one organization, forgotten a day
// after their last use (D48, D110).

import { IsolineError } from '../../../shared/errors.ts';
import { type ClinicContext, change, transact } from '../context.ts';
import type { Download } from './records.ts';
import type { Reports } from './reports.ts';
import type { Tasks } from './tasks.ts';

export const DOWNLOAD_CHUNK_BYTES = 4 << 20;
const ID_BYTES = 16;
const ID = /^[A-Za-z0-9_-]{22}$/;
const LIFE_MS = 86_400_000;
/** Use is noted so often at most. */
const TOUCH_EVERY_MS = 60_000;

export type DownloadKind = 'original' | 'recording' | 'report';

const unknown = (): IsolineError =>
  new IsolineError('invalid_download_id', 'This download does not exist. Create a new one.');

export class Downloads {
  readonly #context: ClinicContext;
  readonly #tasks: Tasks;
  readonly #reports: Reports;

  constructor(context: ClinicContext, tasks: Tasks, reports: Reports) {
    this.#context = context;
    this.#tasks = tasks;
    this.#reports = reports;
  }

  /** `original` and `recording` are the main file of the recording as it came in. */
  async create(organizationId: number, taskId: number, kind: DownloadKind, actor: string): Promise<Download> {
    const { store, randomBytes, clock } = this.#context;
    const file =
      kind === 'report'
        ? await this.#report(organizationId, taskId)
        : this.#recording(organizationId, taskId);
    const id = Buffer.from(randomBytes(ID_BYTES)).toString('base64url');
    const download: Download = { id, organizationId, ...file, usedMs: clock.nowMs() };
    await change(this.#context, () => {
      store.downloads.add(download);
      return {
        result: undefined,
        notes: [{ actor, action: 'download.created', subject: `task:${taskId}`, detail: { kind } }],
      };
    });
    return download;
  }

  async #report(
    organizationId: number,
    taskId: number,
  ): Promise<Pick<Download, 'sha256' | 'totalSizeBytes'>> {
    const { pdf, sha256 } = await this.#reports.fetch(organizationId, taskId);
    return { sha256, totalSizeBytes: pdf.length };
  }

  #recording(organizationId: number, taskId: number): Pick<Download, 'sha256' | 'totalSizeBytes'> {
    const [main] = this.#tasks.recordingOf(this.#tasks.find(organizationId, taskId)).files;
    if (main === undefined) throw new IsolineError('task_state_conflict', 'The task has no recording yet.');
    return { sha256: main.sha256, totalSizeBytes: main.sizeBytes };
  }

  /** @throws IsolineError `invalid_download_id`, `invalid_chunk_index` */
  async chunk(organizationId: number, id: string, index: number): Promise<Uint8Array> {
    const { store, files, clock } = this.#context;
    const download = ID.test(id) ? store.downloads.byId(id) : undefined;
    const nowMs = clock.nowMs();
    if (
      download === undefined ||
      download.organizationId !== organizationId ||
      nowMs - download.usedMs > LIFE_MS
    )
      throw unknown();
    const offset = index * DOWNLOAD_CHUNK_BYTES;
    if (offset >= download.totalSizeBytes)
      throw new IsolineError(
        'invalid_chunk_index',
        `The file has ${Math.ceil(download.totalSizeBytes / DOWNLOAD_CHUNK_BYTES)} chunks, counted from 0.`,
      );
    const length = Math.min(DOWNLOAD_CHUNK_BYTES, download.totalSizeBytes - offset);
    const file = await files.openStored(download.sha256);
    if (file === undefined) throw unknown();
    try {
      const bytes = await file.read(offset, length);
      if (bytes.length !== length) throw new Error(`the stored file ${download.sha256} is cut off`);
      if (nowMs - download.usedMs > TOUCH_EVERY_MS) this.#noteUse(id, nowMs);
      return bytes;
    } finally {
      await file.close();
    }
  }

  /** A store that can't be written to must not keep anyone from reading. */
  #noteUse(id: string, nowMs: number): void {
    const { store, log } = this.#context;
    transact(store, () => store.downloads.touch(id, nowMs)).catch((error: unknown) =>
      log('download.use_not_noted', { reason: error instanceof IsolineError ? error.reason : 'internal' }),
    );
  }

  async expire(): Promise<void> {
    const { store, clock } = this.#context;
    await transact(store, () => store.downloads.removeUnusedSince(clock.nowMs() - LIFE_MS));
  }
}
