// The OpenAPI 3.1 document, made from the table of operations and the schemas that check the requests: it
// can't say anything else than what the service does.

import type { TSchema } from 'typebox';
import { REASONS } from '../../shared/errors.ts';
import { ErrorAnswer } from '../../shared/v3/v3.ts';
import { OPERATIONS, type Operation, PATH_PARAMETERS } from '../v3/operations.ts';

type Json = { readonly [key: string]: unknown };

const STATUS_TEXT: Readonly<Record<number, string>> = {
  400: 'Missing or invalid parameters.',
  401: 'Missing, expired or invalid token.',
  403: 'The token is not authorized for this operation.',
  404: 'The resource does not exist or is unavailable.',
  409: 'The state of the resource does not allow the operation.',
  415: 'Content-Type must be application/json.',
  429: 'Rate limit exceeded; see Retry-After.',
  500: 'Unexpected fault; quote X-Request-Id.',
  503: 'Temporarily unavailable; see Retry-After.',
};
const ALWAYS = [500, 503] as const;

/** Schemas as plain JSON: what the library adds for itself is no enumerable text. */
const plain = (schema: TSchema): Json => JSON.parse(JSON.stringify(schema)) as Json;

const BINARY: Json = { type: 'string', format: 'binary' };

function parametersOf({ path, query = {} }: Operation): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: plain(PATH_PARAMETERS[name as keyof typeof PATH_PARAMETERS]),
  }));
  const inQuery = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    required: true,
    description,
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, format: 'int64' },
  }));
  return [...inPath, ...inQuery];
}

function requestBodyOf({ body, bytes }: Operation): Json | undefined {
  if (body !== undefined) return { required: true, content: { 'application/json': { schema: plain(body) } } };
  if (bytes === undefined || bytes === 'ignored') return undefined;
  return { required: true, content: { 'application/octet-stream': { schema: BINARY } } };
}

function answersOf({ answer, answerBytes, errors }: Operation): Json {
  const content =
    answerBytes === undefined
      ? { 'application/json': { schema: answer === undefined ? { type: 'object' } : plain(answer) } }
      : { [answerBytes]: { schema: BINARY } };
  const refusals = [...errors, ...ALWAYS].map((status) => [
    String(status),
    {
      description: STATUS_TEXT[status],
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  return { '200': { description: 'Success.', content }, ...(Object.fromEntries(refusals) as Json) };
}

function describe(name: string, operation: Operation): Json {
  const requestBody = requestBodyOf(operation);
  return {
    operationId: name,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.scope !== undefined && { description: `Scope of the token: ${operation.scope}.` }),
    parameters: parametersOf(operation),
    ...(requestBody !== undefined && { requestBody }),
    responses: answersOf(operation),
  };
}

/** The operations of the interface as a document; extensions are told apart by their tag and path. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, operation] of Object.entries(OPERATIONS) as [string, Operation][])
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(name, operation),
    };
  return {
    openapi: '3.1.0',
    info: {
      title: 'ECG analysis service /v3',
      version,
      description: `Times are UTC. Reasons of errors: ${Object.entries(REASONS)
        .filter(([, { status }]) => status !== 500)
        .map(([reason, { status }]) => `${reason} (${status})`)
        .join(', ')}.`,
    },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Api-Token' } },
      schemas: { Error: plain(ErrorAnswer) },
    },
  };
}
