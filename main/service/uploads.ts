// Uploads, their chunks, and chunks of downloads: D40 to D48.

import type { FastifyInstance } from 'fastify';
import { IsolineError } from '../../shared/errors.ts';
import { UploadRequest } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { bodyReader, requireNoForm } from './json-body.ts';
import { parseChunkIndex, parseQueryNumber } from './parameters.ts';
import { bodyOf, declaredLength } from './request-body.ts';
import { serve } from './route.ts';

export function uploadRoutes(app: FastifyInstance, clinic: Clinic): void {
  const uploadRequest = bodyReader(UploadRequest);

  serve(app, 'createUpload', async ({ request, token, actor }) => {
    const { total_size: totalSizeBytes, hash_sum } = await uploadRequest.read(request);
    const sha256 = Buffer.from(hash_sum, 'base64').toString('hex');
    return {
      upload_id: await clinic.uploads.create(token.organizationId, { totalSizeBytes, sha256 }, actor),
    };
  });

  serve(app, 'uploadChunk', async ({ request, params, query, token, actor }) => {
    const offset = parseQueryNumber(query.offset, 'offset', 'invalid_offset');
    requireNoForm(request.sentType);
    await clinic.uploads.receiveChunk(
      token.organizationId,
      params.upload_id ?? '',
      offset,
      bodyOf(request),
      declaredLength(request),
      actor,
    );
    return undefined;
  });

  serve(app, 'downloadChunk', async ({ params, token }) => {
    const { download_id = '', chunk_index = '' } = params;
    if (download_id === '')
      throw new IsolineError('invalid_download_id', 'This download does not exist. Create a new one.');
    return clinic.downloads.chunk(token.organizationId, download_id, parseChunkIndex(chunk_index));
  });
}
