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

export function documentRoutes(app: FastifyInstance, version: string): void {
  const document = openApiDocument(version);
  const text = JSON.stringify(document, undefined, 2);
  const page = openApiPage(document);
  const style = createHash('sha256').update(PAGE_STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; frame-ancestors 'none'`;
  app.get(PATHS.document, async (request, reply) => {
    requireLoopback(request);
    return reply.type('application/json; charset=utf-8').send(text);
  });
  app.get(PATHS.page, async (request, reply) => {
    requireLoopback(request);
    reply.header('content-security-policy', policy);
    return reply.type('text/html; charset=utf-8').send(page);
  });
}
