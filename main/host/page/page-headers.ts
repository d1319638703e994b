// The headers of every page of the renderer, the same in Electron and in the browser host (SEC3).

/** @param connect further sources for connections, such as the browser host's WebSocket. */
export function pageHeaders(
  nonce: string,
  connect: readonly string[] = [],
): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "font-src 'self' data:",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "worker-src 'self'",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
  return {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
}

/** The place in index.html where the nonce of a response goes. */
const NONCE_PLACE = '__NONCE__';

export const withNonce = (html: string, nonce: string): string => html.replaceAll(NONCE_PLACE, nonce);
