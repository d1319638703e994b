// What a person sees of the live leads, as tests of the screens read it off the page.

import type { Page } from 'playwright-core';

/** Pixels of a canvas that are as dark as a trace. */
const darkPixels = (element: Element): number => {
  const canvas = element as HTMLCanvasElement;
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  let dark = 0;
  for (let i = 3; i < data.length; i += 4)
    if (data[i]! > 128 && data[i - 1]! + data[i - 2]! + data[i - 3]! < 200) dark++;
  return dark;
};

export const livePicture = (page: Page) => page.locator('[data-testid=live-picture] canvas');

/** Counts the dark pixels of what stands still under the traces. */
export const paperPixels = (page: Page): Promise<number> => livePicture(page).first().evaluate(darkPixels);

/** Counts the dark pixels of a sweep. */
export const tracePixels = (page: Page): Promise<number> => livePicture(page).last().evaluate(darkPixels);

/**
 * Columns of pixels of a sweep in which a trace stands. Unlike the number of its pixels it does not depend on
 * in how many pieces the trace was drawn: where two pieces meet, their soft edges add up to darker ones.
 */
export const traceColumns = (page: Page): Promise<number> =>
  livePicture(page)
    .last()
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const columns = new Set<number>();
      for (let i = 3; i < data.length; i += 4) if (data[i]! > 128) columns.add(((i - 3) / 4) % canvas.width);
      return columns.size;
    });

/** Counts the dark pixels of all tiles of a scrolled picture that are in sight. */
export async function scrolledPixels(page: Page): Promise<number> {
  let sum = 0;
  for (const tile of await livePicture(page).all()) {
    const box = await tile.boundingBox();
    if (box !== null && box.width < 300 && box.x + box.width > 120) sum += await tile.evaluate(darkPixels);
  }
  return sum;
}
