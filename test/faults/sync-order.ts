// Whether anything is acknowledged before it is on the disk: the service runs under strace while clients
// stream and upload, and its trace is read. A kill proves nothing about this, because the system's memory
// outlives the process. Durability reference, 7.3.

import { spawnSync } from 'node:child_process';
import { cpSync, createReadStream, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { STANDARD_LEADS } from '../../shared/signal/lead.ts';
import { makeFrame } from '../support/make-frames.ts';
import { projectRoot } from '../support/test-data.ts';
import type { V3Client } from '../support/v3-client.ts';
import { makeToken, serveFolder } from './served-folder.ts';

export const straceMissing =
  process.platform !== 'linux'
    ? 'needs Linux'
    : spawnSync('strace', ['-V']).error === undefined
      ? undefined
      : 'needs strace';

const CALLS = 'read,readv,recvfrom,write,writev,sendto,sendmsg,pwrite64,pwritev,fsync,fdatasync';
const SHOWN_BYTES = '160';

export interface OrderFindings {
  readonly acknowledgements: number;
  /** Sent while what they acknowledge was written and not yet synced. */
  readonly tooEarly: number;
  readonly syncs: number;
}

/** What is known of a file while the trace is read. Places count the lines of the trace. */
interface FileOrder {
  lastWrite: number;
  /** The last write that a finished sync covers. */
  syncedTo: number;
}

interface Call {
  readonly name: string;
  /** What the descriptor stands for: a path, or a socket. */
  readonly target: string;
  readonly text: string;
  readonly startLine: number;
}

const LINE = /^(?:\[pid\s+)?(\d+)\]?\s+(.*)$/;
const CALL = /^(\w+)\(\d+<([^>]*(?:->[^>]*)?)>(.*)$/;
const REQUEST = /"POST \/v3\/(?:streams\/\d+\/frames|uploads\/([\w-]+)\/chunks)/;

/** A line of `isoline record --json -`, as a trace shows it. */
const SHOWN_FRAME = '{\\"taskId\\"';

/**
 * Reads a trace made with `-f -y`. Calls of other threads stand between the beginning of a call and its end.
 */
export async function judgeTrace(path: string): Promise<OrderFindings> {
  const files = new Map<string, FileOrder>();
  const orderOf = (file: string): FileOrder => {
    const known = files.get(file) ?? { lastWrite: -1, syncedTo: -1 };
    files.set(file, known);
    return known;
  };
  const unfinished = new Map<string, Call>();
  /** What each connection asked for last: the upload of a chunk, or '' for a frame. */
  const asked = new Map<string, string>();
  let [line, acknowledgements, tooEarly, syncs] = [0, 0, 0, 0];
  const isDirty = (suffix: string): boolean =>
    [...files].some(([file, { lastWrite, syncedTo }]) => file.endsWith(suffix) && lastWrite > syncedTo);

  const begin = ({ name, target, text, startLine }: Call): void => {
    const isSocket = /socket:|TCP/.test(target);
    if (/^writev?$/.test(name) && text.includes(SHOWN_FRAME)) {
      acknowledgements++;
      if (isDirty('isoline.sqlite-wal')) tooEarly++;
      return;
    }
    if (isSocket && text.includes('"HTTP/1.1 200') && asked.has(target)) {
      acknowledgements++;
      const upload = asked.get(target) as string;
      if (isDirty('isoline.sqlite-wal') || (upload !== '' && isDirty(`${upload}.part`))) tooEarly++;
      asked.delete(target);
    } else if (!isSocket && /^p?writev?(64)?$/.test(name)) orderOf(target).lastWrite = startLine;
  };
  const end = ({ name, target, text, startLine }: Call): void => {
    const request = /^(read|readv|recvfrom)$/.test(name) ? REQUEST.exec(text) : null;
    if (request !== null) asked.set(target, request[1] ?? '');
    if (name !== 'fsync' && name !== 'fdatasync') return;
    syncs++;
    const order = orderOf(target);
    // What was written after the sync began is not covered by it.
    if (order.lastWrite < startLine) order.syncedTo = order.lastWrite;
  };

  for await (const raw of createInterface({
    input: createReadStream(path),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line++;
    const [, thread = '', rest = ''] = LINE.exec(raw) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    if (resumed !== null) {
      const call = unfinished.get(thread);
      unfinished.delete(thread);
      if (call !== undefined) end({ ...call, text: call.text + (resumed[1] ?? '') });
      continue;
    }
    const [, name, target, text] = CALL.exec(rest) ?? [];
    if (name === undefined || target === undefined || text === undefined) continue;
    const call: Call = { name, target, text, startLine: line };
    begin(call);
    if (text.includes('<unfinished ...>')) unfinished.set(thread, call);
    else end(call);
  }
  return { acknowledgements, tooEarly, syncs };
}

/** A line of the program that must wait for the disk, and what stands in its place in a copy with a fault. */
interface Plant {
  readonly file: string;
  readonly lines: readonly (readonly [right: RegExp, wrong: string])[];
}

/** The store commits without waiting. */
export const LAZY_COMMITS: Plant = {
  file: 'main/store/database/database.ts',
  lines: [
    [/synchronous = FULL/, 'synchronous = NORMAL'],
    [/^ *assert\(db\.pragma\('synchronous'.*$/m, ''],
  ],
};

/** Chunks are acknowledged without their bytes being synced. */
export const LAZY_CHUNKS: Plant = {
  file: 'main/clinic/uploads/uploads.ts',
  lines: [[/await file\.sync\(\);/, '']],
};

/** A copy of the program with a fault that the test must find. */
export function plant({ file, lines }: Plant, folder: string): string {
  for (const room of ['main', 'shared', 'package.json'])
    cpSync(join(projectRoot, room), join(folder, room), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, file);
  let source = readFileSync(path, 'utf8');
  for (const [right, wrong] of lines) {
    if (!right.test(source)) throw new Error(`${file} has no line to plant the fault in`);
    source = source.replace(right, wrong);
  }
  writeFileSync(path, source);
  return folder;
}

async function stream(client: V3Client, frames: number): Promise<void> {
  const { json } = await client.createTask({});
  const [id] = json.created_task_ids as number[];
  const start = {
    task_id: id,
    processing_mode: 'PROCESS_ON_FINISH',
    frame_format: 'COMPRESSED_DELTA',
    sample_rate: 500,
    lead_codes: STANDARD_LEADS,
  };
  await client.post('/v3/streams/start', start);
  const frame = makeFrame({ samples: 50 });
  for (let n = 0; n < frames; n++) {
    const { status } = await client.request(
      'POST',
      `/v3/streams/${id}/frames?timestamp=${n * 100_000}`,
      frame,
    );
    if (status !== 200) throw new Error(`a frame was answered ${status}`);
  }
}

async function upload(client: V3Client, chunks: number): Promise<void> {
  const size = 4096;
  const bytes = Buffer.alloc(chunks * size, 'isoline');
  const { json } = await client.createUpload(bytes);
  // The last one is left out: completing moves the file.
  for (let n = 0; n < chunks - 1; n++) {
    const { status } = await client.chunk(
      json.upload_id as string,
      n * size,
      bytes.subarray(n * size, (n + 1) * size),
    );
    if (status !== 200) throw new Error(`a chunk was answered ${status}`);
  }
}

/** For `strace`, up to the program: what is looked at, and where the trace goes. */
export const straceOf = (trace: string): string[] => [
  'strace',
  '-f',
  '-y',
  '-s',
  SHOWN_BYTES,
  '-e',
  `trace=${CALLS}`,
  '-o',
  trace,
];

/**
 * Four streams and two uploads at once, traced. @param root the tree of the program, this one or one with a
 * planted fault.
 */
export async function traceOrder(
  folder: string,
  acknowledgements: number,
  root?: string,
): Promise<OrderFindings> {
  const dataDir = join(folder, 'data');
  const trace = join(folder, 'trace');
  mkdirSync(folder, { recursive: true });
  const token = makeToken(dataDir);
  const wrapper = straceOf(trace);
  {
    await using served = await serveFolder(dataDir, { wrapper, ...(root !== undefined && { root }) });
    const client = served.client(token);
    const share = Math.ceil(acknowledgements / 6);
    await Promise.all([
      ...Array.from({ length: 4 }, () => stream(client, share)),
      ...Array.from({ length: 2 }, () => upload(client, share + 1)),
    ]);
  }
  return judgeTrace(trace);
}
