// The service that the suite is pointed at: an address, a token and the path of the token's organization, and
// nothing else.

import { expect } from 'vitest';
import { type Answer, V3Client } from '../support/v3-client.ts';

const url = process.env.ISOLINE_CONTRACT_URL ?? '';
const token = process.env.ISOLINE_CONTRACT_TOKEN ?? '';
const org = process.env.ISOLINE_CONTRACT_ORG ?? 'clinic';

export const service = new V3Client(url.replace(/\/$/, ''), token, org);
export const strangers = new V3Client(service.base, undefined, org);

/** Any 2xx is success; which one is not shown. */
export function expectSuccess(answer: Answer): Record<string, unknown> {
  expect(answer.status, JSON.stringify(answer.json)).toBeGreaterThanOrEqual(200);
  expect(answer.status).toBeLessThan(300);
  return answer.json;
}

/**
 * A refusal has one of the statuses that the specification lists for its endpoint, and says why in its body.
 */
export function expectRefusal(answer: Answer, status: number): void {
  expect(answer.status, JSON.stringify(answer.json)).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.json.message).toEqual(expect.stringMatching(/./));
  if (answer.json.reason !== undefined) expect(answer.json.reason).toMatch(/^[a-z][a-z0-9_]*$/);
}

export async function poll<T>(
  ask: () => Promise<T | undefined>,
  what: string,
  patienceMs = 60_000,
): Promise<T> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; ) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 250));
  }
  throw new Error(`${what} did not happen`);
}
