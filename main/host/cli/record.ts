// `isoline record`: records a device into a data folder without a window. With `--json -` one line is printed for every frame when it
// is on the disk, and one at the end.

import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { openDesk } from '../desk-host.ts';
import { startWorkstation } from '../workstation.ts';
import { type Command, parseOverrides, print, usageError } from './command.ts';
import { untilSignal } from './serve.ts';

const LONGEST_SECONDS = 35 * 86_400;

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 1 && seconds <= LONGEST_SECONDS) return seconds;
  throw usageError(`--seconds takes a number from 1 to ${LONGEST_SECONDS}.`, recordCommand);
}

export const recordCommand: Command = {
  name: 'record',
  summary: 'Record a device into a data folder.',
  usage: '--port PATH --seconds N --data-dir D [--driver D] [--json -]',
  options: {
    port: {
      value: 'PATH',
      meaning: 'Port or pseudo-terminal; simulator:DRIVER?rhythm=afib for a simulated device, replay:FILE for a capture.',
    },
    driver: { value: 'D', meaning: 'May be shortened where it stays unique. Default: it is found out.' },
    variant: { value: 'V', meaning: 'Board of the driver.' },
    leads: { value: 'SET', meaning: 'How the device is wired; the screens list what it offers.' },
    baud: { value: 'N', meaning: 'Speed of the port. Default: the driver’s.' },
    seconds: { value: 'N', meaning: 'Recorded time after which it ends.' },
    'data-dir': { value: 'D', meaning: 'The data folder; it is made if it is not there.' },
    task: { value: 'ID', meaning: 'A task that waits for a recording. Default: a new one.' },
    json: { value: '-', meaning: 'A JSON line on stdout for each stored frame.' },
    raw: { value: 'FILE', meaning: 'The bytes of the device as they came, for support.' },
    set: { value: 'KEY=VALUE', isRepeatable: true, meaning: 'Override a setting for this run.' },
  },
  positionals: [0, 0],
  async run(args) {
    const seconds = secondsOf(args.required('seconds'));
    const isJson = args.text('json') !== undefined;
    if (isJson && args.text('json') !== '-') throw usageError('--json takes - alone.', recordCommand);
    const taskText = args.text('task');
    if (taskText !== undefined && !/^[1-9]\d{0,14}$/.test(taskText)) throw usageError('--task takes the number of a task.', recordCommand);
    const baud = args.text('baud');
    const stopped = untilSignal();
    const raw = args.text('raw') === undefined ? undefined : createWriteStream(resolve(args.text('raw') as string));
    raw?.on('error', (error) => void process.stderr.write(`isoline: The bytes of the device are not written: ${error.message}\n`));
    await using workstation = await startWorkstation({
      dataDir: resolve(args.required('data-dir')),
      port: 0,
      overrides: parseOverrides(args.list('set'), recordCommand),
      onTrouble: (sentence) => void process.stderr.write(`isoline: ${sentence}\n`),
    });
    const desk = await openDesk(workstation, {
      isWatching: false,
      hooks: {
        onRecorded: (taskId, { timestampUs, samples, bytes }) => {
          if (isJson) print(JSON.stringify({ taskId, timestampUs, samples, bytes: bytes.length }));
        },
        ...(raw !== undefined && { onBytes: (bytes) => void raw.write(Buffer.from(bytes)) }),
      },
    });
    try {
      const id = await desk.connect(args.required('port'), {
        driver: args.text('driver'),
        variant: args.text('variant'),
        leadSet: args.text('leads'),
        baud: baud === undefined ? undefined : Number(baud),
      });
      const device = desk.device(id);
      await device.record({ taskId: taskText === undefined ? undefined : Number(taskText), durationMs: Math.round(1000 * seconds) });
      const ended = device.untilEnded();
      const { taskId, recordedMs, lostShare } = await Promise.race([ended, stopped.then(() => device.stop())]);
      if (isJson) print(JSON.stringify({ taskId, isFinished: true, recordedMs, lostShare }));
      else print(`Recorded ${(recordedMs / 1000).toFixed(1)} s as task ${taskId}, ${(100 * lostShare).toFixed(2)} % lost.`);
    } finally {
      await desk.close();
      await new Promise<void>((done) => (raw === undefined ? done() : raw.end(done)));
    }
  },
};
