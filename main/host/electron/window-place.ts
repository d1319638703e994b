// Where the window was when it was closed: it opens there again, as long as a screen is there.

import { readFileSync, writeFileSync } from 'node:fs';
import type { BrowserWindow, Rectangle } from 'electron';

export interface WindowPlace {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

/** So much of the window has to lie on a screen, or nobody could reach it. */
const LEAST_SEEN_PX = 200;

const isNumber = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) < 1e5;

function isPlace(value: unknown): value is WindowPlace {
  const { bounds, isMaximized } = (value ?? {}) as { bounds?: Partial<Rectangle>; isMaximized?: unknown };
  return (
    typeof isMaximized === 'boolean' && [bounds?.x, bounds?.y, bounds?.width, bounds?.height].every(isNumber)
  );
}

/** Undefined where there is none, or none that can be read. */
export function readPlace(path: string): WindowPlace | undefined {
  try {
    const place: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isPlace(place) ? place : undefined;
  } catch {
    return undefined;
  }
}

/** Losing it loses nothing. */
export function keepPlace(
  path: string,
  window: Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'>,
): void {
  try {
    const place: WindowPlace = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() };
    writeFileSync(path, JSON.stringify(place), { mode: 0o600 });
  } catch {
    // A full disk, say: the window opens where it usually does.
  }
}

const overlap = (a: Rectangle, b: Rectangle): boolean =>
  Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) >= LEAST_SEEN_PX &&
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) >= LEAST_SEEN_PX;

/** @param areas of the screens that are there, without their task bars */
export const isReachable = ({ bounds }: WindowPlace, areas: readonly Rectangle[]): boolean =>
  areas.some((area) => overlap(bounds, area));
