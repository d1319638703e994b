// A client of /v3 as a script would write it, and raw requests for what a client must not do.

import { createHash } from 'node:crypto';
import { connect } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly json: Record<string, unknown>;
}

export class V3Client {
  readonly base: string;
  readonly token: string | undefined;
  readonly org: string;

  constructor(base: string, token: string | undefined, org = 'clinic') {
    this.base = base;
    this.token = token;
    this.org = org;
  }

  async request(
    method: string,
    path: string,
    body?: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: { ...(this.token !== undefined && { 'X-Api-Token': this.token }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : Uint8Array.from(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson =
      bytes.length > 0 && (response.headers.get('content-type')?.startsWith('application/json') ?? false);
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      json: isJson ? (JSON.parse(bytes.toString('utf8')) as Record<string, unknown>) : {},
    };
  }

  post(path: string, body: object | string): Promise<Answer> {
    return this.request('POST', path, typeof body === 'string' ? body : JSON.stringify(body), {
      'Content-Type': 'application/json',
    });
  }

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  createUpload(bytes: Uint8Array): Promise<Answer> {
    return this.post('/v3/uploads', {
      total_size: bytes.length,
      hash_sum: createHash('sha256').update(bytes).digest('base64'),
    });
  }

  chunk(
    uploadId: string,
    offset: number | string,
    bytes: Uint8Array,
    headers: Record<string, string> = { 'Content-Type': 'application/octet-stream' },
  ): Promise<Answer> {
    return this.request('POST', `/v3/uploads/${uploadId}/chunks?offset=${offset}`, bytes, headers);
  }

  async upload(bytes: Uint8Array): Promise<string> {
    const { json } = await this.createUpload(bytes);
    await this.chunk(json.upload_id as string, 0, bytes);
    return json.upload_id as string;
  }

  createTask(fields: object | string): Promise<Answer> {
    return this.post(`/v3/orgs/${this.org}/tasks`, fields);
  }

  status(taskId: number | string): Promise<Answer> {
    return this.get(`/v3/orgs/${this.org}/tasks/${taskId}/status`);
  }

  report(taskId: number | string): Promise<Answer> {
    return this.get(`/v3/orgs/${this.org}/tasks/${taskId}/report`);
  }
}

/** Sends bytes to a server as they are and gives back all that it answers until it closes or pauses. */
export function rawRequest(base: string, text: string | Uint8Array, pauseMs = 1500): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const url = new URL(base);
  const socket = connect(Number(url.port), url.hostname, () => socket.write(text));
  let answer = '';
  socket.setTimeout(pauseMs, () => socket.destroy());
  socket.on('data', (data) => {
    answer += data.toString('latin1');
  });
  socket.on('close', () => resolve(answer));
  socket.on('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
  );
  return promise;
}
