// POST …/tasks, GET …/status and GET …/report: D50 to D64, D90 to D93.

import type { FastifyInstance } from 'fastify';
import { TaskRequest } from '../../shared/v3/v3.ts';
import type { Clinic } from '../clinic/clinic.ts';
import { actorOf, tokenOf } from './guard.ts';
import { bodyReader } from './json-body.ts';
import { parsePathId } from './parameters.ts';
import { bodyOf } from './request-body.ts';

interface TaskPath {
  Params: { organization_path: string; task_id: string };
}

export function taskRoutes(app: FastifyInstance, clinic: Clinic): void {
  const taskRequest = bodyReader(TaskRequest);

  app.post('/v3/orgs/:organization_path/tasks', { config: { rules: { scope: 'tasks:create', hasJsonBody: true } } }, async (request) => {
    const fields = await taskRequest.read(bodyOf(request));
    return { created_task_ids: await clinic.tasks.create(tokenOf(request).organizationId, fields, actorOf(request)) };
  });

  app.get<TaskPath>(
    '/v3/orgs/:organization_path/tasks/:task_id/status',
    { config: { rules: { scope: 'tasks:read' } } },
    async (request) => {
      return clinic.tasks.status(tokenOf(request).organizationId, parsePathId(request.params.task_id, 'invalid_task_id'));
    },
  );

  app.get<TaskPath>(
    '/v3/orgs/:organization_path/tasks/:task_id/report',
    { config: { rules: { scope: 'reports:read' } } },
    async (request, reply) => {
      const taskId = parsePathId(request.params.task_id, 'invalid_task_id');
      const { pdf, sha256 } = await clinic.reports.fetch(tokenOf(request).organizationId, taskId);
      await clinic.reports.noteRead(taskId, actorOf(request));
      return reply
        .header('content-disposition', `inline; filename="ecg-${taskId}.pdf"`)
        .header('etag', `"${sha256}"`)
        .header('accept-ranges', 'none')
        .type('application/pdf')
        .send(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
    },
  );
}
