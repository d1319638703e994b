// A MATLAB file with a matrix of samples into a Recording: the largest matrix is the signal, its shorter side the channels. Those of
// PhysioNet have a header beside them and are read as WFDB; alone, a file is read where it says its sample rate.

import { type Channel, INVALID_SAMPLE } from '../../../shared/signal/recording.ts';
import { mvPerUnit } from '../../../shared/signal/unit.ts';
import { recordingOf } from '../carts/cart-record.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import { memoryChannel } from '../stored-channel.ts';
import { isMatFile, type MatMatrix, type MatVariable, readMatFile } from './mat-file.ts';

const MAX_BYTES = 128 * 2 ** 20;
const MOST_CHANNELS = 128;
const LEAST_SAMPLES = 100;
const MOST_SAMPLE = 2_147_483_647;
const RATE =
  /(^|\.)(fs|sf|hz|srate|sfreq|freq|frequency|sampl(e|ing)[ _]?(rate|freq(uency)?)|samplerate)(_?hz)?$/i;
const LABELS = /(^|\.)(leads?|labels?|channels?|sig_?names?|lead_?names?|channel_?(names|labels))$/i;
const UNIT = /(^|\.)units?$/i;
/** What numbers with a fraction are counted in: steps of a converter are larger. */
const STEPS_PER_RANGE = 2 ** 24;

const isSignal = ({ rows, columns }: MatMatrix): boolean =>
  Math.min(rows, columns) >= 1 &&
  Math.min(rows, columns) <= MOST_CHANNELS &&
  Math.max(rows, columns) >= LEAST_SAMPLES;

const parentOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('.')));

interface Signal {
  readonly matrix: MatMatrix;
  /** The structure that it lies in: what says something of it lies there too. */
  readonly parent: string;
}

function signalOf(variables: readonly MatVariable[]): Signal | undefined {
  const all = variables.flatMap(({ name, matrix }) =>
    matrix !== undefined && isSignal(matrix) ? [{ matrix, parent: parentOf(name) }] : [],
  );
  return all.reduce<Signal | undefined>(
    (largest, signal) =>
      largest === undefined || signal.matrix.values.length > largest.matrix.values.length ? signal : largest,
    undefined,
  );
}

const scalar = ({ matrix }: MatVariable): number | undefined =>
  matrix?.values.length === 1 ? matrix.values[0] : undefined;

/** Takes what stands in the same structure, else what stands in none. */
function beside(
  variables: readonly MatVariable[],
  parent: string,
  isMeant: (one: MatVariable) => boolean,
): MatVariable[] {
  const meant = variables.filter(isMeant);
  const own = meant.filter(({ name }) => parentOf(name) === parent);
  return own.length > 0 ? own : meant.filter(({ name }) => parentOf(name) === '');
}

/** Undefined where nothing says it, or two things say two. */
function rateOf(variables: readonly MatVariable[], parent: string): number | undefined {
  const stated = beside(variables, parent, (one) => RATE.test(one.name) && scalar(one) !== undefined);
  const [hz, ...others] = new Set(stated.map(scalar));
  return hz !== undefined && others.length === 0 && hz > 0 && hz <= 100_000 ? hz : undefined;
}

function labelsOf(variables: readonly MatVariable[], { matrix, parent }: Signal): readonly string[] {
  const count = Math.min(matrix.rows, matrix.columns);
  const [named] = beside(
    variables,
    parent,
    ({ name, texts }) => LABELS.test(name) && texts?.length === count,
  );
  return named?.texts ?? Array.from({ length: count }, (_, i) => `Channel ${i + 1}`);
}

/** One for all, or one for each. */
function unitsOf(variables: readonly MatVariable[], parent: string, count: number): readonly string[] {
  const [stated] = beside(variables, parent, ({ name }) => UNIT.test(name));
  const known = (unit: string): string => (mvPerUnit(unit) === undefined ? '' : unit);
  const each = stated?.texts?.length === count ? stated.texts : undefined;
  return Array.from({ length: count }, (_, i) => known(each?.[i] ?? stated?.text ?? ''));
}

interface Steps {
  readonly samples: Int32Array;
  readonly scale: number;
}

/** Whole numbers as they are; fractions in steps that no converter was finer than. */
function stepsOf(values: Float64Array): Steps {
  const largest = values.reduce(
    (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
    0,
  );
  const isWhole =
    largest <= MOST_SAMPLE && values.every((value) => Number.isInteger(value) || !Number.isFinite(value));
  const scale = isWhole || largest === 0 ? 1 : largest / STEPS_PER_RANGE;
  return {
    samples: Int32Array.from(values, (value) =>
      Number.isFinite(value) ? Math.round(value / scale) : INVALID_SAMPLE,
    ),
    scale,
  };
}

/** Times beside a signal are none. */
const isRamp = (values: Float64Array): boolean =>
  values.length > 2 && values.every((value, i) => i === 0 || value > (values[i - 1] as number));

function channelOf(
  { rows, columns, values }: MatMatrix,
  place: number,
  { label, unit, hz }: { readonly label: string; readonly unit: string; readonly hz: number },
): Channel {
  const count = Math.max(rows, columns);
  const own =
    rows < columns
      ? Float64Array.from({ length: count }, (_, i) => values[i * rows + place] as number)
      : values.subarray(place * rows, (place + 1) * rows);
  const { samples, scale } = stepsOf(own);
  return memoryChannel(label, {
    unit: isRamp(own) ? '' : unit,
    scale,
    offset: 0,
    isCalibrated: true,
    rate: { samples: hz, seconds: 1 },
    samples,
  });
}

export const MATLAB: RecordFormat = {
  name: 'MATLAB',

  detect: (head) => isMatFile(head),

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES)
      return refused('record_unreadable', `The MATLAB file is larger than ${MAX_BYTES / 2 ** 20} MB.`);
    const variables = readMatFile(source.read(0, source.sizeBytes));
    if (variables === 'damaged')
      return refused('record_unreadable', 'The MATLAB file is cut off or damaged.');
    if (variables === 'too large')
      return refused(
        'record_unreadable',
        'The MATLAB file holds more than is read at once. Export the recording as EDF or WFDB.',
      );
    const signal = signalOf(variables);
    if (signal === undefined) return refused('no_ecg_record', 'The MATLAB file holds no matrix of samples.');
    const hz = rateOf(variables, signal.parent);
    if (hz === undefined)
      return refused(
        'record_unreadable',
        'The MATLAB file does not tell its sample rate, or tells several. Add its WFDB header (.hea), or a variable "fs" with the samples a second.',
      );
    const labels = labelsOf(variables, signal);
    const units = unitsOf(variables, signal.parent, labels.length);
    return recordingOf(MATLAB.name, {
      channels: labels.map((label, place) =>
        channelOf(signal.matrix, place, { label, unit: units[place] ?? '', hz }),
      ),
      startTime: undefined,
      patient: {},
      deviceId: undefined,
      readings: [],
      deviations: new Deviations(),
    });
  },
};
