import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../../main/service/openapi.ts';
import { OPERATIONS, type Operation } from '../../../main/v3/operations.ts';
import { SPECIFICATION } from '../../contract/specification.ts';
import { runWorkstation } from '../../support/running-workstation.ts';
import { projectRoot } from '../../support/test-data.ts';
import { rawRequest, V3Client } from '../../support/v3-client.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}
interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

const document = openApiDocument('1.2.3') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};
const described = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const fieldsOf = (schema: Schema | undefined): Record<string, boolean> =>
  Object.fromEntries(
    Object.keys(schema?.properties ?? {}).map((name) => [name, schema?.required?.includes(name) ?? false]),
  );

test('an operation says which scope its token needs, and one that needs none says nothing of it', () => {
  const scopes = Object.values(OPERATIONS as Readonly<Record<string, Operation>>);
  for (const { path, method, operation } of described) {
    const scope = scopes.find((each) => each.path === path && each.method === method)?.scope;
    const { description } = operation as { readonly description?: string };
    expect(description, path).toBe(scope === undefined ? undefined : `Scope of the token: ${scope}.`);
  }
});

describe('the document and the specification agree', () => {
  test('on the operations under /v3: none is missing and none is added, no event and no webhook (D112)', () => {
    const ours = described
      .filter(({ path }) => path.startsWith('/v3/'))
      .map(({ method, path }) => `${method} ${path}`);
    expect(ours.sort()).toEqual(SPECIFICATION.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test.each(SPECIFICATION.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    'on %s',
    (_name, endpoint) => {
      const { operation } = described.find(
        ({ method, path }) => method === endpoint.method && path === endpoint.path,
      )!;
      const statuses = Object.keys(operation.responses).map(Number);
      expect(statuses.filter((status) => ![200, 500, 503].includes(status)).sort()).toEqual(
        [...endpoint.errors].sort(),
      );
      expect(fieldsOf(operation.requestBody?.content['application/json']?.schema)).toEqual(
        endpoint.fields ?? {},
      );
      expect(fieldsOf(operation.responses['200']?.content?.['application/json']?.schema)).toEqual(
        endpoint.answerFields ?? {},
      );
      const parameters = operation.parameters.map((parameter) => [
        parameter.in,
        parameter.name,
        parameter.required,
      ]);
      const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ['path', name, true]);
      expect(parameters).toEqual([...inPath, ...(endpoint.query ?? []).map((name) => ['query', name, true])]);
    },
  );
});

const specification = join(projectRoot, '../shared/spec/ecg-analysis-service.md');

test.skipIf(!existsSync(specification))(
  `the endpoints and statuses that the tests go by are those of the specification${existsSync(specification) ? '' : ' (left out: it is not beside the project)'}`,
  () => {
    const text = readFileSync(specification, 'utf8');
    for (const { method, path, errors } of SPECIFICATION) {
      // The download of a chunk is listed there without its path.
      if (path.includes('/downloads/')) continue;
      const at = text.indexOf(`**${method} ${path}`);
      expect(at, path).toBeGreaterThan(0);
      const listed = /- Errors: ([\d, ]+)\./.exec(text.slice(at))![1]!;
      expect(listed.split(', ').map(Number)).toEqual(errors);
    }
    for (const [field] of Object.entries(SPECIFICATION.find(({ path }) => path.endsWith('/tasks'))!.fields!))
      expect(text).toContain(`| ${field} |`);
  },
);

test('document and page are there on this computer without a token, and load nothing (D111)', async () => {
  await using running = await runWorkstation();
  const nobody = new V3Client(running.url, undefined);
  const served = await nobody.get('/docs/openapi.json');
  expect([served.status, served.json.openapi]).toEqual([200, '3.1.0']);
  expect(Object.keys(served.json.paths as object)).toContain('/v3/streams/start');
  const page = await nobody.get('/docs');
  const html = page.bytes.toString('utf8');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(html).not.toMatch(/<script|src=|https?:\/\/(?!127)/);
  for (const { path } of SPECIFICATION) expect(html).toContain(path);
  // Not as seen from a foreign page.
  expect(
    await rawRequest(
      running.url,
      'GET /docs/openapi.json HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    ),
  ).toMatch(/^HTTP\/1\.1 400/);
});
