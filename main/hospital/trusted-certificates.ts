// Whose certificates are believed by those whom we call.

import { getCACertificates } from 'node:tls';

/** Those of the system and of Node.js, and a clinic's own. A list of one's own alone would stand in their place. PEM. */
export const trustedCertificates = (own: readonly string[] = []): string[] => [
  ...getCACertificates('default'),
  ...getCACertificates('system'),
  ...own,
];
