// What unpacking an archive brings, and the limits that hold whatever the archive claims of itself (D55):
// sizes are counted while bytes come out, never believed.

import { createHash } from 'node:crypto';
import { IsolineError } from '../../../shared/errors.ts';
import type { Warning } from '../../../shared/signal/recording.ts';
import { Deviations } from '../deviations.ts';
import { isLitter, plainName } from './member-name.ts';

/**
 * Where members go. Calls come one after another; the bytes of a member between its `begin` and its `end`.
 */
export interface MemberSink {
  begin(index: number): void;
  write(bytes: Uint8Array): void;
  end(): void;
  /** The member is not wanted after all. */
  remove(index: number): void;
}

export interface UnpackedMember {
  readonly index: number;
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface UnpackedArchive {
  readonly members: readonly UnpackedMember[];
  readonly warnings: readonly Warning[];
}

export interface UnpackLimits {
  readonly members: number;
  readonly memberBytes: number;
  readonly totalBytes: number;
  /** Output may be so many times the input once it passes `ratioFromBytes`. */
  readonly ratio: number;
  readonly ratioFromBytes: number;
}

export const UNPACK_LIMITS: UnpackLimits = {
  members: 10_000,
  memberBytes: 8 * 2 ** 30,
  totalBytes: 16 * 2 ** 30,
  ratio: 200,
  ratioFromBytes: 256 * 2 ** 20,
};

const tooLarge = (what: string): IsolineError =>
  new IsolineError('archive_too_large', `${what} Send the recordings in smaller archives.`);

/** Takes members one by one, checks names and sizes, keeps one of equal ones. */
export class Unpacking {
  readonly deviations = new Deviations();
  readonly #sink: MemberSink;
  readonly #limits: UnpackLimits;
  readonly #inputBytes: number;
  readonly #members = new Map<string, UnpackedMember>();
  /** The inner archive whose members come, as the folder that it becomes. */
  #folder = '';
  #next = 0;
  #seen = 0;
  #totalBytes = 0;

  constructor(sink: MemberSink, inputBytes: number, limits: UnpackLimits) {
    this.#sink = sink;
    this.#inputBytes = inputBytes;
    this.#limits = limits;
  }

  /** Counts an entry of any kind. */
  count(): void {
    if (++this.#seen > this.#limits.members)
      throw tooLarge(`The archive has more than ${this.#limits.members} entries.`);
  }

  /** The name under which a file is taken, or undefined where it is skipped silently. */
  accept(storedName: string): string | undefined {
    const name = plainName(storedName);
    return name === '' || name.endsWith('/') || isLitter(name) ? undefined : this.#folder + name;
  }

  /** The name of a single packed file, which takes the place of what it was packed in. */
  acceptInPlace(storedName: string): string | undefined {
    const inner = this.#folder;
    this.#folder = inner.replace(/[^/]*\/$/, '');
    try {
      return this.accept(storedName.slice(storedName.lastIndexOf('/') + 1));
    } finally {
      this.#folder = inner;
    }
  }

  /** What `work` takes comes from an archive of that name inside of this one. */
  async within(name: string, work: () => Promise<void>): Promise<void> {
    this.#folder = `${name}/`;
    try {
      await work();
    } finally {
      this.#folder = '';
    }
  }

  /** A member that was unpacked itself is there no more. */
  drop({ name, index }: UnpackedMember): void {
    this.#members.delete(name);
    this.#sink.remove(index);
  }

  /**
   * @param isCounted the bytes were counted on their way here, as those of a tar archive are, skipped entries
   * and all
   */
  async take(name: string, content: AsyncIterable<Uint8Array>, isCounted = false): Promise<void> {
    const index = this.#next++;
    const hash = createHash('sha256');
    let sizeBytes = 0;
    this.#sink.begin(index);
    try {
      for await (const piece of content) {
        sizeBytes += piece.length;
        if (sizeBytes > this.#limits.memberBytes) throw tooLarge('A file in the archive is too large.');
        if (!isCounted) this.countOutput(piece.length);
        hash.update(piece);
        this.#sink.write(piece);
      }
    } finally {
      this.#sink.end();
    }
    const sha256 = hash.digest('hex');
    const twin = this.#members.get(name);
    if (twin !== undefined && twin.sha256 !== sha256)
      throw new IsolineError(
        'archive_duplicate_entry',
        `The archive holds two different files called "${name}". Rename one and pack the files again.`,
      );
    if (twin !== undefined || sizeBytes === 0) this.#sink.remove(index);
    else this.#members.set(name, { index, name, sizeBytes, sha256 });
  }

  /** Bytes that came out of the archive. */
  countOutput(newBytes: number): void {
    const { totalBytes, ratio, ratioFromBytes } = this.#limits;
    this.#totalBytes += newBytes;
    if (this.#totalBytes > totalBytes) throw tooLarge('The archive is too large when it is unpacked.');
    if (this.#totalBytes > ratioFromBytes && this.#totalBytes > ratio * this.#inputBytes)
      throw tooLarge('The archive grows beyond measure when it is unpacked.');
  }

  result(): UnpackedArchive {
    return { members: [...this.#members.values()], warnings: this.deviations.list };
  }
}

export const corrupt = (what: string, cause?: unknown): IsolineError =>
  new IsolineError(
    'archive_corrupt',
    `The archive is damaged: ${what}. Pack the files again.`,
    {},
    { cause },
  );
