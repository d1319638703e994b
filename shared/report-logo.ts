// The clinic's logo: a PNG that a page has redrawn, so that nothing of the file that was chosen goes on paper but its
// picture (PNG specification, third edition, 5.2 and 11.2.1).

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER_BYTES = 33;

export const LOGO_MOST_BYTES = 512 * 1024;
/** The width of the picture, in pixels: 44 mm at 600 dpi have 1040. */
export const LOGO_MOST_WIDTH = 1040;
export const LOGO_MOST_HEIGHT = 190;

export interface PngSize {
  readonly width: number;
  readonly height: number;
}

/** As the header says. @throws RangeError for what is no PNG */
export function pngSize(png: Uint8Array): PngSize {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const isPng =
    png.length >= HEADER_BYTES &&
    SIGNATURE.every((byte, i) => png[i] === byte) &&
    view.getUint32(12) === 0x49484452;
  if (!isPng) throw new RangeError('not a PNG');
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
