// Space and Enter belong to the trace: a menu or a button that was used by hand does not keep them. Whoever walks by keys keeps the place.

import type { MouseEvent } from 'react';

/** Whether the menu that is open was opened by hand. */
let isByHand = false;

const release = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

/** When a menu closes. It gives the focus back to its button first. */
export function releaseFocus(): void {
  if (!isByHand) return;
  isByHand = false;
  setTimeout(() => {
    if (document.activeElement?.closest('[aria-haspopup]') !== null) release();
  });
}

/** When a button was pressed. */
export function releasePressed({ currentTarget, target, detail }: MouseEvent): void {
  // What a menu shows is elsewhere on the page, and needs the focus as long as it is open.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return;
  const isMenu = target.closest('[aria-haspopup]') !== null;
  if (isMenu) isByHand = detail > 0;
  else if (detail > 0 && target.closest('button, input') !== null) release();
}
