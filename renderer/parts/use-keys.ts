// Keys of a screen (screens, 1.2). Those of a single letter act only where nobody is typing.

import { useEffect, useRef } from 'react';
import { type CommandOf, keysOf, type Place } from './commands.ts';
import { SCAN_PATIENCE_MS, ScannedCode } from './scanner.ts';

/** `F5`, `Ctrl+K`, `Space`, `e`. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const nameOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string => {
  const plain = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key;
  return [
    ctrlKey || metaKey ? 'Ctrl' : '',
    altKey ? 'Alt' : '',
    shiftKey && (plain.length > 1 || ctrlKey || metaKey) && !altKey ? 'Shift' : '',
    altKey && plain.length === 1 ? plain.toUpperCase() : plain,
  ]
    .filter(Boolean)
    .join('+');
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]') !==
    null;

/** Held, these go on and on. */
const isMoving = (name: string): boolean => /^(Arrow|Page)/.test(name);

/** Arrows go along a choice that has the focus. */
const isChoosing = (target: EventTarget | null, name: string): boolean =>
  name.startsWith('Arrow') && target instanceof HTMLElement && target.closest('input[type=radio]') !== null;

/** Space and Enter mean the button that has the focus. */
const isPressing = (target: EventTarget | null, name: string): boolean =>
  (name === 'Space' || name === 'Enter') &&
  target instanceof HTMLElement &&
  target.closest('button, a, [role=radio], input, summary') !== null;

/** What is shown last is asked first: a screen before the frame that it stands in. */
const layers: { readonly current: Keys }[] = [];

const code = new ScannedCode();
const listeners = new Set<(code: string) => void>();
/** What keys of one letter do; they wait until it is sure that they are no code. */
let held: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

function hold(act: () => void): void {
  held.push(act);
  clearTimeout(timer);
  timer = setTimeout(doHeld, SCAN_PATIENCE_MS);
}

/** What waits is done now: no scanner sends such a key in the middle of a code. */
function doHeld(): void {
  clearTimeout(timer);
  for (const each of held.splice(0)) each();
}

/** A scanner presses it for a capital letter. */
const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);

/** A code that was scanned, where nobody is typing. @param onCode may change with every render */
export function useScannedCode(onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    const listen = (text: string): void => latest.current(text);
    listeners.add(listen);
    return () => void listeners.delete(listen);
  }, []);
}

/** A PIN that is typed quickly looks like a code; and in a dialog nobody looks for a patient. */
const isScanningOff = (): boolean =>
  document.querySelector('[role=dialog], input[type=password], [data-secret]') !== null;

/** Whether the key ends a code: its characters were no commands then. */
function isEndOfCode(event: KeyboardEvent): boolean {
  if (isScanningOff() || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  const scanned = code.press(event.key, event.timeStamp);
  if (scanned === undefined) return false;
  held = [];
  for (const listen of listeners) listen(scanned);
  return true;
}

/** Whether a dialog was open before the key did anything: without animations, the one that Escape closes is gone at once. */
let isInDialog = false;
const lookForDialog = (): void => {
  isInDialog = document.querySelector('[role=dialog]') !== null;
};

function press(event: KeyboardEvent): void {
  if (isEndOfCode(event)) {
    event.preventDefault();
    return;
  }
  // Whoever types fast means the keys in their order.
  if (event.key.length > 1 && !MODIFIERS.has(event.key)) doHeld();
  const name = nameOf(event);
  const act = layers.findLast(({ current }) => current[name] !== undefined)?.current[name];
  if (act === undefined || (event.repeat && !isMoving(name)) || event.defaultPrevented) return;
  // What is typed has an undo of its own.
  if (/^Ctrl\+(Shift\+)?[zy]$/.test(name) && isTyping(event.target)) return;
  const isPlain = !/^(F\d|Ctrl\+|Alt\+)/.test(name);
  if (isPlain && (isTyping(event.target) || isPressing(event.target, name) || isChoosing(event.target, name)))
    return;
  // In a dialog only its own keys count, but for those that matter everywhere.
  if (isPlain && isInDialog) return;
  event.preventDefault();
  if (event.key.length === 1 && isPlain && event.key !== ' ') hold(act);
  else act();
}

/**
 * @param keys by name; those that are undefined are left to whoever is below
 * @param isBelowAll of the frame in which the screens stand, whichever of them is there first
 */
export function useKeys(keys: Keys, isBelowAll = false): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (layers.length === 0) {
      addEventListener('keydown', lookForDialog, { capture: true });
      addEventListener('keydown', press);
    }
    if (isBelowAll) layers.unshift(latest);
    else layers.push(latest);
    return () => {
      layers.splice(layers.indexOf(latest), 1);
      if (layers.length > 0) return;
      removeEventListener('keydown', lookForDialog, { capture: true });
      removeEventListener('keydown', press);
    };
  }, [isBelowAll]);
}

/** What a screen does by key, named as in the table; what is undefined is left to whoever is below. */
export type Acts<P extends Place> = { readonly [C in CommandOf<P>]?: (() => void) | undefined };

/** @param isBelowAll of the frame in which the screens stand, whichever of them is there first */
export function useCommands<P extends Place>(place: P, acts: Acts<P>, isBelowAll = false): void {
  const keys = [...keysOf(place)].map(([command, key]) => [key, acts[command as CommandOf<P>]] as const);
  useKeys(Object.fromEntries(keys), isBelowAll);
}
