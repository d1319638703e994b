// What is noted of the audit trail outside the database (SEC72): how many entries there are and the hash of
// the last one, under a key of this folder. A trail whose end was cut off, that was emptied, or that was
// rewritten with fitting hashes is whole in itself; it does not fit this. Whoever has all rights on the
// computer can forge both.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditAction } from '../../../shared/audit-actions.ts';
import type { AuditStore } from '../../clinic/audit.ts';
import { type ClinicContext, change } from '../../clinic/context.ts';
import type { AnchorFault } from '../../clinic/ports.ts';
import { writeDurably } from '../files/write-durably.ts';
import { followAudit } from './follow-audit.ts';

const FOLDER = 'secrets';
const KEY_FILE = 'audit.key';
const ANCHOR_FILE = 'audit-anchor.json';
const KEY_BYTES = 32;
/** Stands in the trail from the first note outside on: without the note, something was taken away. */
const ANCHORED = 'audit.anchored' satisfies AuditAction;
/** Stands in the trail where it did not fit the note outside when the program started. */
export const UNFIT = 'audit.unfit' satisfies AuditAction;

interface Anchor {
  readonly seq: number;
  readonly hash: string;
  readonly mac: string;
}

const macOf = (key: Uint8Array, seq: number, hash: string): Buffer =>
  createHmac('sha256', key).update(`${seq}\n${hash}`).digest();

async function readKey(dataDir: string): Promise<Uint8Array | undefined> {
  const text = await readFile(join(dataDir, FOLDER, KEY_FILE), 'utf8').catch(() => '');
  return /^[0-9a-f]{64}$/.test(text.trim()) ? Buffer.from(text.trim(), 'hex') : undefined;
}

async function makeKey(dataDir: string): Promise<Uint8Array> {
  const key = randomBytes(KEY_BYTES);
  await mkdir(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
  await writeDurably(join(dataDir, FOLDER, KEY_FILE), key.toString('hex'));
  return key;
}

async function readAnchor(dataDir: string): Promise<Partial<Anchor> | undefined> {
  try {
    return JSON.parse(await readFile(join(dataDir, FOLDER, ANCHOR_FILE), 'utf8')) as Partial<Anchor>;
  } catch {
    // Missing or damaged: it proves nothing then.
    return undefined;
  }
}

/**
 * @returns how the trail does not fit what was noted outside; undefined where it does, or where nothing was
 * ever noted.
 */
export async function anchorFault(dataDir: string, audit: AuditStore): Promise<AnchorFault | undefined> {
  const anchor = await readAnchor(dataDir);
  const key = await readKey(dataDir);
  if (anchor === undefined || key === undefined)
    return audit.firstOf(ANCHORED) === undefined ? undefined : 'missing';
  const { seq = -1, hash = '', mac = '' } = anchor;
  const noted = Buffer.from(mac, 'hex');
  const due = macOf(key, seq, hash);
  if (noted.length !== due.length || !timingSafeEqual(noted, due)) return 'forged';
  if (audit.lastSeq() < seq) return 'cut';
  return audit.hashAt(seq) === hash ? undefined : 'rewritten';
}

/**
 * Looks whether the trail fits, says in the trail where it does not, and notes its end from then on, once a
 * second.
 * @returns what keeps noting
 */
export async function keepAuditAnchored(dataDir: string, context: ClinicContext): Promise<AsyncDisposable> {
  const { audit } = context.store;
  const fault = await anchorFault(dataDir, audit);
  const key = (await readKey(dataDir)) ?? (await makeKey(dataDir));
  const note = (action: AuditAction, detail: Readonly<Record<string, string>>): Promise<void> =>
    change(context, () => ({
      result: undefined,
      notes: [{ actor: 'program', action, subject: 'audit', detail }],
    }));
  if (fault !== undefined) await note(UNFIT, { fault });
  if (audit.firstOf(ANCHORED) === undefined) await note(ANCHORED, {});
  return followAudit(context, 'anchor.failed', (seq) => {
    const hash = audit.hashAt(seq) ?? '';
    const anchor: Anchor = { seq, hash, mac: macOf(key, seq, hash).toString('hex') };
    return writeDurably(join(dataDir, FOLDER, ANCHOR_FILE), JSON.stringify(anchor));
  });
}
