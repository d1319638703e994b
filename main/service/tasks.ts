// Task creation, status and report: D50 to D64, D90 to D93.

import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { TaskRequest } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { checkTaskRequest } from '../v3/task-fields.ts';
import { bodyReader } from './json-body.ts';
import { parsePathId } from './parameters.ts';
import { serve } from './route.ts';

/** Canonical JSON: keys in order, so that equal requests have equal text (D46). */
function canonicalHash(request: TaskRequest): string {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined);
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))))
    .digest('hex');
}

export function taskRoutes(app: FastifyInstance, clinic: Clinic): void {
  const taskRequest = bodyReader(TaskRequest);

  serve(app, 'createTasks', async ({ request, token, actor }) => {
    const body = await taskRequest.read(request);
    const from =
      body.upload_id === undefined
        ? undefined
        : { uploadId: body.upload_id, requestHash: canonicalHash(body) };
    const stated = checkTaskRequest(body, clinic.context.clock.nowMs());
    return { created_task_ids: [...(await clinic.tasks.create(token.organizationId, stated, actor, from))] };
  });

  serve(app, 'taskStatus', async ({ params, token }) => {
    const status = clinic.tasks.status(token.organizationId, parsePathId(params.task_id, 'invalid_task_id'));
    return {
      creation_time: new Date(status.createdMs).toISOString(),
      processed: status.isProcessed,
      report_available: status.isReportAvailable,
      ...(status.severity !== undefined && { severity: status.severity }),
    };
  });

  serve(app, 'taskReport', async ({ params, token, actor, reply }) => {
    const taskId = parsePathId(params.task_id, 'invalid_task_id');
    const { pdf, sha256 } = await clinic.reports.fetch(token.organizationId, taskId);
    await clinic.reports.noteRead(taskId, actor);
    reply
      .header('content-disposition', `inline; filename="ecg-${taskId}.pdf"`)
      .header('etag', `"${sha256}"`)
      .header('accept-ranges', 'none');
    return pdf;
  });
}
