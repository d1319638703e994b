// `isoline demo`: the main job in a terminal. A synthetic recording goes through a real /v3 service with a
// real HTTP client, chunk by chunk, to a finished report.

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import { IsolineError } from '../../../shared/errors.ts';
import { SEVERITY_WORDS } from '../../../shared/severity-words.ts';
import { SCOPES } from '../../../shared/token-scopes.ts';
import type { TaskStatus } from '../../../shared/v3/v3.ts';
import { DEFAULT_ORGANIZATION, ensureOrganization } from '../../clinic/clinic.ts';
import { createToken } from '../../clinic/people/tokens.ts';
import { measurementCells } from '../../report/report-text.ts';
import { commandContext, openDataStore } from '../data-folder.ts';
import { startWorkstation } from '../workstation.ts';
import { type Command, print } from './command.ts';
import { syntheticEdf } from './synthetic-recording.ts';

const CHUNK_BYTES = 64 * 1024;
const POLL_MS = 200;
const PATIENCE_MS = 60_000;

/** A client of /v3 as a script would write it. */
class DemoClient {
  readonly #base: string;
  readonly #token: string;
  constructor(base: string, token: string) {
    this.#base = base;
    this.#token = token;
  }

  async request(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    type?: string,
  ): Promise<Response> {
    const headers = { 'X-Api-Token': this.#token, ...(type !== undefined && { 'Content-Type': type }) };
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    if (!response.ok)
      throw new IsolineError(
        'internal',
        `${method} ${path} was answered ${response.status}: ${await response.text()}`,
      );
    return response;
  }

  async json<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.request(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
      body === undefined ? undefined : 'application/json',
    );
    return (await response.json()) as T;
  }
}

function step(text: string): void {
  print(`  ✓ ${text}`);
}

async function uploadChunks(client: DemoClient, uploadId: string, bytes: Uint8Array): Promise<number> {
  let count = 0;
  for (let offset = 0; offset < bytes.length; offset += CHUNK_BYTES, count++) {
    const chunk = Uint8Array.from(bytes.subarray(offset, offset + CHUNK_BYTES));
    await client.request(
      'POST',
      `/v3/uploads/${uploadId}/chunks?offset=${offset}`,
      chunk,
      'application/octet-stream',
    );
  }
  return count;
}

async function untilReported(client: DemoClient, path: string): Promise<TaskStatus> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await wait(POLL_MS)) {
    const status = await client.json<TaskStatus>('GET', `${path}/status`);
    if (status.report_available) return status;
    if (status.processed) break;
  }
  throw new IsolineError('analysis_crashed', 'The demonstration produced no report.');
}

async function makeToken(dataDir: string): Promise<string> {
  using store = openDataStore(dataDir, 'writer');
  const context = await commandContext(dataDir, store);
  await ensureOrganization(context);
  const made = await createToken(context, {
    organizationPath: DEFAULT_ORGANIZATION,
    label: 'demonstration',
    scopes: SCOPES,
    lifeDays: 1,
    creator: 'cli',
  });
  return made.text;
}

async function show(dataDir: string, pdfPath: string): Promise<void> {
  print('Isoline demonstration: from a recording to its report, through /v3.');
  const token = await makeToken(dataDir);
  await using workstation = await startWorkstation({
    dataDir,
    host: '127.0.0.1',
    port: 0,
    overrides: [['storage.reserve', '0']],
    isDemo: true,
  });
  step(`service listens on ${workstation.serviceUrl}`);
  const client = new DemoClient(workstation.serviceUrl, token);
  const edf = syntheticEdf(Date.now());
  step(`synthetic 12-lead recording made: ${(edf.length / 1024).toFixed(0)} KiB as EDF+`);
  const hash = createHash('sha256').update(edf).digest('base64');
  const { upload_id } = await client.json<{ upload_id: string }>('POST', '/v3/uploads', {
    total_size: edf.length,
    hash_sum: hash,
  });
  step(`upload session ${upload_id}`);
  step(`${await uploadChunks(client, upload_id, edf)} chunks sent`);
  const fields = {
    upload_id,
    auto_complete: true,
    patient_id: 'DEMO-1',
    patient_last_name: 'Demonstration',
    patient_first_name: 'Simulated',
    patient_gender: 'FEMALE',
    patient_birth_date: '1961-03-14',
  };
  const { created_task_ids } = await client.json<{ created_task_ids: number[] }>(
    'POST',
    `/v3/orgs/${DEFAULT_ORGANIZATION}/tasks`,
    fields,
  );
  const taskId = created_task_ids[0] as number;
  step(`task ${taskId} created, approved automatically`);
  const path = `/v3/orgs/${DEFAULT_ORGANIZATION}/tasks/${taskId}`;
  const status = await untilReported(client, path);
  step(
    `analysis finished, severity ${status.severity === undefined ? 'not determined' : SEVERITY_WORDS.en[status.severity]}`,
  );
  const pdf = Buffer.from(await (await client.request('GET', `${path}/report`)).arrayBuffer());
  await writeFile(pdfPath, pdf);
  step(`report downloaded: ${(pdf.length / 1024).toFixed(0)} KiB`);
  const { measurements, statements } = await new BridgeClient(workstation.connect()).call('task.get', {
    taskId,
  });
  print('\nFindings');
  for (const [label, value] of measurementCells(measurements ?? {})) print(`  ${label.padEnd(18)}${value}`);
  for (const statement of statements) print(`  • ${statement.text}`);
}

export const demoCommand: Command = {
  name: 'demo',
  usage: '',
  options: {},
  positionals: [0, 0],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), 'isoline-demo-'));
    const dataDir = join(folder, 'data');
    const pdfPath = join(folder, 'report.pdf');
    try {
      await mkdir(dataDir, { mode: 0o700 });
      await show(dataDir, pdfPath);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
    print(`\nReport: ${pdfPath}`);
  },
};
