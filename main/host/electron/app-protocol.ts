// Answers the app:// protocol from the list of built files. Only exact names of that list exist (SEC2).

import { randomBytes } from 'node:crypto';
import { pageHeaders, withNonce } from '../page/page-headers.ts';
import { findPage, type PageFiles } from '../page/renderer-files.ts';
import { isOwnPage } from './window.ts';

/** The path of an address of ours as it was written: what is encoded or steps upwards names no file. */
function writtenPath(address: string): string | undefined {
  if (!isOwnPage(address)) return undefined;
  const path = address.slice(address.indexOf('/', 'app://'.length)).split(/[?#]/)[0] ?? '';
  return /[%\\\0]|\.\./.test(path) ? undefined : path;
}

export function answerPage(files: PageFiles, address: string): Response {
  const nonce = randomBytes(16).toString('base64');
  const headers = pageHeaders(nonce);
  const path = writtenPath(address);
  const page = path === undefined ? undefined : findPage(files, path);
  if (page === undefined) return new Response(null, { status: 404, headers });
  const isHtml = page.type.startsWith('text/html');
  const body = isHtml ? withNonce(page.bytes.toString('utf8'), nonce) : Uint8Array.from(page.bytes);
  return new Response(body, { status: 200, headers: { ...headers, 'Content-Type': page.type } });
}
