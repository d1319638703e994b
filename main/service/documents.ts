// The interface as a document and as a page, for whoever writes a client on this computer (D111).

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { IsolineError } from '../../shared/errors.ts';
import { isLoopback } from './http-request.ts';
import { openApiDocument } from './openapi.ts';
import { openApiPage, PAGE_STYLE } from './openapi-page.ts';

const PATHS = { document: '/docs/openapi.json', page: '/docs' } as const;

function requireLoopback({ ip }: FastifyRequest): void {
  if (!isLoopback(ip.replace(/^::ffff:/, '')))
    throw new IsolineError('route_not_found', 'This operation does not exist.');
}

interface Documents {
  readonly text: string;
  readonly page: string;
  readonly policy: string;
}

function makeDocuments(version: string): Documents {
  const document = openApiDocument(version);
  const style = createHash('sha256').update(PAGE_STYLE).digest('base64');
  return {
    text: JSON.stringify(document, undefined, 2),
    page: openApiPage(document),
    policy: `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; frame-ancestors 'none'`,
  };
}

export function documentRoutes(app: FastifyInstance, version: string): void {
  let made: Documents | undefined;
  const documents = (): Documents => {
    made ??= makeDocuments(version);
    return made;
  };
  app.get(PATHS.document, async (request, reply) => {
    requireLoopback(request);
    return reply.type('application/json; charset=utf-8').send(documents().text);
  });
  app.get(PATHS.page, async (request, reply) => {
    requireLoopback(request);
    const { page, policy } = documents();
    reply.header('content-security-policy', policy);
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
