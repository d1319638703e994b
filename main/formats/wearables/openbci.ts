// Text of the OpenBCI GUI into a Recording: a head of remarks, a line of column names, and one line a sample (OpenBCI documentation,
// "OpenBCI Data Format"). BrainFlow writes the same columns without a head and without names, and is not told from other tables.

import type { Channel, StartTime } from '../../../shared/signal/recording.ts';
import { median } from '../../../shared/signal/statistics.ts';
import { recordingOf } from '../carts/cart-record.ts';
import { decimalSamples } from '../decimal-samples.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import { withLost } from '../lost-samples.ts';
import { memoryChannel } from '../stored-channel.ts';
import { parseDecimal } from '../text-field.ts';

const MARK = /^\uFEFF?%\s*OpenBCI/i;
const RATE = /^%\s*Sample Rate\s*=\s*([\d.]+)\s*Hz/im;
const BOARD = /^%\s*Board\s*=\s*(\S+)/im;
/** An hour of eight channels at 250 Hz; the lines of a file are held in memory. */
const MAX_BYTES = 128 * 2 ** 20;
const SIGNAL_COLUMN = /^(EXG|EEG|ECG|EMG) Channel \d+$/i;
/** The counter of a board goes from 0 to 255. */
const COUNTER = 256;
/** A larger step of the counter is no loss on the air: the counter has started again. */
const MOST_LOST = 128;

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** How many samples are missing before each line, by the counter. */
function lostBefore(counters: readonly number[]): number[] {
  const steps = counters.slice(1).map((counter, i) => {
    const step = counter - (counters[i] as number);
    return Number.isInteger(step) ? ((step % COUNTER) + COUNTER) % COUNTER : Number.NaN;
  });
  // One board counts every sample, a pair of boards every second number.
  const unit = median(steps.filter((step) => step > 0)) ?? 1;
  const lost = steps.map((step) => (step > 0 && step <= MOST_LOST ? Math.round(step / unit) - 1 : 0));
  // Where more is lost than is there, the column is no counter.
  const sum = lost.reduce((total, count) => total + count, 0);
  return sum > counters.length ? [] : [0, ...lost];
}

/** Arrival times jitter by packets, and by nothing over minutes. */
const MOST_DEVIATION = 0.02;
const LEAST_SECONDS = 5;

/** Samples a second by the times at which they arrived, where these do not fit what the file states. */
function otherRate(
  rows: readonly (readonly string[])[],
  column: number,
  count: number,
  hz: number,
): number | undefined {
  const [first, last] = [rows[0]?.[column], rows.at(-1)?.[column]].map((text) => parseDecimal(text ?? ''));
  const seconds = (last ?? Number.NaN) - (first ?? Number.NaN);
  const arrived = (count - 1) / seconds;
  const isOff = count / hz >= LEAST_SECONDS && seconds > 0 && Math.abs(arrived / hz - 1) > MOST_DEVIATION;
  return isOff ? Math.round(10 * arrived) / 10 : undefined;
}

function startOf(rows: readonly (readonly string[])[], column: number): StartTime | undefined {
  const seconds = column < 0 ? undefined : parseDecimal(rows[0]?.[column] ?? '');
  return seconds === undefined || seconds < 1e9
    ? undefined
    : { utcMs: Math.round(1000 * seconds), isZoneKnown: true };
}

export const OPENBCI: RecordFormat = {
  name: 'OpenBCI text',

  detect: (head) => MARK.test(textOf(head.subarray(0, 64))),

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES)
      return refused('record_unreadable', `The OpenBCI file is larger than ${MAX_BYTES} bytes.`);
    const lines = textOf(source.read(0, source.sizeBytes)).split(/\r\n|\n|\r/);
    const remarks = lines.filter((line) => line.startsWith('%')).join('\n');
    const hz = parseDecimal(RATE.exec(remarks)?.[1] ?? '');
    if (hz === undefined || hz <= 0)
      return refused('record_unreadable', 'The OpenBCI file does not tell its sample rate.');
    const table = lines
      .filter((line) => line.trim() !== '' && !line.startsWith('%'))
      .map((line) => line.split(',').map((field) => field.trim()));
    const [names = [], ...rows] = table;
    const columns = names.flatMap((name, column) => (SIGNAL_COLUMN.test(name) ? [column] : []));
    if (columns.length === 0)
      return refused('record_unreadable', 'The OpenBCI file has no line with the names of its columns.');
    if (rows.length === 0) return refused('record_unreadable', 'The OpenBCI file holds no samples.');
    const deviations = new Deviations();
    const counter = names.findIndex((name) => /^sample index$/i.test(name));
    // Where the program goes on counting behind 255, nothing is known of losses.
    const counters = rows.map((row) => Number(row[counter]));
    const lost = counter < 0 || counters.some((value) => value >= COUNTER) ? [] : lostBefore(counters);
    const missing = lost.reduce((sum, count) => sum + count, 0);
    if (missing > 0) deviations.add('samples_lost', { count: missing });
    const channels = columns.map((column): Channel => {
      const label = names[column] as string;
      const { samples, stepsPerUnit } = decimalSamples(
        rows.map((row) => row[column] ?? ''),
        label,
        deviations,
      );
      return memoryChannel(label, {
        unit: 'uV',
        scale: 1 / stepsPerUnit,
        offset: 0,
        isCalibrated: true,
        rate: { samples: hz, seconds: 1 },
        samples: withLost(samples, lost),
      });
    });
    const timestamp = names.findIndex((name) => /^timestamp$/i.test(name));
    const arrivedHz = otherRate(rows, timestamp, rows.length + missing, hz);
    if (arrivedHz !== undefined) deviations.add('rate_by_arrival', { stated: hz, arrived: arrivedHz });
    return recordingOf(OPENBCI.name, {
      channels,
      startTime: startOf(rows, timestamp),
      patient: {},
      deviceId: BOARD.exec(remarks)?.[1],
      readings: [],
      deviations,
    });
  },
};
