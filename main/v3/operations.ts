// Every operation of the service once: path, who may call it, what goes in and out, which errors it has.
// Routes, checks, the OpenAPI document and the tests come from this table. Specification, Endpoints; D1, D21,
// D31, D48, D110. There are no events and no callbacks (D112).

import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import type { Scope } from '../../shared/token-scopes.ts';
import {
  ChannelsAnswer,
  ChannelsRequest,
  DownloadCreated,
  DownloadRequest,
  FindRequest,
  ParamsRequest,
  ProductFacts,
  StartRequest,
  StreamId,
  StreamParams,
  TaskRequest,
  TaskStatus,
  TasksCreated,
  UploadCreated,
  UploadFacts,
  UploadRequest,
} from '../../shared/v3/v3.ts';

export const PATH_PARAMETERS = {
  organization_path: Type.String({ minLength: 1, description: 'unique path of the organization' }),
  upload_id: Type.String({ description: 'of an upload session' }),
  download_id: Type.String({ description: 'of a download' }),
  chunk_index: Type.Integer({ minimum: 0, description: 'from 0' }),
  task_id: Type.Integer({ minimum: 1, format: 'int64' }),
  stream_id: Type.Integer({ minimum: 1, format: 'int64' }),
} as const;

export type BytesBody = 'chunk' | 'frame' | 'ignored';
export type BytesAnswer = 'application/octet-stream' | 'application/pdf';

export interface Operation {
  readonly method: 'GET' | 'POST';
  /** With `{parameters}` of PATH_PARAMETERS. */
  readonly path: string;
  readonly group: 'chunked data transfer' | 'task' | 'stream' | 'extension';
  readonly summary: string;
  /** Absent: any valid token. */
  readonly scope?: Scope;
  /** Frames and chunks have a rate of their own. */
  readonly isData?: true;
  readonly query?: { readonly [name: string]: string };
  /** A schema: JSON, which must be announced as such. */
  readonly body?: TSchema & { readonly properties: object };
  readonly bytes?: BytesBody;
  /** Without either the answer is `{}`. */
  readonly answer?: TSchema;
  readonly answerBytes?: BytesAnswer;
  /** Besides 500 and 503, which everything can have. */
  readonly errors: readonly (400 | 401 | 403 | 404 | 409 | 415 | 429)[];
}

export const OPERATIONS = {
  createUpload: {
    method: 'POST',
    path: '/v3/uploads',
    group: 'chunked data transfer',
    summary: 'Create an upload session.',
    body: UploadRequest,
    answer: UploadCreated,
    errors: [400, 401, 415, 429],
  },
  uploadChunk: {
    method: 'POST',
    path: '/v3/uploads/{upload_id}/chunks',
    group: 'chunked data transfer',
    summary: 'Store one chunk of the file.',
    isData: true,
    query: { offset: 'byte offset of the chunk in the file' },
    bytes: 'chunk',
    errors: [400, 401, 429],
  },
  downloadChunk: {
    method: 'GET',
    path: '/v3/downloads/{download_id}/chunks/{chunk_index}',
    group: 'chunked data transfer',
    summary: 'Download a chunk of a file.',
    isData: true,
    answerBytes: 'application/octet-stream',
    errors: [400, 401, 429],
  },
  createTasks: {
    method: 'POST',
    path: '/v3/orgs/{organization_path}/tasks',
    group: 'task',
    summary: 'Create one or more analysis tasks, or a draft.',
    scope: 'tasks:create',
    body: TaskRequest,
    answer: TasksCreated,
    errors: [400, 401, 403, 415, 429],
  },
  taskStatus: {
    method: 'GET',
    path: '/v3/orgs/{organization_path}/tasks/{task_id}/status',
    group: 'task',
    summary: 'Processing state, availability of the report, severity.',
    scope: 'tasks:read',
    answer: TaskStatus,
    errors: [400, 401, 403, 404, 429],
  },
  taskReport: {
    method: 'GET',
    path: '/v3/orgs/{organization_path}/tasks/{task_id}/report',
    group: 'task',
    summary: 'The PDF report of a completed task.',
    scope: 'reports:read',
    answerBytes: 'application/pdf',
    errors: [400, 401, 403, 404, 409, 429],
  },
  findStream: {
    method: 'POST',
    path: '/v3/streams/find',
    group: 'stream',
    summary: 'The stream of a device.',
    scope: 'streams:read',
    body: FindRequest,
    answer: StreamId,
    errors: [400, 401, 403, 404, 415, 429],
  },
  startStream: {
    method: 'POST',
    path: '/v3/streams/start',
    group: 'stream',
    summary: 'Open a stream on a task, named by its id or by its device.',
    scope: 'streams:write',
    body: StartRequest,
    answer: StreamId,
    errors: [400, 401, 403, 409, 415, 429],
  },
  appendFrame: {
    method: 'POST',
    path: '/v3/streams/{stream_id}/frames',
    group: 'stream',
    summary: 'Append one frame.',
    scope: 'streams:write',
    isData: true,
    query: { timestamp: 'start of the frame in microseconds from the start of the stream' },
    bytes: 'frame',
    errors: [400, 401, 403, 404, 409, 429],
  },
  finishStream: {
    method: 'POST',
    path: '/v3/streams/{stream_id}/finish',
    group: 'stream',
    summary: 'End the stream and submit its signal for analysis.',
    scope: 'streams:write',
    bytes: 'ignored',
    errors: [400, 401, 403, 404, 409, 429],
  },
  streamParams: {
    method: 'GET',
    path: '/v3/streams/{stream_id}/params',
    group: 'stream',
    summary: 'Device state, pending command, duration.',
    scope: 'streams:read',
    answer: StreamParams,
    errors: [400, 401, 403, 404, 429],
  },
  reportParams: {
    method: 'POST',
    path: '/v3/streams/{stream_id}/params',
    group: 'stream',
    summary: 'Report the device state, which is also a heartbeat.',
    scope: 'streams:write',
    body: ParamsRequest,
    errors: [400, 401, 403, 404, 415, 429],
  },
  about: {
    method: 'GET',
    path: '/ext/v1/about',
    group: 'extension',
    summary: 'Which program answers.',
    answer: ProductFacts,
    errors: [400, 401, 429],
  },
  uploadFacts: {
    method: 'GET',
    path: '/ext/v1/uploads/{upload_id}',
    group: 'extension',
    summary: 'What of an upload has arrived.',
    answer: UploadFacts,
    errors: [400, 401, 429],
  },
  createDownload: {
    method: 'POST',
    path: '/ext/v1/downloads',
    group: 'extension',
    summary: 'Freeze a file of a task for downloading.',
    scope: 'reports:read',
    body: DownloadRequest,
    answer: DownloadCreated,
    errors: [400, 401, 403, 404, 409, 415, 429],
  },
  taskChannels: {
    method: 'GET',
    path: '/ext/v1/tasks/{task_id}/channels',
    group: 'extension',
    summary: 'The channels of the recording, and which are analysed.',
    scope: 'tasks:read',
    answer: ChannelsAnswer,
    errors: [400, 401, 403, 404, 409, 429],
  },
  chooseChannels: {
    method: 'POST',
    path: '/ext/v1/tasks/{task_id}/channels',
    group: 'extension',
    summary: 'Say which channels are ECG; the recording is analysed again.',
    scope: 'tasks:create',
    body: ChannelsRequest,
    errors: [400, 401, 403, 404, 409, 415, 429],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
