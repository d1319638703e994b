// A table of numbers that does not say how many rows a second it has. Its channels have no rate until a person says one, and are no ECG
// before that: a wrong rate makes every interval wrong.

import type { ByteSource } from '../byte-source.ts';
import { recordingOf } from '../carts/cart-record.ts';
import { Deviations } from '../deviations.ts';
import type { ReadResult } from '../format.ts';
import { isPlainText, parseTable } from './table-text.ts';
import { channelsOf, MAX_BYTES, TEXT_TABLE } from './text-table.ts';

const LOOKED_AT_BYTES = 4096;
/** Numbers in XML or JSON are what these say. */
const IS_MARKED_UP = /^\W{0,3}\s*[<{[]/;
/** Shorter lists of numbers are of something else. */
const LEAST_ROWS = 250;

/** @returns undefined where the file is no table of numbers */
export function readUntimedTable(source: ByteSource): ReadResult | undefined {
  if (source.sizeBytes > MAX_BYTES) return undefined;
  const head = source.read(0, Math.min(LOOKED_AT_BYTES, source.sizeBytes));
  if (!isPlainText(head) || IS_MARKED_UP.test(new TextDecoder('latin1').decode(head))) return undefined;
  const table = parseTable(source.read(0, source.sizeBytes), 1);
  if (table === undefined || table.rows.length < LEAST_ROWS) return undefined;
  const deviations = new Deviations();
  if (table.unreadable > 0) deviations.add('table_rows_unreadable', { count: table.unreadable });
  const channels = channelsOf(table, { hz: 1 }, deviations);
  return recordingOf(TEXT_TABLE.name, {
    channels: channels.map((channel) => ({ ...channel, isRateUnknown: true })),
    startTime: undefined,
    patient: {},
    deviceId: undefined,
    readings: [],
    deviations,
  });
}
