// What this program offers beside the interface (D110), for its own kind and for clients that want to go on instead of starting over.

import type { FastifyInstance } from 'fastify';
import { DownloadRequest } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { DOWNLOAD_CHUNK_BYTES } from '../clinic/tasks/downloads.ts';
import { bodyReader } from './json-body.ts';
import { serve } from './route.ts';

export function extensionRoutes(app: FastifyInstance, clinic: Clinic): void {
  const downloadRequest = bodyReader(DownloadRequest);

  serve(app, 'about', async () => ({
    product: 'isoline' as const,
    version: clinic.context.productVersion,
    installation_id: clinic.context.store.installationId,
  }));

  serve(app, 'uploadFacts', async ({ params, token }) => clinic.uploads.facts(token.organizationId, params.upload_id ?? ''));

  serve(app, 'createDownload', async ({ request, token, actor }) => {
    const { task_id, kind } = await downloadRequest.read(request);
    const { id, totalSizeBytes, sha256 } = await clinic.downloads.create(token.organizationId, task_id, kind, actor);
    return {
      download_id: id,
      total_size: totalSizeBytes,
      chunk_size: DOWNLOAD_CHUNK_BYTES,
      hash_sum: Buffer.from(sha256, 'hex').toString('base64'),
    };
  });
}
