// What an answer of the centre says, read tolerantly (D120, D121): decisions by the status alone, words for
// people alone, numbers of tasks as text, because they may be larger than a number of the language holds.

import { parseInstant } from '../../../shared/instant.ts';
import type { Outcome } from '../../clinic/outbox/call.ts';

export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Undefined where it could not be read to its end. */
  readonly body: string | undefined;
}

/** What has to be in the body of a 2xx for it to be an answer. */
export type Expected = 'nothing' | 'uploadId' | 'taskId' | 'streamId' | 'status';

const HOUR_MS = 3_600_000;
const MOST_WORDS = 500;
const MOST_SEVERITY = 40;

/** Whole numbers stay as they stand there. */
const keepNumbers = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && /^\d+$/.test(context.source)
    ? context.source
    : value;

function parse(body: string): unknown {
  try {
    return JSON.parse(body, keepNumbers as (key: string, value: unknown) => unknown);
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,18}$/.test(value);

/** A page, such as the sign-in of a network: a service answers with JSON, or with nothing. */
const isForeign = (body = ''): boolean => body.trim() !== '' && parse(body) === undefined;

function readDone(body: string | undefined, expected: Expected): Outcome {
  if (expected === 'nothing') return isForeign(body) ? { kind: 'unclear' } : { kind: 'done' };
  // What is cut off may have said anything: it is not known what was done.
  if (body === undefined) return { kind: 'unknown', isServer: false };
  const json = parse(body);
  if (!isRecord(json)) return { kind: 'unclear' };
  if (expected === 'uploadId')
    return typeof json.upload_id === 'string' && json.upload_id !== ''
      ? { kind: 'done', id: json.upload_id }
      : { kind: 'unclear' };
  if (expected === 'streamId')
    return isId(json.stream_id) ? { kind: 'done', id: json.stream_id } : { kind: 'unclear' };
  if (expected === 'taskId') {
    const ids = json.created_task_ids;
    // More than one would be examinations that nobody asked for; which is ours nobody knows (D126).
    return Array.isArray(ids) && ids.length === 1 && isId(ids[0])
      ? { kind: 'done', id: ids[0] }
      : { kind: 'unclear' };
  }
  if (typeof json.processed !== 'boolean') return { kind: 'unclear' };
  const createdMs = typeof json.creation_time === 'string' ? parseInstant(json.creation_time) : undefined;
  return {
    kind: 'done',
    isProcessed: json.processed,
    isReportAvailable: json.report_available === true,
    ...(createdMs !== undefined && { createdMs }),
    // The severity comes from a closed list, and is shown as it stands where it is not on it (D121).
    ...(typeof json.severity === 'string' && { severity: json.severity.slice(0, MOST_SEVERITY) }),
  };
}

/**
 * `Retry-After` in seconds, or as a date, which is taken against the answer's own clock; undefined for what
 * is neither.
 */
export function readRetryAfter(headers: RawAnswer['headers'], nowMs: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Math.min(HOUR_MS, Number(text) * 1000);
  const atMs = Date.parse(text);
  const theirsMs = Date.parse(headers.date ?? '');
  if (text === '' || Number.isNaN(atMs)) return undefined;
  const waitMs = atMs - (Number.isNaN(theirsMs) ? nowMs : theirsMs);
  return waitMs < 0 ? undefined : Math.min(HOUR_MS, waitMs);
}

/**
 * What the centre says of a refusal, for people: an object with a message, a bare text in quotes, a page, or
 * nothing.
 */
function wordsOf(body: string | undefined): string {
  const json = parse(body ?? '');
  if (typeof json === 'string') return json.slice(0, MOST_WORDS);
  return isRecord(json) && typeof json.message === 'string' ? json.message.slice(0, MOST_WORDS) : '';
}

export function readAnswer({ status, headers, body }: RawAnswer, expected: Expected, nowMs: number): Outcome {
  if (status >= 200 && status < 300) return readDone(body, expected);
  if (status >= 300 && status < 400) return { kind: 'moved' };
  switch (status) {
    case 401:
    case 403:
    case 407:
      return { kind: 'tokenRefused' };
    case 404:
      return { kind: 'absent' };
    case 409:
      return { kind: 'conflict' };
    case 408:
      return { kind: 'unknown', isServer: true };
    case 429:
      return { kind: 'limited', waitMs: readRetryAfter(headers, nowMs) };
    default:
      return status >= 500
        ? { kind: 'unknown', isServer: true }
        : { kind: 'refused', message: wordsOf(body), ...(status === 413 && { isTooLarge: true }) };
  }
}
