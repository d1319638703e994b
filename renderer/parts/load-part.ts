// Parts of the program that are loaded when they are needed. On a bad network a file fails once and comes the next time: that
// is tried before anybody is told.

const TRIES = 4;
const FIRST_PAUSE_MS = 300;

/** Style sheets that did not load: the browser does not try them again by itself. */
const failedSheets = new Set<HTMLLinkElement>();
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedSheets.add(target);
  },
  { capture: true },
);

function loadAgain(link: HTMLLinkElement): Promise<void> {
  failedSheets.delete(link);
  const again = link.cloneNode() as HTMLLinkElement;
  return new Promise((resolve, reject) => {
    again.addEventListener('load', () => resolve());
    again.addEventListener('error', () => reject(new Error(`${link.href} did not load`)));
    link.replaceWith(again);
  });
}

export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++)
    try {
      await Promise.all([...failedSheets].map(loadAgain));
      return await load();
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (tries - 1)));
    }
}
