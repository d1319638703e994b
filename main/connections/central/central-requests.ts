// What each call to the centre is as a request (specification of the service; D120 to D127).

import type { StartRequest, TaskRequest } from '../../../shared/v3/v3.ts';
import type { CentreCall } from '../../clinic/outbox/call.ts';
import { PLACES } from '../../clinic/outbox/choose.ts';
import { LONGEST_CREATION_MS } from '../../clinic/outbox/item.ts';
import type { Expected } from './read-answer.ts';

export const JSON_MS = 30_000;
export const TASK_MS = LONGEST_CREATION_MS;
/** A chunk may take longer the larger it is, and where others share a slow line with it. */
const CHUNK_MS = 60_000 * PLACES.upload;
const SLOWEST_BYTES_PER_MS = 10;
/** A task that is certainly not there: asked for to see whether a connection is alive. */
export const NO_TASK = '9007199254740991';

/** What of a recording goes into its calls. */
export interface Parcel {
  readonly sizeBytes: number;
  /** The hash of the file, in Base64. */
  readonly sha256Base64: string;
  /** As it stands when it is asked for, with the marker of D122 among its tags. */
  task(): TaskRequest;
  /** For the stream way: unique to the recording (D125). */
  readonly deviceId: string;
  readonly stream: Omit<StartRequest, 'task_id' | 'device_id'>;
  read(offsetBytes: number, lengthBytes: number): Promise<Uint8Array>;
  frame(index: number): Promise<{ readonly timestampUs: number; readonly bytes: Uint8Array }>;
}

/** The parcel of what sends no stream. */
export const NO_STREAM: Parcel['stream'] = {
  processing_mode: 'PROCESS_ON_FINISH',
  frame_format: 'COMPRESSED_DELTA',
  sample_rate: 1,
  lead_codes: [],
};

/** A request, how long it may take, and what its answer has to say. */
export interface Wanted {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly expected: Expected;
  readonly limitMs: number;
  /** So long at most nothing may come, where the whole may take longer. */
  readonly pauseMs?: number;
}

export const wholeId = (id: string): string => {
  if (!/^\d{1,19}$/.test(id)) throw new Error('an id is made of digits');
  return id;
};

export const tasksPath = (organizationPath: string): string =>
  `/v3/orgs/${encodeURIComponent(organizationPath)}/tasks`;

const toStream = (centralId: string, end: string): string => `/v3/streams/${wholeId(centralId)}/${end}`;

/** Asked for, and nothing of the answer is needed but that it came. */
const plain = (method: Wanted['method'], path: string): Wanted => ({
  method,
  path,
  expected: 'nothing',
  limitMs: JSON_MS,
});

export const statusRequest = (tasks: string, centralId: string): Wanted => ({
  method: 'GET',
  path: `${tasks}/${wholeId(centralId)}/status`,
  expected: 'status',
  limitMs: JSON_MS,
});

export const paramsRequest = (centralId: string): Wanted => plain('GET', toStream(centralId, 'params'));

/** @param tasks where the organization's tasks are: `tasksPath` */
export async function requestOf(
  call: Exclude<CentreCall, { kind: 'report' | 'status' }>,
  tasks: string,
  parcel: Parcel,
): Promise<Wanted> {
  const json = (path: string, body: object, expected: Expected, limitMs = JSON_MS): Wanted => ({
    method: 'POST',
    path,
    body: JSON.stringify(body),
    expected,
    limitMs,
  });
  switch (call.kind) {
    case 'createUpload':
      return json('/v3/uploads', { total_size: parcel.sizeBytes, hash_sum: parcel.sha256Base64 }, 'uploadId');
    case 'chunk': {
      const { uploadId, offsetBytes, lengthBytes } = call;
      return {
        method: 'POST',
        path: `/v3/uploads/${encodeURIComponent(uploadId)}/chunks?offset=${offsetBytes}`,
        body: await parcel.read(offsetBytes, lengthBytes),
        expected: 'nothing',
        limitMs: CHUNK_MS + Math.ceil(lengthBytes / SLOWEST_BYTES_PER_MS),
      };
    }
    case 'createTask':
      return json(tasks, { ...parcel.task(), upload_id: call.uploadId }, 'taskId', TASK_MS);
    case 'createDraft':
      return json(tasks, { ...parcel.task(), device_id: parcel.deviceId }, 'taskId', TASK_MS);
    case 'findDraft':
      return json('/v3/streams/find', { device_id: parcel.deviceId }, 'streamId');
    case 'start':
      // Large ids stand as they are: a number of the language would round them.
      return {
        method: 'POST',
        path: '/v3/streams/start',
        body: JSON.stringify(parcel.stream).replace(/^\{/, `{"task_id":${wholeId(call.centralId)},`),
        expected: 'nothing',
        limitMs: JSON_MS,
      };
    case 'frame': {
      const { timestampUs, bytes } = await parcel.frame(call.index);
      return {
        method: 'POST',
        path: toStream(call.centralId, `frames?timestamp=${timestampUs}`),
        body: bytes,
        expected: 'nothing',
        limitMs: CHUNK_MS + Math.ceil(bytes.length / SLOWEST_BYTES_PER_MS),
      };
    }
    case 'finish':
      return plain('POST', toStream(call.centralId, 'finish'));
    case 'params':
      return paramsRequest(call.centralId);
  }
}
