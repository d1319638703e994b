// What this program offers beside the interface (D110), for its own kind and for clients that want to go on
// instead of starting over.

import type { FastifyInstance } from 'fastify';
import { DownloadRequest, MAX_SHOWN_RANGES } from '../../shared/v3/v3.ts';
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

  serve(app, 'uploadFacts', async ({ params, token }) => {
    const { upload_id = '' } = params;
    const { state, totalSizeBytes, ranges, expiresMs } = clinic.uploads.facts(
      token.organizationId,
      upload_id,
    );
    return {
      upload_id,
      total_size: totalSizeBytes,
      state,
      received: ranges.slice(0, MAX_SHOWN_RANGES).map(([start, end]): [number, number] => [start, end]),
      received_bytes: ranges.reduce((sum, [start, end]) => sum + end - start, 0),
      expires_at: new Date(expiresMs).toISOString(),
    };
  });

  serve(app, 'createDownload', async ({ request, token, actor }) => {
    const { task_id, kind } = await downloadRequest.read(request);
    const { id, totalSizeBytes, sha256 } = await clinic.downloads.create(
      token.organizationId,
      task_id,
      kind,
      actor,
    );
    return {
      download_id: id,
      total_size: totalSizeBytes,
      chunk_size: DOWNLOAD_CHUNK_BYTES,
      hash_sum: Buffer.from(sha256, 'hex').toString('base64'),
    };
  });
}
