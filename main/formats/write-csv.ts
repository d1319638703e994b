// Writes a recording as a table for spreadsheets and scripts: one column a lead, one line a sample, physical
// values.

import { csvField } from '../../shared/csv-field.ts';
import { INVALID_SAMPLE, type Recording, rateHz } from '../../shared/signal/recording.ts';
import { warning } from '../../shared/warnings/warning.ts';
import { type RecordOutput, type RecordWriter, unsuitable } from './record-writer.ts';

const LINES_PER_PIECE = 16_384;
/** More digits than any converter has; fewer than the noise of binary fractions. */
const SIGNIFICANT_DIGITS = 12;

/** Few different values occur, so that each is formatted once. */
class Formatter {
  readonly #known = new Map<number, string>();
  readonly #scale: number;
  readonly #offset: number;
  constructor(scale: number, offset: number) {
    this.#scale = scale;
    this.#offset = offset;
  }
  text(sample: number): string {
    if (sample === INVALID_SAMPLE) return '';
    let text = this.#known.get(sample);
    if (text === undefined) {
      text = String(Number((sample * this.#scale + this.#offset).toPrecision(SIGNIFICANT_DIGITS)));
      if (this.#known.size < 1 << 17) this.#known.set(sample, text);
    }
    return text;
  }
}

/** How many lines one sample of each channel stands for: slower channels have empty fields between. */
function linesPerSample({ channels }: Recording): number[] {
  const fastest = Math.max(...channels.map(({ rate }) => rateHz(rate)));
  return channels.map(({ rate, label }) => {
    const lines = fastest / rateHz(rate);
    if (Math.abs(lines - Math.round(lines)) > 1e-9 * lines)
      throw unsuitable(
        `The sample rate of "${label}" is no whole part of the fastest one, so that their samples have no common lines. Convert to EDF+.`,
      );
    return Math.round(lines);
  });
}

export const CSV_WRITER: RecordWriter = {
  name: 'csv',
  extensions: ['.csv'],
  companions: () => [],
  *write(recording, fileName): RecordOutput {
    const { channels } = recording;
    if (channels.length === 0) throw unsuitable('The recording has no signals to write.');
    const every = linesPerSample(recording);
    const text = new TextEncoder();
    const heads = channels.map(({ label, unit }) => csvField(unit === '' ? label : `${label} [${unit}]`));
    yield { fileName, bytes: text.encode(`${heads.join(',')}\r\n`) };
    const formatters = channels.map(({ scale, offset }) => new Formatter(scale, offset));
    const lineCount = Math.max(...channels.map(({ sampleCount }, i) => sampleCount * (every[i] as number)));
    for (let start = 0; start < lineCount; start += LINES_PER_PIECE) {
      const end = Math.min(start + LINES_PER_PIECE, lineCount);
      const columns = channels.map((channel, i) => {
        const step = every[i] as number;
        const first = Math.ceil(start / step);
        const samples = new Int32Array(Math.ceil(end / step) - first);
        channel.read(first, samples);
        return { step, first, samples, formatter: formatters[i] as Formatter };
      });
      const lines: string[] = [];
      for (let line = start; line < end; line++) {
        const fields = columns.map(({ step, first, samples, formatter }) =>
          line % step === 0 ? formatter.text(samples[line / step - first] ?? INVALID_SAMPLE) : '',
        );
        lines.push(fields.join(','));
      }
      yield { fileName, bytes: text.encode(`${lines.join('\r\n')}\r\n`) };
    }
    const left = [
      'the sample rate',
      ...(recording.startTime === undefined ? [] : ['the start time']),
      ...(recording.annotations.length === 0 ? [] : [`${recording.annotations.length} remarks`]),
      ...((recording.gaps ?? []).length === 0 ? [] : ['the list of gaps']),
      ...(recording.deviceId === undefined ? [] : ['the device']),
    ];
    return [warning('samples_only', { list: left.join(', ') })];
  },
};
