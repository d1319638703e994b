// The only way in which strings may become markup or worker addresses in this page (SEC3). Mantine writes
// style text through innerHTML, pdf.js starts its worker by address; anything else is refused.

interface TrustedTypesFactory {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(url: string): string },
  ): unknown;
}

const WORKER = /\/assets\/pdf\.worker[\w.-]*\.mjs$/;

export function installTrustedTypes(): void {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  factory?.createPolicy('default', {
    createHTML(text) {
      if (text.includes('<')) throw new TypeError('markup from text is not allowed');
      return text;
    },
    createScriptURL(url) {
      const address = new URL(url, location.href);
      if (address.origin !== location.origin || !WORKER.test(address.pathname))
        throw new TypeError('this worker is not ours');
      return url;
    },
  });
}

/** The nonce of this response, which styles made at run time must carry. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
