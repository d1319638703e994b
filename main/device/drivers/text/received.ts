// What a text device sends, for a person who chooses the column: its last lines, and each column with a few seconds of it.

import type { CallOutput } from '../../../../shared/bridge/contract.ts';
import type { LeadCode } from '../../../../shared/signal/lead.ts';
import { lookAtChannel } from '../../../signal/channels/channel-signal.ts';
import { columnPairs } from '../../../signal/channels/column-pairs.ts';
import type { DeviceFormat } from '../../device-format.ts';
import { readField, type Separator, splitLine } from './numbers.ts';

export type ReceivedColumns = Omit<CallOutput<'desk.columns'>, 'leadSet'>;

const SHOWN_LINES = 9;
const SHOWN_SECONDS = 6;
const MOST_BYTES = 64 << 10;
const DATA = /^[+-]?\.?\d|[:=]\s*[+-]?\.?\d/;

/** The bytes that came last, as many as a few seconds have. */
export class LastBytes {
  #pieces: Uint8Array[] = [];
  #length = 0;

  add(bytes: Uint8Array): void {
    this.#pieces.push(Uint8Array.from(bytes));
    this.#length += bytes.length;
    while (this.#length - (this.#pieces[0]?.length ?? 0) >= MOST_BYTES)
      this.#length -= this.#pieces.shift()?.length ?? 0;
  }

  clear(): void {
    this.#pieces = [];
    this.#length = 0;
  }

  /** Whole lines; the first and the last may be cut off. */
  get lines(): string[] {
    return Buffer.concat(this.#pieces)
      .toString('latin1')
      .split(/\r\n|\n|\r/)
      .slice(1, -1);
  }
}

/** The single leads that a column can be: those of the format whose only term is its channel. */
function leadSetsOf(
  { leadSets }: DeviceFormat,
  channel: number,
): ReceivedColumns['columns'][number]['leadSets'] {
  return leadSets.flatMap(({ id, leads }) => {
    const [only, ...others] = leads;
    const [term, ...more] = only?.terms ?? [];
    const isOfIt =
      only !== undefined && others.length === 0 && more.length === 0 && term?.channel === channel;
    return isOfIt ? [{ id, lead: only.lead as LeadCode, isTurned: (term?.weight ?? 1) < 0 }] : [];
  });
}

/** @param format as the parser has found it, whose channels are the columns without that of the time */
export function receivedColumns(
  lines: readonly string[],
  format: DeviceFormat,
  rateHz: number,
): ReceivedColumns {
  const data = lines.filter((line) => DATA.test(line.trim()));
  const { text } = format;
  if (data.length < 2 || text === undefined) return { lines: [], columns: [] };
  // As the parser has found it: what stands in the header is long gone.
  const { separator, columns: count, timeColumn = -1 } = text;
  const rows = data
    .map((line) =>
      splitLine(line, separator as Separator).map((field) => readField(field, separator as Separator).value),
    )
    .filter((row) => row.length === count)
    .slice(-Math.max(SHOWN_LINES, Math.round(SHOWN_SECONDS * rateHz)));
  const columns = Array.from({ length: count }, (_, column): ReceivedColumns['columns'][number] => {
    const channel = column === timeColumn ? -1 : column - (timeColumn >= 0 && column > timeColumn ? 1 : 0);
    const values = Float32Array.from(rows, (row) => row[column] as number);
    const look = channel < 0 ? { isFlat: false } : lookAtChannel(values, rateHz);
    return {
      name: channel < 0 ? '' : (format.channels[channel]?.name ?? ''),
      isTime: channel < 0,
      ...look,
      columns: columnPairs(values),
      leadSets: channel < 0 ? [] : leadSetsOf(format, channel),
    };
  });
  return { lines: data.slice(-SHOWN_LINES).map((line) => splitLine(line, separator as Separator)), columns };
}
