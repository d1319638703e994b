import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS, type Operation } from '../../../main/v3/operations.ts';
import { SCOPES } from '../../../shared/token-scopes.ts';
import {
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../support/running-workstation.ts';
import { type Answer, V3Client } from '../../support/v3-client.ts';

let running: RunningWorkstation;
beforeAll(async () => {
  running = await runWorkstation({
    overrides: FREE_OF_LIMITS,
  });
});
afterAll(() => running.stop());

const ALL = Object.entries(OPERATIONS) as [string, Operation][];

function call(
  client: V3Client,
  { method, path, query = {} }: Operation,
  organization: string,
): Promise<Answer> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'organization_path' ? organization : '1',
  );
  const asked = Object.keys(query).map((name) => `${name}=0`);
  const type = { 'Content-Type': 'application/json' };
  return client.request(
    method,
    asked.length === 0 ? filled : `${filled}?${asked.join('&')}`,
    method === 'POST' ? '{}' : undefined,
    type,
  );
}

test.each(ALL)(
  '%s is for tokens of its scope alone, and after the token nothing else is told (D3, D31, SEC28)',
  async (_name, operation) => {
    expect((await call(new V3Client(running.url, undefined), operation, 'elsewhere')).status).toBe(401);
    for (const scope of SCOPES) {
      const client = new V3Client(running.url, (await running.makeToken([scope])).text);
      const answer = await call(client, operation, 'clinic');
      const isAllowed = operation.scope === undefined || operation.scope === scope;
      expect(answer.json.reason === 'scope_missing', `${scope}: ${JSON.stringify(answer.json)}`).toBe(
        !isAllowed,
      );
      if (isAllowed) expect(answer.status).not.toBe(403);
      if (operation.path.includes('{organization_path}'))
        expect((await call(client, operation, 'elsewhere')).status).toBe(403);
    }
  },
);
