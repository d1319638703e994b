// POST /v3/uploads and its chunks: D40 to D44.

import type { FastifyInstance } from 'fastify';
import { IsolineError } from '../../shared/errors.ts';
import { UploadRequest } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { actorOf, tokenOf } from './guard.ts';
import { bodyReader } from './json-body.ts';
import { parseQueryNumber } from './parameters.ts';
import { bodyOf, declaredLength } from './request-body.ts';

export function uploadRoutes(app: FastifyInstance, clinic: Clinic): void {
  const uploadRequest = bodyReader(UploadRequest);

  app.post('/v3/uploads', { config: { rules: { hasJsonBody: true } } }, async (request) => {
    const fields = await uploadRequest.read(bodyOf(request));
    return { upload_id: await clinic.uploads.create(tokenOf(request).organizationId, fields, actorOf(request)) };
  });

  app.post<{ Params: { upload_id: string }; Querystring: { offset?: unknown } }>(
    '/v3/uploads/:upload_id/chunks',
    { config: { rules: { traffic: 'data' } } },
    async (request) => {
      const offset = parseQueryNumber(request.query.offset, 'offset', 'invalid_offset');
      // Boundaries of a form would be stored as signal (D14).
      if (/^multipart\//i.test(request.sentType ?? ''))
        throw new IsolineError('invalid_content_type', 'Send the bytes of the chunk themselves, not a form.');
      await clinic.uploads.receiveChunk(
        tokenOf(request).organizationId,
        request.params.upload_id,
        offset,
        bodyOf(request),
        declaredLength(request),
        actorOf(request),
      );
      return {};
    },
  );
}
