// The one closed list of reasons for which something in Isoline fails, and what each means to an HTTP client
// (status) and to a shell (exit code). Words for people are in renderer/text under `error.<reason>`. Decision
// D20 of the /v3 decisions.

interface ReasonFacts {
  /** HTTP status at /v3. */
  readonly status: 400 | 401 | 403 | 404 | 409 | 415 | 429 | 500 | 503;
  /** Exit code of the command line: 2 when the call itself was wrong. */
  readonly exitCode?: 2;
}

export const REASONS = {
  invalid_request: { status: 400 },
  request_timeout: { status: 400 },
  invalid_content_type: { status: 400 },
  invalid_content_encoding: { status: 400 },
  invalid_json: { status: 400 },
  invalid_body: { status: 400 },
  body_too_large: { status: 400 },
  invalid_organization_path: { status: 400 },
  invalid_task_id: { status: 400 },
  invalid_stream_id: { status: 400 },
  invalid_download_id: { status: 400 },
  invalid_chunk_index: { status: 400 },
  invalid_offset: { status: 400 },
  invalid_timestamp: { status: 400 },
  invalid_total_size: { status: 400 },
  invalid_hash_sum: { status: 400 },
  invalid_upload_id: { status: 400 },
  invalid_auto_complete: { status: 400 },
  invalid_investigation_id: { status: 400 },
  invalid_device_id: { status: 400 },
  invalid_indications: { status: 400 },
  invalid_searching_tags: { status: 400 },
  invalid_patient_id: { status: 400 },
  invalid_patient_first_name: { status: 400 },
  invalid_patient_last_name: { status: 400 },
  invalid_patient_gender: { status: 400 },
  invalid_patient_birth_date: { status: 400 },
  invalid_patient_age: { status: 400 },
  invalid_patient_height: { status: 400 },
  invalid_patient_weight: { status: 400 },
  invalid_recording_start_time: { status: 400 },
  invalid_recording_time_zone: { status: 400 },
  invalid_processing_mode: { status: 400 },
  invalid_frame_format: { status: 400 },
  invalid_sample_rate: { status: 400 },
  invalid_lead_codes: { status: 400 },
  invalid_digital_minimum: { status: 400 },
  invalid_digital_maximum: { status: 400 },
  invalid_physical_minimum: { status: 400 },
  invalid_physical_maximum: { status: 400 },
  invalid_device_state: { status: 400 },
  invalid_total_frames: { status: 400 },
  invalid_kind: { status: 400 },
  invalid_channels: { status: 400 },
  upload_incomplete: { status: 400 },
  upload_hash_mismatch: { status: 400 },
  upload_complete: { status: 400 },
  upload_expired: { status: 400 },
  empty_chunk: { status: 400 },
  chunk_too_large: { status: 400 },
  chunk_out_of_range: { status: 400 },
  chunk_conflict: { status: 400 },
  too_many_ranges: { status: 400 },
  unsupported_format: { status: 400 },
  archive_format_unsupported: { status: 400 },
  archive_method_unsupported: { status: 400 },
  archive_corrupt: { status: 400 },
  archive_encrypted: { status: 400 },
  archive_unsafe_name: { status: 400 },
  archive_duplicate_entry: { status: 400 },
  archive_too_large: { status: 400 },
  no_ecg_record: { status: 400 },
  rate_not_stated: { status: 400 },
  record_incomplete: { status: 400 },
  record_unreadable: { status: 400 },
  record_too_long: { status: 400 },
  too_many_records: { status: 400 },
  unknown_task: { status: 400 },
  invalid_frame: { status: 400 },
  frame_mismatch: { status: 400 },
  frame_too_large: { status: 400 },
  frame_out_of_range: { status: 400 },
  api_token_missing: { status: 401 },
  api_token_invalid: { status: 401 },
  api_token_expired: { status: 401 },
  api_token_revoked: { status: 401 },
  scope_missing: { status: 403 },
  organization_forbidden: { status: 403 },
  route_not_found: { status: 404 },
  task_not_found: { status: 404 },
  stream_not_found: { status: 404 },
  task_state_conflict: { status: 409 },
  no_waiting_task: { status: 409 },
  stream_already_started: { status: 409 },
  stream_empty: { status: 409 },
  folder_changed: { status: 500 },
  frame_already_exists: { status: 409 },
  report_not_available: { status: 409 },
  unsupported_media_type: { status: 415 },
  rate_limit_exceeded: { status: 429 },
  too_many_uploads: { status: 429 },
  shutting_down: { status: 503 },
  starting: { status: 503 },
  storage_full: { status: 503 },
  storage_busy: { status: 503 },
  storage_read_only: { status: 503 },
  storage_failing: { status: 503 },
  too_many_open_files: { status: 503 },
  internal: { status: 500 },
  // Never answered at /v3: command line, bridge, start-up, and the reasons of a failed task.
  usage: { status: 500, exitCode: 2 },
  file_not_found: { status: 500 },
  empty_file: { status: 400 },
  format_unsuitable: { status: 500 },
  analysis_crashed: { status: 500 },
  data_folder_in_use: { status: 500 },
  folder_unusable: { status: 400 },
  data_folder_unusable: { status: 500 },
  database_newer: { status: 500 },
  database_damaged: { status: 500 },
  unknown_setting: { status: 500, exitCode: 2 },
  invalid_setting: { status: 500, exitCode: 2 },
  token_not_found: { status: 500 },
  organization_not_found: { status: 500 },
  port_in_use: { status: 500 },
  network_needs_tls: { status: 500, exitCode: 2 },
  report_damaged: { status: 500 },
  import_not_found: { status: 400 },
  unknown_call: { status: 400 },
  invalid_message: { status: 400 },
  bridge_closed: { status: 500 },
  browser_refused: { status: 403 },
  seat_refused: { status: 403 },
  seat_not_found: { status: 404 },
  invalid_seat: { status: 400 },
  desk_only: { status: 403 },
  patient_confirmed_elsewhere: { status: 409 },
  renderer_missing: { status: 500 },
  unknown_driver: { status: 500, exitCode: 2 },
  device_not_found: { status: 500 },
  device_no_permission: { status: 500 },
  stream_of_two_computers: { status: 409 },
  network_stream_not_found: { status: 500 },
  stream_address_invalid: { status: 500 },
  bluetooth_not_paired: { status: 500 },
  device_in_use: { status: 500 },
  device_not_serial: { status: 500 },
  device_lost: { status: 500 },
  device_unidentified: { status: 500 },
  device_rate_wrong: { status: 500 },
  device_not_ready: { status: 500 },
  device_silent: { status: 500 },
  device_unusable: { status: 500 },
  device_changed: { status: 500 },
  device_busy: { status: 500 },
  recording_not_found: { status: 500 },
  not_allowed: { status: 500 },
  sign_in_needed: { status: 500 },
  patient_missing: { status: 500 },
  patient_not_found: { status: 500 },
  kept_by_law: { status: 500 },
  held: { status: 500 },
  no_chart: { status: 500 },
  something_recorded: { status: 500 },
  reason_missing: { status: 500 },
  centre_exists: { status: 500 },
  centre_not_found: { status: 500 },
  centre_refused: { status: 500 },
  centre_token_missing: { status: 500 },
  central_task_unknown: { status: 500 },
  central_task_other: { status: 500 },
  centre_silent: { status: 500 },
  answer_too_early: { status: 500 },
  item_not_found: { status: 500 },
  order_of_another: { status: 500 },
  review_held: { status: 500 },
  review_changed: { status: 500 },
  patient_kept: { status: 500 },
  patient_changed: { status: 409 },
  user_not_found: { status: 500 },
  user_exists: { status: 500 },
  user_blocked: { status: 500 },
  invalid_user: { status: 500 },
  weak_secret: { status: 500 },
  wrong_secret: { status: 500 },
  secret_needed: { status: 403 },
  secret_temporary: { status: 500 },
  secret_same: { status: 500 },
  backup_unusable: { status: 500 },
  backup_damaged: { status: 500 },
  backup_key_wrong: { status: 500 },
  update_unavailable: { status: 500 },
  update_unreachable: { status: 500 },
  update_unsigned: { status: 500 },
  update_expired: { status: 500 },
  update_unsuitable: { status: 500 },
  update_unreadable: { status: 500 },
  update_damaged: { status: 500 },
  update_blocked: { status: 500 },
} as const satisfies Record<string, ReasonFacts>;

export type Reason = keyof typeof REASONS;

/**
 * Plain values for logs and screens: ids, counts, positions. Never names of patients, never content of files.
 */
export type Detail = Readonly<Record<string, string | number | boolean>>;

/**
 * The only error class that crosses a room's border. `message` is one English sentence that says what to do.
 */
export class IsolineError extends Error {
  override readonly name = 'IsolineError';
  readonly reason: Reason;
  readonly detail: Detail;

  constructor(reason: Reason, message: string, detail: Detail = {}, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.detail = detail;
  }
}

export const isReason = (value: unknown): value is Reason =>
  typeof value === 'string' && Object.hasOwn(REASONS, value);

export const statusOf = (reason: Reason): number => REASONS[reason].status;

export function exitCodeOf(reason: Reason): 1 | 2 {
  const facts: ReasonFacts = REASONS[reason];
  return facts.exitCode ?? 1;
}

/** Errors as they cross a thread or the bridge: no stack, no cause. */
export interface PlainError {
  readonly reason: Reason;
  readonly message: string;
  readonly detail: Detail;
}

/** Nobody knows what went wrong, so nothing is claimed of what is safe. */
const FAULT_TEXT = 'Something unexpected happened. Try again, and send the log if it happens again.';

/**
 * What may leave the process of any thrown value. An error that isn't ours says nothing about the inside of
 * the machine.
 */
export function toPlainError(error: unknown): PlainError {
  if (error instanceof IsolineError)
    return { reason: error.reason, message: error.message, detail: error.detail };
  return { reason: 'internal', message: FAULT_TEXT, detail: {} };
}

export function fromPlainError(plain: PlainError): IsolineError {
  return new IsolineError(plain.reason, plain.message, plain.detail);
}
