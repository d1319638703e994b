// Sends generated requests to a workstation and counts what should not have come back.

import fc from 'fast-check';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { runWorkstation } from '../support/running-workstation.ts';
import { V3Client } from '../support/v3-client.ts';
import {
  type FuzzRequest,
  faultOf,
  type Known,
  type OpenApi,
  requestsFor,
  send,
  sendHalf,
} from './service-requests.ts';

const PARALLEL = 16;
/** One in so many requests is cut in the middle on a bare socket. */
const HALF_EVERY = 50;

export interface ServiceFindings {
  readonly requests: number;
  readonly halves: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

async function prepare(client: V3Client): Promise<Known> {
  const created = async (fields: object): Promise<number> =>
    ((await client.createTask(fields)).json.created_task_ids as number[])[0] as number;
  const streamId = await created({});
  await client.post('/v3/streams/start', {
    task_id: streamId,
    processing_mode: 'PROCESS_ON_FINISH',
    frame_format: 'COMPRESSED_DELTA',
    sample_rate: 500,
    lead_codes: STANDARD_LEADS.slice(0, 2),
  });
  const { json } = await client.createUpload(new Uint8Array(1_000_000));
  return {
    token: client.token ?? '',
    org: client.org,
    taskId: await created({ device_id: 'fuzz' }),
    streamId,
    uploadId: json.upload_id as string,
  };
}

const describe = ({ method, path, headers, body }: FuzzRequest): string =>
  `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)} ${Buffer.from(body.subarray(0, 200)).toString('latin1')}`;

/** Streams and tasks end under the fuzz; now and then there are new ones. */
const RENEW_EVERY = 500;

export async function fuzzService(
  count: number,
  seed: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<ServiceFindings> {
  await using running = await runWorkstation({
    overrides: [
      ['storage.reserve', '0'],
      ['service.rate.enabled', 'false'],
      ['uploads.maxOpen', '10000'],
    ],
  });
  const client = new V3Client(running.url, (await running.makeToken()).text);
  const document = (await client.get('/docs/openapi.json')).json as OpenApi & Record<string, unknown>;
  const statuses: Record<string, number> = {};
  const faults: string[] = [];
  let [done, halves] = [0, 0];
  while (done < count && faults.length < 20) {
    const arbitrary = requestsFor(document, await prepare(client));
    const batch = fc.sample(arbitrary, { numRuns: Math.min(RENEW_EVERY, count - done), seed: seed + done });
    const queue = batch.entries();
    const work = async (): Promise<void> => {
      for (const [i, request] of queue) {
        if ((done + i) % HALF_EVERY === 0) {
          halves++;
          const head = `${request.method} ${request.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Token: ${client.token}\r\nContent-Type: application/json\r\nContent-Length: ${request.body.length + 100}\r\n\r\n`;
          const whole = Buffer.concat([Buffer.from(head), request.body]);
          const answer = await sendHalf(running.url, whole.subarray(0, (i * 37) % whole.length), 40);
          if (/^HTTP\/1\.1 5(?!03)/.test(answer))
            faults.push(`half of ${describe(request)}: ${answer.slice(0, 200)}`);
          continue;
        }
        const answer = await send(running.url, request);
        const key = answer === undefined ? 'closed' : answer === 'hang' ? 'hang' : String(answer.status);
        statuses[key] = (statuses[key] ?? 0) + 1;
        const fault = faultOf(request, answer);
        if (fault !== undefined) faults.push(`${fault}: ${describe(request)}`);
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    done += batch.length;
    onProgress(done);
  }
  // It still serves.
  if ((await client.createTask({})).status !== 200) faults.push('the service no longer serves');
  return { requests: done, halves, statuses, faults };
}
