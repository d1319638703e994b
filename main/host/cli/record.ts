// `isoline record`: records a device into a data folder without a window. With `--json -` one line is printed
// for every frame when it is on the disk, and one at the end.

import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { resolve } from 'node:path';
import type { RecordingNotice } from '../../../shared/bridge/views.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { Desk } from '../../device/desk.ts';
import type { ConnectChoice, ManagedDevice } from '../../device/desk-device.ts';
import type { RecordingSummary } from '../../device/recorder/session.ts';
import { BAUD } from '../../device/transports/transport.ts';
import { openDesk } from '../desk-host.ts';
import { startWorkstation } from '../workstation.ts';
import {
  type Arguments,
  type Command,
  parseNumber,
  parseOverrides,
  print,
  usageError,
  warn,
} from './command.ts';
import { untilSignal } from './until-signal.ts';

const LONGEST_SECONDS = 35 * 86_400;

const NOTICES: Readonly<Record<RecordingNotice, string>> = {
  storeSlow: 'The disk is slow: some seconds wait to be stored. The recording goes on.',
  storeFull:
    'The disk is full: nothing can be stored now. Make room; what is lost until then is told as a gap.',
  storeRestarted: 'The store was started again. Nothing recorded is lost.',
  nearlyFull: 'The disk is nearly full: there is room for less than five minutes.',
  stoppedForSpace: 'The disk was nearly full: the recording was ended in order.',
  stoppedByCentre: 'The central service asked to stop: the recording was ended in order.',
  slept: 'The computer slept: what the device sent meanwhile is told as a gap.',
  clockSet: 'The clock of the computer was set.',
};

interface Wanted {
  readonly port: string;
  readonly choice: ConnectChoice;
  readonly durationMs: number;
  readonly taskId: number | undefined;
  readonly isJson: boolean;
}

function wantedOf(args: Arguments): Wanted {
  const json = args.text('json');
  if (json !== undefined && json !== '-') throw usageError('--json takes - alone.', recordCommand);
  args.required('seconds');
  const seconds = parseNumber(args, 'seconds', { least: 1, most: LONGEST_SECONDS }, recordCommand) as number;
  return {
    port: args.required('port'),
    choice: {
      driver: args.text('driver'),
      variant: args.text('variant'),
      leadSet: args.text('leads'),
      baud: parseNumber(args, 'baud', { ...BAUD, isWhole: true }, recordCommand),
    },
    durationMs: Math.round(1000 * seconds),
    taskId: parseNumber(
      args,
      'task',
      { least: 1, most: Number.MAX_SAFE_INTEGER, isWhole: true },
      recordCommand,
    ),
    isJson: json !== undefined,
  };
}

/**
 * A file that can't be written is told before anything is recorded; one that can't be written any more never
 * ends a recording.
 */
async function openRaw(path: string | undefined): Promise<WriteStream | undefined> {
  if (path === undefined) return undefined;
  const raw = createWriteStream(resolve(path));
  try {
    await once(raw, 'open');
  } catch (error) {
    throw new IsolineError(
      'usage',
      `"${path}" cannot be written: choose another file for --raw.`,
      {},
      { cause: error },
    );
  }
  raw.on('error', (error) => warn(`The bytes of the device are not written any more: ${error.message}`));
  return raw;
}

/** Says on stderr, once each, what a technician would read on the screen. */
function tellNotices(desk: Desk): void {
  const told = new Set<RecordingNotice>();
  desk.onEvent((name) => {
    if (name !== 'desk.changed') return;
    for (const { recording } of desk.views) {
      const notice = recording?.notice;
      if (notice === undefined || told.has(notice)) continue;
      told.add(notice);
      warn(NOTICES[notice]);
    }
  });
}

/** Only the first ones of many are told: the screen lists them all. */
const TOLD_ONE_BY_ONE = 3;

async function tellInterrupted(desk: Desk): Promise<void> {
  const interrupted = await desk.interrupted();
  for (const { taskId, durationMs } of interrupted.slice(0, TOLD_ONE_BY_ONE))
    warn(
      `Task ${taskId} holds ${(durationMs / 1000).toFixed(1)} s of a recording that was interrupted: start Isoline to finish it.`,
    );
  const more = interrupted.length - TOLD_ONE_BY_ONE;
  if (more > 0) warn(`${more} more recordings were interrupted: start Isoline to finish them.`);
}

async function begin(desk: Desk, { port, choice, taskId, durationMs }: Wanted): Promise<ManagedDevice> {
  const device = desk.device(await desk.connect(port, choice));
  await device.record({ taskId, durationMs });
  return device;
}

/**
 * Records until the time is up or somebody stops it; either way everything is on the disk then, or what is
 * not is said.
 */
async function recordUntil(stopped: Promise<void>, desk: Desk, wanted: Wanted): Promise<RecordingSummary> {
  const begun = begin(desk, wanted);
  begun.catch(() => undefined);
  const device = await Promise.race([begun, stopped.then(() => undefined)]);
  if (device === undefined)
    throw new IsolineError(
      'recording_not_found',
      'Nothing was recorded. The recording was stopped before it began.',
    );
  const ended = device.untilEnded();
  ended.catch(() => undefined);
  await Promise.race([ended, stopped]);
  // Waits for the disk, but not for ever.
  await desk.close();
  return ended;
}

export const recordCommand: Command = {
  name: 'record',
  usage: '--port PATH --seconds N --data-dir D [--driver D] [--json -]',
  options: {
    port: {
      value: 'PATH',
      meaning:
        'Port or pseudo-terminal; simulator:DRIVER?rhythm=afib for a simulated device, replay:FILE for a capture.',
    },
    driver: { value: 'D', meaning: 'Driver; any unique abbreviation. Default: detected.' },
    variant: { value: 'V', meaning: 'Board supported by the driver.' },
    leads: { value: 'SET', meaning: 'Lead set; the choices are listed on the screen.' },
    baud: { value: 'N', meaning: 'Baud rate. Default: that of the driver.' },
    seconds: { value: 'N', meaning: 'Recording time in seconds.' },
    'data-dir': { value: 'D', meaning: 'The data folder; created if missing.' },
    task: { value: 'ID', meaning: 'A task waiting for a recording. Default: a new task.' },
    json: { value: '-', meaning: 'Write a JSON line to stdout for each stored frame.' },
    raw: { value: 'FILE', meaning: 'Save the raw bytes from the device to FILE, for support.' },
    set: { value: 'KEY=VALUE', isRepeatable: true, meaning: 'Override a setting for this run.' },
  },
  positionals: [0, 0],
  outlivesItsReader: true,
  async run(args) {
    const wanted = wantedOf(args);
    const stopped = untilSignal();
    const dataDir = resolve(args.required('data-dir'));
    const raw = await openRaw(args.text('raw'));
    await using workstation = await startWorkstation({
      dataDir,
      port: 0,
      overrides: parseOverrides(args.list('set'), recordCommand),
      onTrouble: warn,
    });
    const desk = await openDesk(workstation, {
      isWatching: false,
      hooks: {
        onRecorded: (taskId, { timestampUs, samples, bytes }) => {
          if (wanted.isJson) print(JSON.stringify({ taskId, timestampUs, samples, bytes: bytes.length }));
        },
        ...(raw !== undefined && { onBytes: (bytes) => void raw.write(Buffer.from(bytes)) }),
      },
    });
    try {
      tellNotices(desk);
      await tellInterrupted(desk);
      const { taskIds, recordedMs, lostShare } = await recordUntil(stopped, desk, wanted);
      const tasks = taskIds.length === 1 ? `task ${taskIds[0]}` : `tasks ${taskIds.join(', ')}`;
      if (wanted.isJson)
        print(JSON.stringify({ taskId: taskIds.at(-1), taskIds, isFinished: true, recordedMs, lostShare }));
      else
        print(
          `Recorded ${(recordedMs / 1000).toFixed(1)} s as ${tasks}, ${(100 * lostShare).toFixed(2)} % lost.`,
        );
    } finally {
      await desk.close();
      await new Promise<void>((done) => (raw === undefined ? done() : raw.end(done)));
    }
  },
};
