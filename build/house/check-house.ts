// Whether the sources keep to the list of rooms, and import each other in one direction.

import type { Source } from './read-sources.ts';
import { ROOM_NAMES, ROOMS, type Room, roomOf } from './rooms.ts';

const isOfRepository = (target: string): boolean =>
  /^(main|shared|renderer|preload|test|build|docs)\//.test(target);

const lies = (target: string, place: string): boolean => target === place || target.startsWith(`${place}/`);

function isAllowed(room: Room & { readonly name: string }, target: string): boolean {
  if (target.startsWith('node:')) return room.node.includes(target.slice('node:'.length));
  if (isOfRepository(target))
    return (
      [room.name, ...room.imports].some((place) => lies(target, place)) &&
      !(room.without ?? []).some((place) => lies(target, place))
    );
  return room.packages.includes(target);
}

/** @returns a sentence for each import that its room may not have */
export function violations(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, imports }) => {
    const name = roomOf(path);
    if (name === undefined) return [`${path} lies in no room.`];
    const room = { ...ROOMS[name], name };
    return imports
      .filter((target) => !isAllowed(room, target))
      .map((target) => `${path} imports ${target}, which ${name} may not use.`);
  });
}

/** @returns what a room may use and does not, so that the list stays as short as the truth */
export function unused(sources: readonly Source[]): string[] {
  return ROOM_NAMES.flatMap((name) => {
    const targets = new Set(
      sources.filter(({ path }) => roomOf(path) === name).flatMap(({ imports }) => imports),
    );
    const { imports, node, packages }: Room = ROOMS[name];
    const idle = [
      ...imports.filter((place) => ![...targets].some((target) => lies(target, place))),
      ...node.filter((module) => !targets.has(`node:${module}`)),
      ...packages.filter((module) => !targets.has(module)),
    ];
    return idle.map((module) => `${name} may use ${module}, and does not.`);
  });
}

/** What the entries load, with all that this loads in turn. */
function loadedFrom(sources: readonly Source[], entries: readonly string[]): ReadonlySet<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const loaded = new Set(entries);
  for (const path of loaded) for (const target of byPath.get(path)?.imports ?? []) loaded.add(target);
  return loaded;
}

/** @returns files that wait while they are loaded, of those that one of the entries loads (decision 42) */
export function waiting(sources: readonly Source[], entries: readonly string[]): string[] {
  const loaded = loadedFrom(sources, entries);
  return sources.filter(({ path, isWaiting }) => isWaiting && loaded.has(path)).map(({ path }) => path);
}

/** Both ends of the bridge stay side by side, though each side uses one of them. */
const BRIDGE_ENDS = ['shared/bridge/', 'shared/validator.ts'];

/** @returns files of `shared` that one side alone uses; they belong into a room of that side */
export function oneSided(sources: readonly Source[]): string[] {
  const sides = ['main/', 'renderer/'].map((side) =>
    loadedFrom(
      sources,
      sources.map(({ path }) => path).filter((path) => path.startsWith(side)),
    ),
  );
  return sources
    .map(({ path }) => path)
    .filter((path) => path.startsWith('shared/') && !BRIDGE_ENDS.some((end) => path.startsWith(end)))
    .filter((path) => !sides.every((side) => side.has(path)));
}

/** Tarjan (1972). @returns groups of files that import each other, by types as well */
export function circles(sources: readonly Source[]): string[][] {
  const targets = new Map(sources.map(({ path, imports }) => [path, imports]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): number => {
    const index = order.size;
    order.set(path, index);
    low.set(path, index);
    open.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue;
      if (!order.has(target)) low.set(path, Math.min(low.get(path) as number, visit(target)));
      else if (open.includes(target))
        low.set(path, Math.min(low.get(path) as number, order.get(target) as number));
    }
    if (low.get(path) === index) {
      const group = open.splice(open.indexOf(path));
      if (group.length > 1) found.push(group.sort());
    }
    return low.get(path) as number;
  };
  for (const { path } of sources) if (!order.has(path)) visit(path);
  return found;
}
