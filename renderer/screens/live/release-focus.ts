// Space and Enter belong to the trace: a menu or a button that was used by hand does not keep them.

import type { MouseEvent } from 'react';

const release = (): void => {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
};

/** When a menu closes. It gives the focus back to its button first. */
export const releaseFocus = (): void => {
  setTimeout(release);
};

/** When a button was pressed by hand; whoever walks by keys keeps the place. */
export function releasePressed({ currentTarget, target, detail }: MouseEvent): void {
  // What a menu shows is elsewhere on the page, and needs the focus as long as it is open.
  const isOfScreen = target instanceof Element && currentTarget.contains(target) && target.closest('[aria-haspopup]') === null;
  if (detail > 0 && isOfScreen && target.closest('button, input') !== null) release();
}
