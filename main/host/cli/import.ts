// `isoline import`: takes files into a data folder without a window, as a drop on the window would: recordings of all
// formats, archives, and reports that carry their recording.

import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import { type ImportSource, importFiles } from '../../../shared/bridge/import-files.ts';
import type { ImportedRecord } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { startWorkstation } from '../workstation.ts';
import { type Command, parseOverrides, print, usageError, warn } from './command.ts';
import { filesOfRecord } from './record-files.ts';

const POLL_MS = 200;
/** What is not analysed when the program ends goes on with its next start. */
const ENDED: ReadonlySet<string> = new Set(['AWAITING_APPROVAL', 'COMPLETED', 'FAILED']);

/** A file that is open until the import has ended. */
interface OpenFile extends ImportSource {
  close(): Promise<void>;
}

async function openFile(path: string): Promise<OpenFile> {
  if (!existsSync(path)) throw new IsolineError('file_not_found', `There is no file "${path}".`);
  const handle = await open(path);
  const stat = await handle.stat();
  if (!stat.isFile()) {
    await handle.close();
    throw usageError(`"${path}" is not a file. Name each file.`, importCommand);
  }
  return {
    name: basename(path),
    sizeBytes: stat.size,
    async read(offsetBytes, lengthBytes) {
      const { buffer, bytesRead } = await handle.read(
        new Uint8Array(lengthBytes),
        0,
        lengthBytes,
        offsetBytes,
      );
      if (bytesRead < lengthBytes)
        throw new IsolineError('record_unreadable', `"${path}" became shorter while it was read.`);
      return buffer;
    },
    close: () => handle.close(),
  };
}

/** What is named, and the files beside it that belong to the same recording. */
function withCompanions(paths: readonly string[]): Set<string> {
  const all = new Set(paths.map((path) => resolve(path)));
  for (const path of [...all])
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true)
      for (const file of filesOfRecord(path)) all.add(resolve(file.path));
  return all;
}

/** Where there are accounts, somebody with the right to import says who it is. */
async function signIn(bridge: BridgeClient, name: string | undefined): Promise<void> {
  const { isNeeded, users } = await bridge.call('session.get', {});
  if (!isNeeded) return;
  if (name === undefined)
    throw usageError(
      'This workstation has accounts. Name yours with --user, and give the PIN or password on standard input.',
      importCommand,
    );
  const user = users.find((each) => each.name === name);
  if (user === undefined) throw usageError(`There is no account "${name}".`, importCommand);
  const secret = (await text(process.stdin)).replace(/\r?\n$/, '');
  await bridge.call('session.signIn', { userId: user.userId, secret });
}

function lineOf({ name, taskId, isKnown, message }: ImportedRecord): string {
  if (taskId === undefined) return `${name}: ${message ?? 'This file could not be imported.'}`;
  return isKnown === true
    ? `${name}: known already as task ${taskId}`
    : `${name}: imported as task ${taskId}`;
}

async function untilAnalysed(bridge: BridgeClient, taskId: number): Promise<void> {
  while (!ENDED.has((await bridge.call('task.get', { taskId })).state)) await wait(POLL_MS);
}

/** @throws IsolineError where anything was not imported: exit code 1 */
function tell(records: readonly ImportedRecord[], ignored: readonly string[]): void {
  const failed = records.filter(({ taskId }) => taskId === undefined);
  for (const record of records) if (record.taskId !== undefined) print(lineOf(record));
  for (const name of ignored) warn(`${name}: belongs to no recording and was left out.`);
  const [only] = failed;
  if (records.length === 0) throw new IsolineError('no_ecg_record', 'There is no recording in these files.');
  if (only !== undefined && failed.length === 1) throw new IsolineError('no_ecg_record', lineOf(only));
  for (const record of failed) warn(lineOf(record));
  if (failed.length > 0)
    throw new IsolineError(
      'no_ecg_record',
      `${failed.length} of ${records.length} recordings could not be imported.`,
    );
}

export const importCommand: Command = {
  name: 'import',
  usage: 'FILE … --data-dir D [--user NAME]',
  options: {
    'data-dir': {
      value: 'D',
      meaning: 'The data folder; created if missing. Isoline must not be running on it.',
    },
    user: {
      value: 'NAME',
      meaning: 'Your account, where there are any; the PIN or password is read from stdin.',
    },
    complete: { meaning: 'Make the reports without waiting for a physician.' },
    set: { value: 'KEY=VALUE', isRepeatable: true, meaning: 'Override a setting for this run.' },
  },
  notes:
    'Files that belong together, as a WFDB header and its signals, are found beside the one that is named.',
  positionals: [1, 10_000],
  async run(args) {
    const dataDir = resolve(args.required('data-dir'));
    const files: OpenFile[] = [];
    try {
      for (const path of withCompanions(args.positionals)) files.push(await openFile(path));
      await using workstation = await startWorkstation({
        dataDir,
        port: 0,
        overrides: parseOverrides(args.list('set'), importCommand),
        onTrouble: warn,
      });
      const bridge = new BridgeClient(workstation.connect());
      await signIn(bridge, args.text('user'));
      const { records, ignored } = await importFiles(bridge, files, {
        autoComplete: args.isOn('complete'),
      });
      for (const { taskId } of records) if (taskId !== undefined) await untilAnalysed(bridge, taskId);
      tell(records, ignored);
    } finally {
      for (const file of files) await file.close();
    }
  },
};
