// Names in an archive are data, never paths (D55). Here they become plain names with `/` between folders, or
// a reason to refuse.

import { IsolineError } from '../../../shared/errors.ts';

const MAX_NAME_BYTES = 1024;
/** What operating systems put beside files; nobody means to send it. */
const LITTER = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

/** @throws IsolineError `archive_unsafe_name` */
export function plainName(stored: string): string {
  if (new TextEncoder().encode(stored).length > MAX_NAME_BYTES)
    throw new IsolineError(
      'archive_unsafe_name',
      `The archive contains a file name longer than ${MAX_NAME_BYTES} bytes. Pack the files again.`,
    );
  let name = stored.replaceAll('\\', '/');
  for (let cut = name; ; name = cut) {
    cut = cut.replace(/^(\/+|[A-Za-z]:|\.\/)/, '');
    if (cut === name) break;
  }
  if (name.includes('\0') || name.split('/').includes('..'))
    throw new IsolineError(
      'archive_unsafe_name',
      'The archive contains a file name that points outside it. Pack the files again.',
    );
  return name;
}

/** The upper half of code page 437, in which archives of old programs are named. */
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** A stored name: UTF-8 where it is valid, else code page 437 (D55). */
export function nameOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) =>
      byte < 0x80 ? String.fromCharCode(byte) : (CODE_PAGE_437[byte - 0x80] ?? '?'),
    ).join('');
  }
}

export const isLitter = (name: string): boolean => LITTER.test(name);
