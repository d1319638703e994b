// The bare baseline of frames and status requests: Fastify and better-sqlite3 with group commit, and nothing
// of ours. `node test/bench/bare-frames.ts FOLDER` prints its address.

import { join } from 'node:path';
import Database from 'better-sqlite3';
import Fastify from 'fastify';

const MAX_GROUP = 256;

const db = new Database(join(process.argv[2] as string, 'bare.sqlite'));
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.pragma('cache_size = -65536');
db.exec(
  'CREATE TABLE frame (stream INTEGER NOT NULL, timestamp INTEGER NOT NULL, payload BLOB NOT NULL, UNIQUE (stream, timestamp)) STRICT',
);
db.exec('CREATE TABLE task (id INTEGER PRIMARY KEY, state TEXT NOT NULL, created INTEGER NOT NULL) STRICT');
db.exec("INSERT INTO task (state, created) VALUES ('DRAFT', 1)");
const add = db.prepare('INSERT INTO frame (stream, timestamp, payload) VALUES (?, ?, ?)');
const task = db.prepare<[number], { state: string; created: number }>(
  'SELECT state, created FROM task WHERE id = ?',
);

interface Waiting {
  readonly stream: number;
  readonly timestamp: number;
  readonly payload: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

let waiting: Waiting[] = [];

const write = db.transaction((group: readonly Waiting[]) => {
  for (const { stream, timestamp, payload } of group) add.run(stream, timestamp, payload);
});

function flush(): void {
  const group = waiting.slice(0, MAX_GROUP);
  waiting = waiting.slice(MAX_GROUP);
  try {
    write.immediate(group);
    for (const { resolve } of group) resolve();
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
  if (waiting.length > 0) setImmediate(flush);
}

const app = Fastify({ bodyLimit: 1 << 23 });
app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
app.post<{ Params: { id: string }; Querystring: { timestamp: string }; Body: Buffer }>(
  '/v3/streams/:id/frames',
  async (request) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { id } = request.params;
    if (waiting.length === 0) setImmediate(flush);
    waiting.push({
      stream: Number(id),
      timestamp: Number(request.query.timestamp),
      payload: request.body,
      resolve,
      reject,
    });
    await promise;
    return {};
  },
);
app.get<{ Params: { org: string; id: string } }>('/v3/orgs/:org/tasks/:id/status', async (request) => {
  const row = task.get(Number(request.params.id));
  return {
    creation_time: new Date(row?.created ?? 0).toISOString(),
    processed: row?.state === 'COMPLETED',
    report_available: false,
  };
});
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
