// The house as a drawing (Mermaid) and a table: rooms, lines, arrows, circles, the largest file and function,
// tests by room.

import { circles } from './check-house.ts';
import type { Source } from './read-sources.ts';
import { ROOM_NAMES, ROOMS, type RoomName, roomOf } from './rooms.ts';

const FLOORS = [
  'The doors and the screens',
  'Neighbours',
  'The domain',
  'Pure',
  'Ground',
  'On both sides',
] as const;

const idOf = (room: string): string => room.replace('/', '_');
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function arrows(sources: readonly Source[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, imports } of sources)
    for (const target of imports) {
      const [from, to] = [roomOf(path), roomOf(target)];
      if (from === undefined || to === undefined || from === to) continue;
      const arrow = `${idOf(from)} --> ${idOf(to)}`;
      counts.set(arrow, (counts.get(arrow) ?? 0) + 1);
    }
  return counts;
}

function drawing(sources: readonly Source[]): string {
  const linesOf = (room: RoomName): number =>
    sum(sources.filter(({ path }) => roomOf(path) === room).map(({ lines }) => lines));
  const floors = FLOORS.map((title, i) => {
    const rooms = ROOM_NAMES.filter((room) => ROOMS[room].floor === i + 1);
    const nodes = rooms.map(
      (room) => `    ${idOf(room)}["${room}<br/>${ROOMS[room].purpose}<br/>${linesOf(room)} lines"]`,
    );
    return [`  subgraph floor${i + 1} ["${title}"]`, ...nodes, '  end'].join('\n');
  });
  // Everything uses shared/: arrows to it would hide the others.
  const drawn = [...arrows(sources)].filter(([arrow]) => !arrow.endsWith('> shared'));
  return [
    '```mermaid',
    'flowchart TD',
    ...floors,
    ...drawn.map(([arrow, count]) => `  ${arrow.replace('>', `>|${count}|`)}`),
    '```',
  ].join('\n');
}

/** A test belongs to the room whose folder it mirrors. */
const testedRoom = (path: string): RoomName | undefined => roomOf(path.replace(/^test\//, ''));

function table(sources: readonly Source[], tests: readonly Source[]): string {
  const rows = ROOM_NAMES.map((room) => {
    const own = sources.filter(({ path }) => roomOf(path) === room);
    const lines = sum(own.map((source) => source.lines));
    const tested = sum(tests.filter(({ path }) => testedRoom(path) === room).map((source) => source.lines));
    const file = own.toSorted((a, b) => b.lines - a.lines)[0];
    const longest = own.toSorted((a, b) => (b.longest?.lines ?? 0) - (a.longest?.lines ?? 0))[0]?.longest;
    const inRoom = (path = ''): string => path.slice(room.length + 1);
    return [
      `\`${room}/\``,
      own.length,
      lines,
      (tested / lines).toFixed(2),
      `\`${inRoom(file?.path)}\` ${file?.lines}`,
      `\`${longest?.name}\` ${longest?.lines}`,
    ];
  });
  return [
    '| Room | Files | Lines | Test/code | Largest file | Longest function |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n');
}

export function drawHouse(sources: readonly Source[], tests: readonly Source[]): string {
  const groups = circles(sources);
  const found =
    groups.length === 0
      ? 'No file imports itself through others.'
      : groups.map((group) => `- ${group.join(' ↔ ')}`).join('\n');
  return [drawing(sources), table(sources, tests), `Circles: ${groups.length}. ${found}`].join('\n\n');
}
