// Names in an archive are data, never paths (D55). Here they become plain names with `/` between folders, or a reason to refuse.

import { IsolineError } from '../../../shared/errors.ts';

const MAX_NAME_BYTES = 1024;
/** What operating systems put beside files; nobody means to send it. */
const LITTER = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

/** @throws IsolineError `archive_unsafe_name` */
export function plainName(stored: string): string {
  if (new TextEncoder().encode(stored).length > MAX_NAME_BYTES)
    throw new IsolineError('archive_unsafe_name', `The archive holds a name of more than ${MAX_NAME_BYTES} bytes. Pack the files anew.`);
  let name = stored.replaceAll('\\', '/');
  for (let cut = name; ; name = cut) {
    cut = cut.replace(/^(\/+|[A-Za-z]:|\.\/)/, '');
    if (cut === name) break;
  }
  if (name.includes('\0') || name.split('/').includes('..'))
    throw new IsolineError('archive_unsafe_name', 'The archive holds a name that points out of it. Pack the files anew.');
  return name;
}

export const isLitter = (name: string): boolean => LITTER.test(name);
