// `isoline convert IN OUT`: a recording from any format that is read into any that is written.

import { closeSync, existsSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { IsolineError } from '../../../shared/errors.ts';
import type { Recording, Warning } from '../../../shared/signal/recording.ts';
import type { RecordWriter } from '../../formats/record-writer.ts';
import { WRITERS, writerFor } from '../../formats/writers.ts';
import { unwritable } from './analyse/write-whole.ts';
import { CHANNELS_OPTION } from './chosen-channels.ts';
import { type Command, print, requireFreeOutputs, usageError, warn } from './command.ts';
import { onInterrupt } from './interrupt.ts';
import { openRecords, readOrThrow, theOnlyRecord } from './open-records.ts';

/** Files under temporary names, which get their own when all of them are whole. */
class PendingFiles {
  readonly #folder: string;
  readonly #check: (paths: readonly string[]) => void;
  readonly #open = new Map<string, number>();

  constructor(folder: string, check: (paths: readonly string[]) => void) {
    this.#folder = folder;
    this.#check = check;
  }

  #path = (fileName: string): string => join(this.#folder, fileName);
  #temporary = (fileName: string): string => `${this.#path(fileName)}.${process.pid}.tmp`;

  write(fileName: string, bytes: Uint8Array): void {
    let descriptor = this.#open.get(fileName);
    if (descriptor === undefined) {
      this.#check([this.#path(fileName)]);
      descriptor = openSync(this.#temporary(fileName), 'w');
      this.#open.set(fileName, descriptor);
    }
    for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
  }

  /** @returns the names of the files */
  finish(): string[] {
    const names = [...this.#open.keys()];
    for (const [name, descriptor] of this.#open) {
      closeSync(descriptor);
      this.#open.delete(name);
      renameSync(this.#temporary(name), this.#path(name));
    }
    return names;
  }

  discard(): void {
    for (const [name, descriptor] of this.#open) {
      this.#open.delete(name);
      closeSync(descriptor);
      rmSync(this.#temporary(name), { force: true });
    }
  }
}

async function writeRecording(
  recording: Recording,
  writer: RecordWriter,
  output: string,
  pending: PendingFiles,
): Promise<{ names: string[]; warnings: readonly Warning[] }> {
  using _interrupted = onInterrupt(() => pending.discard());
  try {
    await writer.prepare?.();
    const pieces = writer.write(recording, basename(output));
    let next = pieces.next();
    for (; next.done !== true; next = pieces.next()) {
      pending.write(next.value.fileName, next.value.bytes);
      // Somebody may want to stop it.
      await setImmediate();
    }
    return { names: pending.finish(), warnings: next.value };
  } catch (error) {
    pending.discard();
    if (error instanceof IsolineError) throw error;
    throw unwritable(output, error);
  }
}

/** What lies beside OUT and would be taken for a part of the new record by its name. */
const strayCompanions = (
  writer: RecordWriter,
  folder: string,
  name: string,
  written: readonly string[],
): string[] =>
  writer
    .companions(name)
    .filter((file) => file !== name && !written.includes(file) && existsSync(join(folder, file)));

export const convertCommand: Command = {
  name: 'convert',
  usage: 'IN OUT [--format F] [--channels CHANNELS] [--patient] [--overwrite]',
  options: {
    format: {
      value: 'F',
      meaning: `One of ${WRITERS.map(({ name }) => name).join(', ')}; without it, by the extension of OUT.`,
    },
    channels: CHANNELS_OPTION,
    overwrite: {
      meaning:
        'Replace OUT and its companion files; companions that the new record does not have are deleted.',
    },
    patient: { meaning: "Include the patient's data. Default: left out." },
  },
  positionals: [2, 2],
  async run(args) {
    const [input, output] = args.positionals as [string, string];
    const writer = writerFor(output, args.text('format'));
    if (writer === undefined)
      throw usageError(
        args.text('format') === undefined
          ? `The extension of "${output}" names no format that is written. Give one with --format.`
          : `There is no format "${args.text('format')}".`,
        convertCommand,
      );
    if (/[\\/]$/.test(output))
      throw usageError(`"${output}" is the name of a folder. Name a file.`, convertCommand);
    const folder = dirname(resolve(output));
    const name = basename(output);
    const mayOverwrite = args.isOn('overwrite');
    // Files that nobody named are not replaced.
    const [stray] = strayCompanions(writer, folder, name, []);
    if (stray !== undefined && !mayOverwrite)
      throw usageError(
        `"${stray}" is there already and would be taken for a part of "${name}". Choose another name, or delete it, or use --overwrite.`,
        convertCommand,
      );
    using opened = await openRecords(input);
    const record = theOnlyRecord(opened);
    const read = readOrThrow(record, args.text('channels'));
    const recording = args.isOn('patient') ? read : { ...read, patient: {} };
    const pending = new PendingFiles(folder, (paths) =>
      requireFreeOutputs(paths, [{ name: input, path: input }, ...record.files], convertCommand),
    );
    const { names, warnings } = await writeRecording(recording, writer, output, pending);
    if (mayOverwrite)
      for (const file of strayCompanions(writer, folder, name, names))
        rmSync(join(folder, file), { force: true });
    print(names.join('\n'));
    for (const { message } of [...read.warnings, ...warnings]) warn(message);
  },
};
