// Space and Enter belong to the trace: a menu or a button that was clicked gives the focus back. Keyboard
// users keep their place.

import type { MouseEvent } from 'react';

/** Whether the open menu was opened with the pointer. One menu is open at a time, on the whole page. */
let isOpenedByPointer = false;

const release = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

/** When a menu closes. It gives the focus back to its button first. */
export function releaseFocus(): void {
  if (!isOpenedByPointer) return;
  isOpenedByPointer = false;
  setTimeout(() => {
    if (document.activeElement?.closest('[aria-haspopup]')) release();
  });
}

/** When a button was pressed. */
export function releasePressed({ currentTarget, target, detail }: MouseEvent): void {
  // What a menu shows is elsewhere on the page, and needs the focus as long as it is open.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  const isMenu = target.closest('[aria-haspopup]') !== null;
  if (isMenu) isOpenedByPointer = detail > 0;
  else if (detail > 0 && target.closest('button, input') !== null) release();
}
