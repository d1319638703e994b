// The tables of the specification as data: what every /v3 service answers, wherever it runs. Not made from
// our own table of operations, which is held against this one.

export interface SpecifiedEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The fields of the JSON body: name → whether it is required. */
  readonly fields?: Readonly<Record<string, boolean>>;
  readonly answerFields?: Readonly<Record<string, boolean>>;
  readonly query?: readonly string[];
  readonly errors: readonly number[];
}

const optional = (...names: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(names.map((name) => [name, false]));
const required = (...names: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(names.map((name) => [name, true]));

export const SPECIFICATION: readonly SpecifiedEndpoint[] = [
  {
    method: 'POST',
    path: '/v3/uploads',
    fields: required('total_size', 'hash_sum'),
    answerFields: required('upload_id'),
    errors: [400, 401, 415, 429],
  },
  { method: 'POST', path: '/v3/uploads/{upload_id}/chunks', query: ['offset'], errors: [400, 401, 429] },
  { method: 'GET', path: '/v3/downloads/{download_id}/chunks/{chunk_index}', errors: [400, 401, 429] },
  {
    method: 'POST',
    path: '/v3/orgs/{organization_path}/tasks',
    fields: optional(
      'upload_id',
      'auto_complete',
      'investigation_id',
      'device_id',
      'indications',
      'searching_tags',
      'patient_id',
      'patient_first_name',
      'patient_last_name',
      'patient_gender',
      'patient_birth_date',
      'patient_age',
      'patient_height',
      'patient_weight',
      'recording_start_time',
      'recording_time_zone',
    ),
    answerFields: required('created_task_ids'),
    errors: [400, 401, 403, 415, 429],
  },
  {
    method: 'GET',
    path: '/v3/orgs/{organization_path}/tasks/{task_id}/status',
    answerFields: { ...required('creation_time', 'processed', 'report_available'), ...optional('severity') },
    errors: [400, 401, 403, 404, 429],
  },
  {
    method: 'GET',
    path: '/v3/orgs/{organization_path}/tasks/{task_id}/report',
    errors: [400, 401, 403, 404, 409, 429],
  },
  {
    method: 'POST',
    path: '/v3/streams/find',
    fields: required('device_id'),
    answerFields: required('stream_id'),
    errors: [400, 401, 403, 404, 415, 429],
  },
  {
    method: 'POST',
    path: '/v3/streams/start',
    // Either task_id or device_id: the second variant of the public pages.
    fields: {
      ...optional('task_id', 'device_id'),
      ...required('processing_mode', 'frame_format', 'sample_rate', 'lead_codes'),
      ...optional(
        'digital_minimum',
        'digital_maximum',
        'physical_minimum',
        'physical_maximum',
        'device_state',
        'total_frames',
      ),
    },
    answerFields: required('stream_id'),
    errors: [400, 401, 403, 409, 415, 429],
  },
  {
    method: 'POST',
    path: '/v3/streams/{stream_id}/frames',
    query: ['timestamp'],
    errors: [400, 401, 403, 404, 409, 429],
  },
  { method: 'POST', path: '/v3/streams/{stream_id}/finish', errors: [400, 401, 403, 404, 409, 429] },
  {
    method: 'GET',
    path: '/v3/streams/{stream_id}/params',
    answerFields: { ...required('device_state', 'device_command'), ...optional('custom_duration') },
    errors: [400, 401, 403, 404, 429],
  },
  {
    method: 'POST',
    path: '/v3/streams/{stream_id}/params',
    fields: required('device_state'),
    errors: [400, 401, 403, 404, 415, 429],
  },
];

/** What anything can answer besides. */
const ALWAYS_POSSIBLE: readonly number[] = [500, 503];
export const SEVERITIES = ['NONE', 'LOW', 'MODERATE', 'IMPORTANT', 'CRITICAL'];
export const DEVICE_STATES = [
  'WAITING_FOR_START',
  'RECORDING',
  'RECORDING_COMPLETED',
  'UPLOADING',
  'UPLOADING_FAILED',
];
export const DEVICE_COMMANDS = ['UNKNOWN_DEVICE_COMMAND', 'START_DEVICE', 'STOP_DEVICE', 'RETRY_UPLOADING'];

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`);

/** Whether the specification lets this endpoint answer so. */
export function isSpecified(method: string, path: string, status: number): boolean {
  if (status >= 200 && status < 300) return true;
  const endpoint = SPECIFICATION.find(
    (each) => each.method === (method === 'HEAD' ? 'GET' : method) && patternOf(each.path).test(path),
  );
  return [...(endpoint?.errors ?? [404, 400]), ...ALWAYS_POSSIBLE].includes(status);
}
