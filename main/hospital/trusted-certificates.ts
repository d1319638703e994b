// Which certificates are accepted of the servers that we call.

import { getCACertificates } from 'node:tls';

/** The system's, those of Node.js, and the clinic's own: these alone would take the place of the others. PEM. */
export const trustedCertificates = (own: readonly string[] = []): string[] => [
  ...getCACertificates('default'),
  ...getCACertificates('system'),
  ...own,
];
