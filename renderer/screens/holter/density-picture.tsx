// A family of beats as one picture: all its beats over each other, dark where many run, on both leads beside each other. The same
// millimetres both ways.

import { useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { FAMILY_PICTURE } from '../../../shared/analysis-result.ts';
import type { Picture } from './model/day.ts';
import classes from './parts.module.css';

const { columns: COLUMNS, rows: ROWS, columnMs: COLUMN_MS, zeroRow: ZERO_ROW } = FAMILY_PICTURE;
const LEAST_ALPHA = 0.07;
const GAMMA = 0.62;
const FULL = 255;
const MM_PER_S = 25;
const MM_PER_MV = 10;
const GAP_PX = 8;

/** Cells as an image, once a picture and colour. */
const drawn = new WeakMap<Uint8Array, Map<string, HTMLCanvasElement>>();

function imageOf(density: Uint8Array, colour: string): HTMLCanvasElement {
  const known = drawn.get(density)?.get(colour);
  if (known !== undefined) return known;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [COLUMNS, ROWS];
  const context = canvas.getContext('2d') as CanvasRenderingContext2D;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  const image = context.createImageData(COLUMNS, ROWS);
  for (let cell = 0; cell < density.length; cell++) {
    const share = (density[cell] as number) / FULL;
    if (share === 0) continue;
    image.data[4 * cell] = red;
    image.data[4 * cell + 1] = green;
    image.data[4 * cell + 2] = blue;
    image.data[4 * cell + 3] = FULL * (LEAST_ALPHA + (1 - LEAST_ALPHA) * share ** GAMMA);
  }
  context.putImageData(image, 0, 0);
  const images = drawn.get(density) ?? new Map<string, HTMLCanvasElement>();
  images.set(colour, canvas);
  drawn.set(density, images);
  return canvas;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** As large as it fits, in true proportion. */
function boxOf(place: Box, cellMv: number): Box {
  const ratio = (ROWS * cellMv * MM_PER_MV) / ((COLUMNS * COLUMN_MS * MM_PER_S) / 1000);
  const width = Math.min(place.width, place.height / ratio);
  const height = width * ratio;
  return {
    x: place.x + (place.width - width) / 2,
    y: place.y + (place.height - height) / 2,
    width,
    height,
  };
}

function drawMean(
  context: CanvasRenderingContext2D,
  uv: Int32Array,
  cellMv: number,
  box: Box,
  ratio: number,
): void {
  context.beginPath();
  for (const [column, value] of uv.entries()) {
    const x = box.x + ((column + 0.5) / COLUMNS) * box.width;
    const y = box.y + ((ZERO_ROW + 0.5 - value / 1000 / cellMv) / ROWS) * box.height;
    if (column === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.lineWidth = 1.4 * ratio;
  context.lineJoin = 'round';
  context.stroke();
}

export interface DensityPictureProps {
  readonly picture: Picture | undefined;
  readonly cellMv: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** With the mean over it. */
  readonly isLarge?: boolean;
  /** What is read aloud; without one it only goes with words that say the same. */
  readonly label?: string;
}

export function DensityPicture(props: DensityPictureProps): ReactNode {
  const { picture, cellMv, widthPx, heightPx, isLarge = false, label } = props;
  const ref = useRef<HTMLCanvasElement>(null);
  const colorScheme = useComputedColorScheme('light');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours of the theme are read from the page
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (canvas === null || context === null || context === undefined) return;
    const ratio = devicePixelRatio;
    canvas.width = Math.round(widthPx * ratio);
    canvas.height = Math.round(heightPx * ratio);
    if (picture === undefined) return;
    const style = getComputedStyle(canvas);
    const colour = style.getPropertyValue('--trace').trim();
    context.strokeStyle = style.getPropertyValue('--accent').trim();
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = 'high';
    const leads = picture.density.length;
    const room = (widthPx - GAP_PX * (leads + 1)) / leads;
    for (const [lead, density] of picture.density.entries()) {
      const place = { x: GAP_PX + lead * (room + GAP_PX), y: 2, width: room, height: heightPx - 4 };
      const { x, y, width, height } = boxOf(place, cellMv);
      const box = { x: x * ratio, y: y * ratio, width: width * ratio, height: height * ratio };
      context.drawImage(imageOf(density, colour), box.x, box.y, box.width, box.height);
      const mean = picture.meanUv[lead];
      if (isLarge && mean !== undefined) drawMean(context, mean, cellMv, box, ratio);
    }
    canvas.dataset.drawn = '';
  }, [picture, cellMv, widthPx, heightPx, isLarge, colorScheme]);
  return (
    <canvas
      ref={ref}
      className={classes.picture}
      style={{ width: widthPx, height: heightPx }}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    />
  );
}
