// Bodies of JSON endpoints, read within their limit, decoded strictly, checked by schema. D13, D14, D100.

import type { FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Validator } from 'typebox/compile';
import { IsolineError, isReason, type Reason } from '../../shared/errors.ts';
import { validatorOf } from '../../shared/validator.ts';
import { readBody } from './request-body.ts';

const MAX_BODY_BYTES = 1 << 20;
const JSON_TYPE = /^application\/json\s*(;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)"?/i;

/** D14: type and subtype exactly, charset UTF-8 if there is one, other parameters ignored. */
export function requireJsonType(contentType: string | undefined): void {
  const charset = CHARSET.exec(contentType ?? '')?.[1];
  if (
    !JSON_TYPE.test((contentType ?? '').trim()) ||
    (charset !== undefined && charset.toLowerCase() !== 'utf-8')
  ) {
    throw new IsolineError(
      'unsupported_media_type',
      'Send the body as JSON with the header Content-Type: application/json.',
    );
  }
}

/** Boundaries of a form would be stored as signal (D14). */
export function requireNoForm(contentType: string | undefined): void {
  if (/^\s*multipart\//i.test(contentType ?? ''))
    throw new IsolineError('invalid_content_type', 'Send the raw bytes, not a form.');
}

const tooLarge = (): IsolineError =>
  new IsolineError('body_too_large', `A JSON body can have at most ${MAX_BODY_BYTES} bytes.`);

const invalidJson = (cause: unknown): IsolineError =>
  new IsolineError('invalid_json', 'The body is not valid JSON in UTF-8.', {}, { cause });

/**
 * Bodies of the interface have some dozens of values; a megabyte of them would keep everybody else waiting.
 */
const MAX_VALUES = 20_000;

/**
 * About how many values a text has: each is followed by a comma or ends a list or an object. Those inside of
 * strings count, too.
 */
function countValues(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count++;
  return count;
}

/**
 * The only key that a reader of JSON must fear, as it is or with letters written as codes; looking at every
 * key costs seconds.
 */
const POISONED = /__proto__|\\u00(5f|70|72|6f|74)/i;

const refusePoison = (key: string, field: unknown): unknown => {
  if (key === '__proto__') throw new SyntaxError('forbidden key');
  return field;
};

/** An object without its null fields: null means omitted (D13). */
async function readObject(request: FastifyRequest): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, MAX_BODY_BYTES, tooLarge);
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (countValues(bytes) > MAX_VALUES) throw new SyntaxError('too many values');
    value = POISONED.test(text) ? JSON.parse(text, refusePoison) : JSON.parse(text);
  } catch (error) {
    throw invalidJson(error);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new IsolineError('invalid_body', 'The body must be a JSON object.');
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}

export interface BodyReader<S extends TSchema> {
  read(request: FastifyRequest): Promise<Static<S>>;
}

/**
 * The fields that the interface knows; others are ignored. An empty text means omitted, except for
 * `upload_id`: a client's empty variable must not make an empty draft (D13).
 */
function knownFields(
  fields: Record<string, unknown>,
  properties: Readonly<Record<string, { type?: unknown; enum?: unknown }>>,
): Record<string, unknown> {
  const isOmitted = (name: string, value: unknown): boolean =>
    value === '' &&
    name !== 'upload_id' &&
    (properties[name]?.type === 'string' || properties[name]?.enum !== undefined);
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => Object.hasOwn(properties, name) && !isOmitted(name, value),
    ),
  );
}

/** Without half characters and without U+0000, in texts and lists of texts (D13). */
function isCleanText(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return !Array.isArray(value) || value.every(isCleanText);
}

/**
 * The fields that break the schema, missing ones among them, in the order in which the interface lists them.
 */
function firstBadField(
  validator: Validator,
  fields: unknown,
  order: readonly string[],
  broken: string | undefined,
): Reason {
  const bad = validator.Errors(fields).flatMap(({ keyword, instancePath, params }) => {
    if (keyword === 'required') return (params as { requiredProperties: string[] }).requiredProperties;
    return [instancePath.split('/')[1] ?? ''];
  });
  const first = order.find((field) => field === broken || bad.includes(field));
  const reason = `invalid_${first ?? 'body'}`;
  return isReason(reason) ? reason : 'invalid_body';
}

/** A reader for one schema; the first field that breaks it answers `invalid_<field>`. */
export function bodyReader<S extends TSchema & { readonly properties: object }>(schema: S): BodyReader<S> {
  const order = Object.keys(schema.properties);
  const validator = validatorOf(schema);
  return {
    async read(request) {
      const fields = knownFields(
        await readObject(request),
        schema.properties as Record<string, { type?: unknown }>,
      );
      const broken = order.find((field) => !isCleanText(fields[field]));
      if (broken === undefined && validator().Check(fields)) return fields as Static<S>;
      const reason = firstBadField(validator(), fields, order, broken);
      throw new IsolineError(
        reason,
        `The field "${reason.slice('invalid_'.length)}" is missing or not as the interface describes it.`,
      );
    },
  };
}
