// The clinic's logo on the reports. It is kept by its content, like every file, so that a report of long ago can be made again
// as it was.

import { inflateSync } from 'node:zlib';
import { IsolineError } from '../../shared/errors.ts';
import { LOGO_MOST_BYTES, LOGO_MOST_HEIGHT, LOGO_MOST_WIDTH, pngSize } from '../../shared/report-logo.ts';
import type { ClinicContext } from './context.ts';
import { changeSetting } from './settings.ts';

/** Chunks lie behind the signature: length, name, data, checksum. */
const FIRST_CHUNK = 8;
const CHUNK_EXTRA_BYTES = 12;
const BITS = 24;
const COLOUR_TYPE = 25;
const INTERLACE = 28;
/** Bytes a pixel, of the colour types that a page writes: with and without transparency. */
const PIXEL_BYTES: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

function imageData(png: Uint8Array): Uint8Array {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const parts: Uint8Array[] = [];
  for (let at = FIRST_CHUNK; at + CHUNK_EXTRA_BYTES <= png.length; ) {
    const length = view.getUint32(at);
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + length));
    at += CHUNK_EXTRA_BYTES + length;
  }
  return Buffer.concat(parts);
}

/** Its pixels are all there and no more: a report must neither fail by it, nor fill the memory. */
function isWholePicture(png: Uint8Array): boolean {
  try {
    const { width, height } = pngSize(png);
    const pixelBytes = PIXEL_BYTES[png[COLOUR_TYPE] as number];
    if (png[BITS] !== 8 || png[INTERLACE] !== 0 || pixelBytes === undefined) return false;
    if (width === 0 || height === 0 || width > LOGO_MOST_WIDTH || height > LOGO_MOST_HEIGHT) return false;
    // Each row begins with the number of its filter.
    const expected = height * (1 + width * pixelBytes);
    return inflateSync(imageData(png), { maxOutputLength: expected }).length === expected;
  } catch {
    return false;
  }
}

/** @param png undefined: none from now on. @throws IsolineError `invalid_setting` */
export async function setReportLogo(
  context: ClinicContext,
  png: Uint8Array | undefined,
  actor: string,
): Promise<void> {
  if (png !== undefined && (png.length > LOGO_MOST_BYTES || !isWholePicture(png)))
    throw new IsolineError('invalid_setting', 'This logo cannot be used. Choose a PNG, JPEG or SVG picture.');
  const sha256 = png === undefined ? '' : await context.files.put(png);
  await changeSetting(context, 'report.logo', sha256, actor);
}

/** Undefined where there is none, or its file is lost. */
export async function reportLogo({ settings, files }: ClinicContext): Promise<Uint8Array | undefined> {
  const sha256 = settings()['report.logo'];
  return sha256 === '' ? undefined : files.get(sha256);
}
