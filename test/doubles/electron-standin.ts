// A stand-in for the module `electron`, made from Electron's own type file: every object knows the members and events that
// the file names, and throws where somebody uses another. What is called is kept; what a test needs to happen it says.

import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const TYPES = readFileSync(createRequire(import.meta.url).resolve('electron/electron.d.ts'), 'utf8');

interface Described {
  readonly members: ReadonlySet<string>;
  readonly statics: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  /** Its events are channels, by any name. */
  readonly hasChannels: boolean;
}

const matches = (text: string, pattern: RegExp): Set<string> =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name as string));

/** Reads a class or an interface of the type file, with what it inherits. */
export function describe(name: string): Described {
  const declared = new RegExp(
    `^  (?:class|interface) ${name}(?: extends ([\\w.]+))? \\{\\n([\\s\\S]*?)^  \\}`,
    'm',
  ).exec(TYPES);
  if (declared === null) throw new Error(`Electron declares no ${name}`);
  const [, parent = '', body = ''] = declared;
  const inherited = /Emitter$/.test(parent) || parent === '' ? undefined : describe(parent);
  return {
    members: new Set([...matches(body, /^ {4}(?:readonly )?(\w+)[?]?[(:]/gm), ...(inherited?.members ?? [])]),
    statics: matches(body, /^ {4}static (\w+)\(/gm),
    events: new Set([...matches(body, /^ {4}on\(event: '([\w-]+)'/gm), ...(inherited?.events ?? [])]),
    hasChannels: /^ {4}on\(channel: string/m.test(body),
  };
}

export interface Call {
  /** `App.quit`, `BrowserWindow.loadURL`. */
  readonly name: string;
  readonly args: readonly unknown[];
}

export type StandIn = EventEmitter & Record<string, (...args: unknown[]) => unknown>;

const OF_EMITTERS = new Set(['emit', 'on', 'once', 'off', 'addListener', 'removeListener', 'listenerCount']);

/** @param does what happens in place of nothing, by member */
export function standIn(name: string, calls: Call[], does: Readonly<Record<string, unknown>> = {}): StandIn {
  const described = describe(name);
  for (const member of Object.keys(does))
    if (!described.members.has(member)) throw new Error(`Electron’s ${name} has no ${member}`);
  const emitter = new EventEmitter();
  return new Proxy(emitter, {
    get(target, key) {
      if (typeof key === 'symbol' || key === 'then') return Reflect.get(target, key) as unknown;
      if (OF_EMITTERS.has(key)) return listening(target, name, described, key);
      if (!described.members.has(key)) throw new Error(`Electron’s ${name} has no ${key}`);
      const own = does[key];
      if (own !== undefined && typeof own !== 'function') return own;
      return (...args: unknown[]): unknown => {
        calls.push({ name: `${name}.${key}`, args });
        return own === undefined ? undefined : (own as (...args: unknown[]) => unknown)(...args);
      };
    },
  }) as StandIn;
}

const listening =
  (target: EventEmitter, name: string, { events, hasChannels }: Described, key: string) =>
  (event: string, ...rest: never[]): unknown => {
    if (!hasChannels && !events.has(event)) throw new Error(`Electron’s ${name} has no event ${event}`);
    const answer = (target[key as 'emit'] as (event: string, ...rest: never[]) => unknown).call(
      target,
      event,
      ...rest,
    );
    return answer === target ? undefined : answer;
  };

/** A class whose objects are stand-ins, with what the file declares static. */
export function standInClass(
  name: string,
  calls: Call[],
  make: (...args: unknown[]) => Readonly<Record<string, unknown>> = () => ({}),
  statics: Readonly<Record<string, unknown>> = {},
): { readonly made: readonly StandIn[] } {
  const described = describe(name);
  for (const member of Object.keys(statics))
    if (!described.statics.has(member)) throw new Error(`Electron’s ${name} has no static ${member}`);
  const made: StandIn[] = [];
  const StandInClass = new Proxy(class {}, {
    construct(_target, args: unknown[]) {
      calls.push({ name: `new ${name}`, args });
      const object = standIn(name, calls, make(...args));
      made.push(object);
      return object;
    },
  });
  const calledStatics = Object.entries(statics).map(([member, value]) => [
    member,
    (...args: unknown[]): unknown => {
      calls.push({ name: `${name}.${member}`, args });
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown)(...args) : value;
    },
  ]);
  return Object.assign(StandInClass, Object.fromEntries(calledStatics), { made });
}
