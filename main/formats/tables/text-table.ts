// A table of numbers as text (CSV, TSV, exports of LabChart and the like) into a Recording: one column a channel, one row a sample. It is
// read where it says how many rows a second it has, by a column of times or above the numbers; units and leads it says or does not.

import type { Channel } from '../../../shared/signal/recording.ts';
import { mvPerUnit } from '../../../shared/signal/unit.ts';
import type { ByteSource } from '../byte-source.ts';
import { recordingOf } from '../carts/cart-record.ts';
import { decimalSamples } from '../decimal-samples.ts';
import { Deviations } from '../deviations.ts';
import { type RecordFormat, refused } from '../format.ts';
import { withLost } from '../lost-samples.ts';
import { parseIsoStart } from '../start-time.ts';
import { memoryChannel } from '../stored-channel.ts';
import { withAcqKnowledgeHead } from './acqknowledge-head.ts';
import { isPlainText, parseTable, type Table } from './table-text.ts';
import { type TableTime, tableTime } from './time-column.ts';

/** The fields of a table are held in memory as texts. */
export const MAX_BYTES = 48 * 2 ** 20;
/** What a table is, its beginning tells. */
const LOOKED_AT_BYTES = 1 << 16;

/** `ECG (mV)`, `II [uV]`, `Lead_II_mV` */
const WITH_UNIT = /^(?<name>.*?)[\s_]*[([](?<unit>[^)\]]*)[)\]]$|^(?<bare>.*?)[\s_](?<ending>[unmµ]?v)$/i;

const MOST_NAME = 100;
/** Samples of all columns, as many as a day of one lead. */
const MOST_SAMPLES = 48 * 2 ** 20;

function labelled(whole: string, column: number): { readonly label: string; readonly unit: string } {
  const name = whole.slice(0, MOST_NAME);
  const { name: label, unit, bare, ending } = WITH_UNIT.exec(name.trim())?.groups ?? {};
  if (label !== undefined && unit !== undefined && mvPerUnit(unit) !== undefined)
    return { label: label === '' ? `Column ${column + 1}` : label, unit };
  if (bare !== undefined && ending !== undefined && bare !== '') return { label: bare, unit: ending };
  return { label: name.trim() === '' ? `Column ${column + 1}` : name.trim(), unit: '' };
}

/** Rows of LabChart: `ChannelTitle=`, `UnitName=`, one field a channel behind them. */
function namesOf({ head, names, columns }: Table, time: TableTime): readonly string[] {
  const fieldsOf = (key: string): string[] | undefined =>
    head
      .find((line) => line.toLowerCase().startsWith(`${key}=`))
      ?.slice(key.length + 1)
      .split('\t')
      .map((field) => field.trim())
      .filter((field) => field !== '');
  const titles = fieldsOf('channeltitle');
  if (titles === undefined) return names;
  const units = fieldsOf('unitname') ?? [];
  const first = (time.column ?? -1) + 1;
  return Array.from({ length: columns }, (_, column) => {
    const title = titles[column - first];
    const unit = units[column - first];
    return title === undefined ? '' : unit === undefined || unit === '*' ? title : `${title} (${unit})`;
  });
}

export function channelsOf(table: Table, time: TableTime, deviations: Deviations): Channel[] {
  const names = namesOf(table, time);
  const columns = Array.from({ length: table.columns }, (_, i) => i).filter((i) => i !== time.column);
  // With a column of times, a row that could not be read is missing by its time.
  const rows = time.column === undefined ? table.rows : table.rows.filter((row) => row.length > 0);
  return columns.map((column) => {
    const { label, unit } = labelled(names[column] ?? '', column);
    const { samples, stepsPerUnit } = decimalSamples(
      rows.map((fields) => fields[column] ?? ''),
      label,
      deviations,
    );
    return memoryChannel(label, {
      unit,
      scale: 1 / stepsPerUnit,
      offset: 0,
      isCalibrated: true,
      rate: { samples: time.hz, seconds: 1 },
      samples: withLost(samples, time.missingBefore ?? []),
    });
  });
}

function tableOf(bytes: Uint8Array): Table | undefined {
  const table = parseTable(bytes);
  return table === undefined ? undefined : withAcqKnowledgeHead(table);
}

/** Tables of other things lie beside recordings everywhere: without a rate, it is none of ours. */
function isTimedTable(head: Uint8Array, source: ByteSource): boolean {
  if (!isPlainText(head)) return false;
  const begin = source.read(0, Math.min(LOOKED_AT_BYTES, source.sizeBytes));
  const table = tableOf(
    begin.subarray(0, begin.length < source.sizeBytes ? begin.lastIndexOf(0x0a) + 1 : begin.length),
  );
  return table !== undefined && tableTime(table) !== undefined;
}

const tooLarge = () =>
  refused(
    'record_unreadable',
    'The table is larger than is read at once. Export the recording as EDF or WFDB.',
  );

export const TEXT_TABLE: RecordFormat = {
  name: 'text table',

  detect: isTimedTable,

  read({ source }) {
    if (source.sizeBytes > MAX_BYTES) return tooLarge();
    const table = tableOf(source.read(0, source.sizeBytes));
    const time = table === undefined ? undefined : tableTime(table);
    if (table === undefined || time === undefined)
      return refused(
        'record_unreadable',
        'The table does not tell how many samples a second it has, or its times do not go on evenly. Export one stretch of it with its times.',
      );
    const missing = (time.missingBefore ?? []).reduce((sum, count) => sum + count, 0);
    if ((table.rows.length + missing) * table.columns > MOST_SAMPLES) return tooLarge();
    const deviations = new Deviations();
    if (table.unreadable > 0) deviations.add('table_rows_unreadable', { count: table.unreadable });
    if (time.guessedUnit !== undefined)
      deviations.add('table_time_guessed', { unit: time.guessedUnit, hz: time.hz });
    if (missing > 0) deviations.add('table_rows_missing', { count: missing });
    return recordingOf(TEXT_TABLE.name, {
      channels: channelsOf(table, time, deviations),
      startTime: time.start === undefined ? undefined : parseIsoStart(time.start),
      patient: {},
      deviceId: undefined,
      readings: [],
      deviations,
    });
  },
};
