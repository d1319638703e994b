// A task of a clinic without a service, from an upload on until its findings are stored.

import { createHash } from 'node:crypto';
import { checkTaskRequest } from '../../main/v3/task-fields.ts';
import type { TestClinic } from './open-clinic.ts';
import { eventually } from './running-workstation.ts';

/** @param content of the file: another one for each */
export async function analysedTask(
  { clinic, organizationId, store }: TestClinic,
  content: string,
  fields: object,
): Promise<number> {
  const bytes = new TextEncoder().encode(content);
  const uploadId = await clinic.uploads.create(
    organizationId,
    { totalSizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    'test',
  );
  const chunk = (async function* () {
    yield bytes;
  })();
  await clinic.uploads.receiveChunk(organizationId, uploadId, 0, chunk, undefined, 'test');
  const request = checkTaskRequest(fields, clinic.context.clock.nowMs());
  const [taskId] = (await clinic.tasks.create(organizationId, request, 'test', {
    uploadId,
    requestHash: content,
  })) as [number];
  await eventually(async () => store.findings.latest(taskId), 'analysed', 5000);
  return taskId;
}
