// Task creation, status and report: D50 to D64, D90 to D93.

import type { FastifyInstance } from 'fastify';
import { TaskRequest } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { bodyReader } from './json-body.ts';
import { parsePathId } from './parameters.ts';
import { serve } from './route.ts';

export function taskRoutes(app: FastifyInstance, clinic: Clinic): void {
  const taskRequest = bodyReader(TaskRequest);

  serve(app, 'createTasks', async ({ request, token, actor }) => ({
    created_task_ids: [...(await clinic.tasks.create(token.organizationId, await taskRequest.read(request), actor))],
  }));

  serve(app, 'taskStatus', async ({ params, token }) =>
    clinic.tasks.status(token.organizationId, parsePathId(params.task_id, 'invalid_task_id')),
  );

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
