// Keys of a screen (screens, 1.2). Those of a single letter act only where nobody is typing.

import { useEffect, useRef } from 'react';

/** `F5`, `Ctrl+K`, `Space`, `e`. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

const nameOf = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string => {
  const plain = key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key;
  return [
    ctrlKey || metaKey ? 'Ctrl' : '',
    altKey ? 'Alt' : '',
    shiftKey && plain.length > 1 && !altKey ? 'Shift' : '',
    altKey ? plain.toUpperCase() : plain,
  ]
    .filter(Boolean)
    .join('+');
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]') !== null;

/** Space and Enter mean the button that has the focus. */
const isPressing = (target: EventTarget | null, name: string): boolean =>
  (name === 'Space' || name === 'Enter') &&
  target instanceof HTMLElement &&
  target.closest('button, a, [role=radio], input, summary') !== null;

/** @param keys by name; those that are undefined are left to the browser */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const name = nameOf(event);
      const act = latest.current[name];
      if (act === undefined || event.repeat || event.defaultPrevented) return;
      const isPlain = !/^(F\d|Ctrl\+|Alt\+)/.test(name);
      if (isPlain && (isTyping(event.target) || isPressing(event.target, name))) return;
      // In a dialog only its own keys count, but for those that matter everywhere.
      if (isPlain && document.querySelector('[role=dialog]') !== null) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
