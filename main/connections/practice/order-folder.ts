// The folder in which practice systems put their orders: looked at again and again, because folders of a
// network tell nobody of changes. What is still being written is left until it has been the same twice.

import { createHash } from 'node:crypto';
import { constants, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { IsolineError } from '../../../shared/errors.ts';
import { MOST_ORDER_BYTES, type OrderFolderLook, type OrderReading } from '../../../shared/order.ts';
import type { Orders } from '../../clinic/orders/orders.ts';
import type { OrderFile } from '../../clinic/orders/records.ts';
import type { Log, OrdersRead, Pool } from '../../clinic/ports.ts';
import { repeat } from '../../clinic/repeat.ts';

/** Shown within two seconds (E9): seen at one look, taken at the next. */
const LOOK_MS = 700;
/** Files that were read go there, where the clinic wants them moved. */
const READ_FOLDER = 'read';
/** What programs call a file while they write it; and our own results, where both folders are one. */
const NO_ORDER = /^[.~$]|\.(tmp|part|partial|crdownload)$|^isoline-[\w.]+\.(gdt|pdf|json)$/i;

interface FoundFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface OrderFolderSettings extends OrderReading {
  readonly afterReading: 'keep' | 'move' | 'delete';
}

async function listFiles(folder: string): Promise<FoundFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    const reason = {
      ENOENT: 'This folder does not exist',
      ENOTDIR: 'This is not a folder',
      EACCES: 'Isoline is not allowed to read this folder',
    }[error.code ?? ''];
    throw new IsolineError('folder_unusable', `${reason ?? 'The folder cannot be reached'}: ${folder}`);
  });
  const names = entries
    .filter((entry) => entry.isFile() && !NO_ORDER.test(entry.name))
    .map(({ name }) => name);
  const found: FoundFile[] = [];
  for (const name of names) {
    const file = await look(folder, name);
    if (file !== undefined && file.sizeBytes > 0) found.push(file);
  }
  // A cancellation is read behind what it cancels.
  return found.sort(
    (a, b) => a.modifiedMs - b.modifiedMs || a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
}

/** Undefined where it is gone. */
async function look(folder: string, name: string): Promise<FoundFile | undefined> {
  const facts = await lstat(join(folder, name)).catch(() => undefined);
  return facts?.isFile() !== true
    ? undefined
    : { name, sizeBytes: facts.size, modifiedMs: Math.round(facts.mtimeMs) };
}

const isUnchanged = (a: FoundFile, b: FoundFile | undefined): boolean =>
  a.sizeBytes === b?.sizeBytes && a.modifiedMs === b.modifiedMs;

type OrderReader = Pick<Pool, 'readOrders'>;

/** Never through a link that was put in the file's place (SEC37). */
async function readUnlinked(path: string): Promise<Uint8Array> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function readOrderFile(
  pool: OrderReader,
  folder: string,
  { name, sizeBytes, modifiedMs }: FoundFile,
  { characterSet, dateOrder }: OrderReading,
): Promise<OrderFile & Pick<OrdersRead, 'messages'>> {
  const isLarge = sizeBytes > MOST_ORDER_BYTES;
  const bytes = isLarge ? new Uint8Array(MOST_ORDER_BYTES + 1) : await readUnlinked(join(folder, name));
  // A large one is told apart by its size; nothing of it is read.
  const content = isLarge ? `size:${sizeBytes}` : createHash('sha256').update(bytes).digest('hex');
  const key = createHash('sha256').update(`${name}\0${content}\0${modifiedMs}`).digest('hex');
  return { key, name, ...(await pool.readOrders({ bytes, characterSet, dateOrder, nowMs: Date.now() })) };
}

/** How a folder would be read; nothing is taken. @throws IsolineError `folder_unusable` */
export async function lookAtOrders(pool: OrderReader, reading: OrderReading): Promise<OrderFolderLook> {
  const files = await listFiles(reading.folder);
  const newest = files.toSorted((a, b) => b.modifiedMs - a.modifiedMs)[0];
  if (newest === undefined) return { files: 0 };
  const { name, orders, characterSet, trouble } = await readOrderFile(pool, reading.folder, newest, reading);
  return {
    files: files.length,
    newest: {
      name,
      characterSet: characterSet ?? '',
      orders: [...orders],
      ...(trouble !== undefined && { trouble }),
    },
  };
}

/**
 * Away under a name of its own first: what is written under the old name from then on is another file, and is
 * not lost with this one.
 */
async function putAside(
  folder: string,
  file: FoundFile,
  { afterReading }: OrderFolderSettings,
): Promise<void> {
  if (afterReading === 'keep') return;
  const { name } = file;
  if (afterReading === 'move') await mkdir(join(folder, READ_FOLDER), { recursive: true });
  const aside = `.${Date.now()}-${name}.tmp`;
  await rename(join(folder, name), join(folder, aside));
  if (!isUnchanged(file, await look(folder, aside))) {
    // Somebody wrote another one at the last moment: it is read like any new file.
    await rename(join(folder, aside), join(folder, `${Date.now()}-${name}`));
    return;
  }
  if (afterReading === 'delete') return rm(join(folder, aside), { force: true });
  // Practice systems use one name again and again: nothing is written over.
  await rename(join(folder, aside), join(folder, READ_FOLDER, `${Date.now()}-${name}`));
}

class OrderWatch {
  readonly #orders: Orders;
  readonly #pool: OrderReader;
  readonly #log: Log;
  /** What stood there at the last look, and whether it was taken. */
  #seen = new Map<string, FoundFile & { readonly isTaken: boolean }>();
  #folder = '';

  constructor(orders: Orders, pool: OrderReader, log: Log) {
    this.#orders = orders;
    this.#pool = pool;
    this.#log = log;
  }

  async look(settings: OrderFolderSettings, signal: AbortSignal): Promise<void> {
    if (settings.folder !== this.#folder) this.#seen.clear();
    this.#folder = settings.folder;
    try {
      const isWhole = settings.folder === '' || (await this.#takeNew(settings, signal));
      this.#orders.note('unreadable', !isWhole);
    } catch (error) {
      this.#fail(error);
      this.#orders.note('unreadable', true);
    }
  }

  /** Logged when it begins, not at every look. */
  #fail(error: unknown): void {
    if (error instanceof IsolineError || this.#orders.has('unreadable')) return;
    this.#log('orders.failed', { reason: error instanceof Error ? error.name : 'unknown' });
  }

  /** @returns whether all of it could be read; one file that can't keeps no other back. */
  async #takeNew(settings: OrderFolderSettings, signal: AbortSignal): Promise<boolean> {
    const before = this.#seen;
    this.#seen = new Map();
    let isWhole = true;
    for (const file of await listFiles(settings.folder)) {
      if (signal.aborted) return true;
      const last = before.get(file.name);
      const isSame = isUnchanged(file, last);
      this.#seen.set(file.name, { ...file, isTaken: isSame && last?.isTaken === true });
      if (!isSame || last?.isTaken === true) continue;
      try {
        const isTaken = await this.#take(file, settings);
        this.#seen.set(file.name, { ...file, isTaken });
      } catch (error) {
        this.#fail(error);
        isWhole = false;
      }
    }
    return isWhole;
  }

  /** @returns false where it was written meanwhile: it is read again. */
  async #take(file: FoundFile, settings: OrderFolderSettings): Promise<boolean> {
    const read = await readOrderFile(this.#pool, settings.folder, file, settings);
    if (!isUnchanged(file, await look(settings.folder, file.name))) return false;
    if (!this.#orders.isKnown(read.key)) await this.#orders.take(read, read.messages);
    // One that could not be read stays where its maker finds it.
    if (read.trouble === undefined) await putAside(settings.folder, file, settings);
    return true;
  }
}

/** Takes what appears in the folder, until it is given up. */
export function watchOrders(
  orders: Orders,
  pool: OrderReader,
  settings: () => OrderFolderSettings,
  log: Log,
): AsyncDisposable {
  const watch = new OrderWatch(orders, pool, log);
  return repeat(LOOK_MS, (signal) => watch.look(settings(), signal));
}
