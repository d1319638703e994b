// The text export of AcqKnowledge: the milliseconds of a sample, the number of channels, then the name and the unit of each in a line of
// its own; the first row of numbers says how many samples each channel has (BIOPAC, AcqKnowledge guide, "Text files").

import type { Table } from './table-text.ts';

const STEP = /^\s{0,9}[\d.,]+\s{0,3}m?sec\s{0,3}\/\s{0,3}sample/i;
const CHANNELS = /^\s{0,9}(\d{1,3})\s{1,3}channels?\s*$/i;
const TIME = /^(msec|ms|sec|s|min|hours?|hrs?)$/i;

/** Its column of times is named by its unit alone. */
const timeName = (name: string): string => (TIME.test(name) ? `time (${name})` : name);

/** The same table with the names of its channels and without the row of counts; any other table as it is. */
export function withAcqKnowledgeHead(table: Table): Table {
  const { head, names, rows } = table;
  const at = head.findIndex((line) => CHANNELS.test(line));
  const count = Number(CHANNELS.exec(head[at] ?? '')?.[1] ?? 0);
  if (count === 0 || !head.some((line) => STEP.test(line)) || head.length <= at + 2 * count) return table;
  const hasTime = TIME.test(names[0] ?? '');
  const first = hasTime ? 1 : 0;
  const channels = Array.from({ length: count }, (_, i) => {
    const [name = '', unit = ''] = [head[at + 1 + 2 * i], head[at + 2 + 2 * i]].map((line) => line?.trim());
    return `${name} (${unit})`;
  });
  // A divider at the end of each line makes one column more, with nothing in it.
  const columns = first + count;
  const isOfCounts = hasTime && rows[0]?.[0] === '';
  return {
    ...table,
    columns,
    names: [...(hasTime ? [timeName(names[0] ?? '')] : []), ...channels],
    rows: (isOfCounts ? rows.slice(1) : rows).map((row) => row.slice(0, columns)),
  };
}
