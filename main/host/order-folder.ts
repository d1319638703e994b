// The folder in which practice systems put their orders: looked at again and again, because folders of a network tell nobody of changes.
// What is still being written is left until it has been the same twice.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { IsolineError } from '../../shared/errors.ts';
import type { OrderFolderLook, OrderReading } from '../../shared/order.ts';
import type { Orders } from '../clinic/orders.ts';
import type { Log } from '../clinic/ports.ts';
import type { OrderFile } from '../clinic/stores.ts';
import { MOST_ORDER_BYTES, readOrders } from '../formats/orders/read-orders.ts';
import { repeat } from './repeat.ts';

/** Shown within two seconds (E9): seen at one look, taken at the next. */
const LOOK_MS = 700;
const MOST_FILES = 5000;
const OLDEST_MS = 29 * 86_400_000;
/** Files that were read go there, where the clinic wants them moved. */
const READ_FOLDER = 'read';
/** What programs call a file while they write it. */
const UNFINISHED = /^[.~$]|\.(tmp|part|partial|crdownload)$/i;

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
    const reason = { ENOENT: 'There is no such folder', ENOTDIR: 'This is no folder', EACCES: 'The folder may not be read' }[
      error.code ?? ''
    ];
    throw new IsolineError('folder_unusable', `${reason ?? 'The folder can not be reached'}: ${folder}`);
  });
  const names = entries.filter((entry) => entry.isFile() && !UNFINISHED.test(entry.name)).map(({ name }) => name);
  const found: FoundFile[] = [];
  for (const name of names.sort().slice(0, MOST_FILES)) {
    const facts = await stat(join(folder, name)).catch(() => undefined);
    if (facts !== undefined && facts.size > 0) found.push({ name, sizeBytes: facts.size, modifiedMs: Math.round(facts.mtimeMs) });
  }
  return found;
}

/** What cannot be read is an order file all the same: somebody is waiting for it. */
async function readOrderFile(folder: string, { name, sizeBytes, modifiedMs }: FoundFile, reading: OrderReading): Promise<OrderFile> {
  const isLarge = sizeBytes > MOST_ORDER_BYTES;
  const bytes = isLarge ? new Uint8Array(MOST_ORDER_BYTES + 1) : await readFile(join(folder, name));
  // A large one is told apart by its size; nothing of it is read.
  const sha256 = isLarge ? `size:${sizeBytes}` : createHash('sha256').update(bytes).digest('hex');
  try {
    return { name, sha256, modifiedMs, ...readOrders(bytes, { ...reading, nowMs: Date.now() }) };
  } catch (error) {
    if (!(error instanceof IsolineError)) throw error;
    return { name, sha256, modifiedMs, orders: [], trouble: error.message };
  }
}

/** How a folder would be read; nothing is taken. @throws IsolineError `folder_unusable` */
export async function lookAtOrders(reading: OrderReading): Promise<OrderFolderLook> {
  const files = await listFiles(reading.folder);
  const newest = files.toSorted((a, b) => b.modifiedMs - a.modifiedMs)[0];
  if (newest === undefined) return { files: 0 };
  const { name, orders, characterSet, trouble } = await readOrderFile(reading.folder, newest, reading);
  return {
    files: files.length,
    newest: { name, characterSet: characterSet ?? '', orders: [...orders], ...(trouble !== undefined && { trouble }) },
  };
}

async function putAside(folder: string, name: string, { afterReading }: OrderFolderSettings): Promise<void> {
  if (afterReading === 'delete') await rm(join(folder, name), { force: true });
  if (afterReading !== 'move') return;
  await mkdir(join(folder, READ_FOLDER), { recursive: true });
  // Practice systems use one name again and again: nothing is written over.
  await rename(join(folder, name), join(folder, READ_FOLDER, `${Date.now()}-${name}`));
}

class OrderWatch {
  readonly #orders: Orders;
  readonly #log: Log;
  /** What stood there at the last look, and whether it was taken. */
  #seen = new Map<string, { readonly sizeBytes: number; readonly modifiedMs: number; readonly isTaken: boolean }>();
  #folder = '';

  constructor(orders: Orders, log: Log) {
    this.#orders = orders;
    this.#log = log;
  }

  async look(settings: OrderFolderSettings, signal: AbortSignal): Promise<void> {
    if (settings.folder !== this.#folder) this.#seen.clear();
    this.#folder = settings.folder;
    try {
      if (settings.folder !== '') await this.#takeNew(settings, signal);
      this.#orders.note('unreadable', false);
    } catch (error) {
      if (!(error instanceof IsolineError)) this.#log('orders.failed', { reason: error instanceof Error ? error.name : 'unknown' });
      this.#orders.note('unreadable', true);
    }
  }

  async #takeNew(settings: OrderFolderSettings, signal: AbortSignal): Promise<void> {
    const before = this.#seen;
    this.#seen = new Map();
    for (const file of await listFiles(settings.folder)) {
      if (signal.aborted) return;
      const last = before.get(file.name);
      const isSame = last?.sizeBytes === file.sizeBytes && last.modifiedMs === file.modifiedMs;
      const isOld = file.modifiedMs < Date.now() - OLDEST_MS;
      this.#seen.set(file.name, { ...file, isTaken: isSame && last.isTaken });
      if (!isSame || last.isTaken || isOld) continue;
      await this.#take(file, settings);
      this.#seen.set(file.name, { ...file, isTaken: true });
    }
  }

  async #take(file: FoundFile, settings: OrderFolderSettings): Promise<void> {
    const read = await readOrderFile(settings.folder, file, settings);
    if (!this.#orders.isKnown(read)) await this.#orders.take(read);
    // One that could not be read stays where its maker finds it.
    if (read.trouble === undefined) await putAside(settings.folder, file.name, settings);
  }
}

/** Takes what appears in the folder, until it is given up. */
export function watchOrders(orders: Orders, settings: () => OrderFolderSettings, log: Log): AsyncDisposable {
  const watch = new OrderWatch(orders, log);
  return repeat(LOOK_MS, (signal) => watch.look(settings(), signal));
}
