// A backup as it lies in a folder, on a disk or a share:
//
//   isoline-backup.json   what it is, and how its key is made
//   objects/ab/cdef…      content, once each, however many backups have it
//   backups/TIME-HASH     what one backup consists of; it is written last, and its name has the SHA-256 of its bytes
//
// Nothing is ever written over: a file is there whole or not at all. A backup without its last file is none.

import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { IsolineError } from '../../../shared/errors.ts';
import { checkerOf } from '../../../shared/validator.ts';
import { renamePatiently, syncFolder } from '../files/durable-rename.ts';
import { type BackupKey, KeyKindSchema, type KeySource, newKeyKind, openKey } from './backup-key.ts';
import { readPieces } from './read-pieces.ts';
import { seal, sealedLength, unseal } from './sealed-segments.ts';
import { writePieces } from './write-pieces.ts';

const HEADER = 'isoline-backup.json';
const FORMAT = 1;
/** A file this young may belong to a backup that is being made. */
const YOUNG_MS = 24 * 3_600_000;

const HeaderSchema = Type.Object(
  {
    format: Type.Literal(FORMAT),
    id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
    key: KeyKindSchema,
    /** The check sum of the key; empty where there is none. */
    check: Type.String({ pattern: '^(?:[0-9a-f]{64})?$' }),
  },
  { additionalProperties: false },
);
type Header = Static<typeof HeaderSchema>;
const isHeader = checkerOf(HeaderSchema);

const sha = (value: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description: value });
const Piece = Type.Tuple([sha('content'), Type.Integer({ minimum: 0 })]);

/** What one backup consists of. */
const SnapshotSchema = Type.Object(
  {
    format: Type.Literal(FORMAT),
    /** The hash of the header of its folder: a changed header is found. */
    headerSha256: sha('header'),
    createdMs: Type.Number(),
    productVersion: Type.String(),
    installationId: Type.String(),
    database: Type.Object(
      { sizeBytes: Type.Integer({ minimum: 1 }), sha256: sha('database'), pieces: Type.Array(Piece) },
      { additionalProperties: false },
    ),
    /** Content and length of each file. */
    files: Type.Array(Piece),
    /** Rows of the database, table by table. */
    rows: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
    /** The end of the audit trail (SEC72). */
    audit: Type.Object({ seq: Type.Integer(), hash: Type.String() }, { additionalProperties: false }),
    /** Files that the database names and that were not there: they were lost before. */
    missing: Type.Array(sha('missing')),
  },
  { additionalProperties: false },
);
export type Snapshot = Static<typeof SnapshotSchema>;
const isSnapshot = checkerOf(SnapshotSchema);

export interface NamedSnapshot {
  readonly name: string;
  readonly snapshot: Snapshot;
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const damaged = (what: string): IsolineError =>
  new IsolineError('backup_damaged', `${what} Do not rely on this backup; make a new one in another folder.`);

async function writeNew(
  path: string,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const temporary = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    await writePieces(temporary, source);
    await renamePatiently(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

const snapshotTime = (ms: number): string =>
  new Date(ms).toISOString().replaceAll(/[:.]/g, '').replace('Z', '');
const PREFIX = /^[0-9a-f]{2}$/;
/** Or what was left of a file that was being written. */
const REST = /^(?:[0-9a-f]{62}|\.[0-9a-f-]{36}\.tmp)$/;
const SNAPSHOT_NAME = /^\d{4}-\d{2}-\d{2}T\d{9}-([0-9a-f]{64})$/;

export class BackupFolder {
  readonly #folder: string;
  readonly #key: BackupKey | undefined;
  readonly headerSha256: string;

  private constructor(folder: string, headerSha256: string, key: BackupKey | undefined) {
    this.#folder = folder;
    this.#key = key;
    this.headerSha256 = headerSha256;
  }

  static async isOne(folder: string): Promise<boolean> {
    return (await namesIn(folder)).includes(HEADER);
  }

  /** @throws IsolineError `backup_unusable`, `backup_damaged`, `backup_key_wrong` */
  static async open(folder: string, source: KeySource): Promise<BackupFolder> {
    const bytes = await readFile(join(folder, HEADER)).catch((error: unknown) => {
      throw new IsolineError(
        'backup_unusable',
        `There is no backup of Isoline in "${folder}", or it cannot be read.`,
        {},
        { cause: error },
      );
    });
    const header = readHeader(bytes);
    const key = openKey(header.key, source);
    if ((key?.check ?? '') !== header.check)
      throw new IsolineError('backup_key_wrong', 'This passphrase or key file does not open the backup.');
    return new BackupFolder(folder, digestOf(bytes), key);
  }

  /** The folder may be there, but nothing may lie in it. @throws IsolineError `backup_unusable`, `backup_key_wrong` */
  static async make(folder: string, source: KeySource): Promise<BackupFolder> {
    const others = (await namesIn(folder)).filter((name) => !name.startsWith('.'));
    if (others.length > 0)
      throw new IsolineError(
        'backup_unusable',
        `The folder "${folder}" has other files in it. Choose an empty folder for the backup.`,
      );
    const kind = newKeyKind(source);
    const check = openKey(kind, source)?.check ?? '';
    const header: Header = { format: FORMAT, id: randomUUID(), key: kind, check };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeNew(join(folder, HEADER), [Buffer.from(`${JSON.stringify(header, null, 2)}\n`)]);
    return BackupFolder.open(folder, source);
  }

  #objectPath(sha256: string): string {
    const name = this.#key?.nameOf(sha256) ?? sha256;
    return join(this.#folder, 'objects', name.slice(0, 2), name.slice(2));
  }

  /** Whether content is there in its full length; whether it is whole, {@link read} tells. */
  async has(sha256: string, lengthBytes: number): Promise<boolean> {
    const found = await stat(this.#objectPath(sha256)).catch(() => undefined);
    return found?.size === (this.#key === undefined ? lengthBytes : sealedLength(lengthBytes));
  }

  /** As {@link has}; what is there counts as young again, so that nobody takes it away before the list that needs it. */
  async keeps(sha256: string, lengthBytes: number): Promise<boolean> {
    if (!(await this.has(sha256, lengthBytes))) return false;
    const now = new Date();
    await utimes(this.#objectPath(sha256), now, now);
    return true;
  }

  /** A disk that was taken away, or another one in its place, is found. @throws IsolineError `backup_unusable` */
  async requireThere(): Promise<void> {
    const bytes = await readFile(join(this.#folder, HEADER)).catch(() => undefined);
    if (bytes === undefined || digestOf(bytes) !== this.headerSha256)
      throw new IsolineError('backup_unusable', `The backup folder "${this.#folder}" is not there any more.`);
  }

  async put(sha256: string, source: AsyncIterable<Uint8Array>): Promise<void> {
    const bytes = this.#key === undefined ? source : seal(source, this.#key.content);
    await this.#write(this.#objectPath(sha256), bytes);
  }

  /**
   * Its bytes, checked as they come: whoever takes them must throw them away if this throws.
   * @throws IsolineError `backup_damaged` where they are not what their name says
   */
  async *read(sha256: string): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    const stored = readPieces(this.#objectPath(sha256));
    try {
      for await (const part of this.#key === undefined ? stored : unseal(stored, this.#key.content)) {
        hash.update(part);
        yield part;
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw damaged('A file of the backup is missing.');
      throw error;
    }
    if (hash.digest('hex') !== sha256) throw damaged('A file of the backup is damaged or was changed.');
  }

  /** @throws IsolineError `backup_damaged` */
  async check(sha256: string): Promise<void> {
    for await (const _part of this.read(sha256));
  }

  /** Written last: from here on, the backup is there. */
  async putSnapshot(snapshot: Snapshot): Promise<string> {
    const plain = Buffer.from(JSON.stringify(snapshot));
    const parts: Uint8Array[] = [];
    const source = (async function* () {
      yield plain;
    })();
    if (this.#key === undefined) parts.push(plain);
    else for await (const part of seal(source, this.#key.content)) parts.push(part);
    const bytes = Buffer.concat(parts);
    const name = `${snapshotTime(snapshot.createdMs)}-${digestOf(bytes)}`;
    await this.#write(join(this.#folder, 'backups', name), [bytes]);
    return name;
  }

  /** Folders are made below ours alone: a disk that is away is not started again under its name. */
  async #write(path: string, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const parent = dirname(path);
    for (const folder of dirname(parent) === this.#folder ? [parent] : [dirname(parent), parent])
      await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
    await writeNew(path, source);
  }

  /** The newest first. */
  async snapshotNames(): Promise<string[]> {
    const names = await namesIn(join(this.#folder, 'backups'));
    return names
      .filter((name) => SNAPSHOT_NAME.test(name))
      .sort()
      .reverse();
  }

  /** @throws IsolineError `backup_damaged` */
  async snapshot(name: string): Promise<Snapshot> {
    const said = SNAPSHOT_NAME.exec(name)?.[1];
    const bytes = await readFile(join(this.#folder, 'backups', name));
    if (said === undefined || digestOf(bytes) !== said)
      throw damaged(`The list of the backup ${name} is damaged.`);
    const parts: Uint8Array[] = [];
    if (this.#key === undefined) parts.push(bytes);
    else
      for await (const part of unseal(
        (async function* () {
          yield bytes;
        })(),
        this.#key.content,
      ))
        parts.push(part);
    const snapshot: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (!isSnapshot(snapshot)) throw damaged(`The list of the backup ${name} is damaged.`);
    if (snapshot.headerSha256 !== this.headerSha256)
      throw damaged('The file isoline-backup.json was changed.');
    return snapshot;
  }

  async removeSnapshots(names: readonly string[]): Promise<void> {
    for (const name of names) await rm(join(this.#folder, 'backups', name), { force: true });
    await syncFolder(join(this.#folder, 'backups')).catch(() => undefined);
  }

  /** First the list, then what nothing names any more. @returns how many objects went */
  async forget(names: readonly string[], kept: ReadonlySet<string>, nowMs: number): Promise<number> {
    await this.removeSnapshots(names);
    const keptPaths = new Set([...kept].map((sha256) => this.#objectPath(sha256)));
    let gone = 0;
    for (const prefix of await namesIn(join(this.#folder, 'objects'))) {
      // What others put there is theirs.
      if (!PREFIX.test(prefix)) continue;
      for (const rest of await namesIn(join(this.#folder, 'objects', prefix))) {
        if (!REST.test(rest)) continue;
        const path = join(this.#folder, 'objects', prefix, rest);
        if (keptPaths.has(path)) continue;
        const { mtimeMs } = await stat(path);
        if (nowMs - mtimeMs < YOUNG_MS) continue;
        await rm(path, { force: true });
        gone++;
      }
    }
    return gone;
  }
}

function readHeader(bytes: Uint8Array): Header {
  try {
    const header: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isHeader(header)) return header;
  } catch {
    // What is no JSON is as damaged as what has another shape.
  }
  throw new IsolineError(
    'backup_damaged',
    'The file isoline-backup.json is damaged, or of a newer version of Isoline.',
  );
}

/** Content of a snapshot, each once. */
export const contentOf = ({ database, files }: Snapshot): Map<string, number> =>
  new Map([...database.pieces, ...files]);
