// A hospital information system of another make: python3-hl7 of Debian, as the one who takes results and the one who sends orders.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { eventually } from './running-workstation.ts';

const PYTHON = '/usr/bin/python3';
export const hasHl7 = spawnSync(PYTHON, ['-c', 'import hl7.mllp']).status === 0;

/** Takes messages; what it does with each is the next word of a file: AA, AE, AR, lose, wrong. Each is a line of another file. */
const SERVER = `
import asyncio, json, sys
import hl7
from hl7.mllp import start_hl7_server

port, script, log = int(sys.argv[1]), sys.argv[2], sys.argv[3]

def plan():
    with open(script) as f: words = f.read().split()
    word = words[0] if words else 'AA'
    with open(script, 'w') as f: f.write(' '.join(words[1:]))
    return word

async def serve(reader, writer):
    try:
        while True:
            message = await reader.readmessage()
            word = plan()
            def text(segment, field, component=0):
                try: return str(message.segment(segment)(field)(1)(component) if component else message.segment(segment)(field))
                except Exception: return ''
            kept = {
                'word': word,
                'control': str(message.segment('MSH')(10)), 'type': str(message.segment('MSH')(9)),
                'processing': str(message.segment('MSH')(11)),
                'placer': text('OBR', 2), 'status': text('OBR', 25), 'patient': text('PID', 3), 'name': text('PID', 5),
                'obx': [[str(o(2)), str(o(3)), str(o(5))[:60] if str(o(2)) == 'ED' else str(o(5)), str(o(6))] for o in message.segments('OBX')] if 'ORU' in str(message.segment('MSH')(9)) else [],
                'pdf': next((str(o(5)).split('^')[-1] for o in message.segments('OBX') if str(o(2)) == 'ED'), '') if 'ORU' in str(message.segment('MSH')(9)) else '',
            }
            with open(log, 'a') as f: f.write(json.dumps(kept) + '\\n')
            if word == 'lose':
                writer.close()
                return
            if word == 'wrong':
                ack = message.create_ack('AA')
                ack.segment('MSA')[2] = ['SOMETHING-ELSE']
            else:
                ack = message.create_ack(word)
                if word == 'AE': ack.segment('MSA').append('Patient not known')
            writer.writemessage(ack)
            await writer.drain()
    except asyncio.IncompleteReadError:
        writer.close()

async def main():
    async with await start_hl7_server(serve, host='127.0.0.1', port=port, encoding='utf-8', limit=64 << 20) as server:
        await server.serve_forever()

asyncio.run(main())
`;

export interface TakenMessage {
  readonly word: string;
  readonly control: string;
  readonly type: string;
  readonly processing: string;
  readonly placer: string;
  readonly status: string;
  readonly patient: string;
  readonly name: string;
  readonly obx: readonly (readonly string[])[];
  readonly pdf: string;
}

export interface Hl7Peer extends AsyncDisposable {
  readonly port: number;
  /** What it does with the next messages; then it takes them. */
  plan(words: string): Promise<void>;
  taken(): Promise<TakenMessage[]>;
}

/** Somebody takes connections there. */
export const untilListening = (port: number): Promise<true> =>
  eventually(
    () =>
      new Promise<true | undefined>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(undefined));
      }),
    `somebody listens at ${port}`,
    20_000,
  );

export async function startHl7Peer(folder: string): Promise<Hl7Peer> {
  const port = await freePort();
  const [script, log, program] = ['plan', 'log', 'server.py'].map((name) => join(folder, `hl7-${name}`)) as [
    string,
    string,
    string,
  ];
  await writeFile(script, '');
  await writeFile(log, '');
  await writeFile(program, SERVER);
  const child: ChildProcess = spawn(PYTHON, [program, String(port), script, log], { stdio: 'ignore' });
  await untilListening(port);
  return {
    port,
    plan: (words) => writeFile(script, words),
    taken: async () =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as TakenMessage),
    async [Symbol.asyncDispose]() {
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await exit;
    },
  };
}

/** Sends messages as that system does. @returns the code of each answer, and its text */
export async function sendByPython(
  folder: string,
  port: number,
  messages: readonly string[],
  /** PEM, of whom it trusts; without it nothing is encrypted. */
  certificate?: string,
): Promise<readonly (readonly [code: string, text: string])[]> {
  const program = join(folder, 'hl7-send.py');
  await writeFile(
    program,
    `
import asyncio, json, ssl, sys, hl7
from hl7.mllp import open_hl7_connection
async def main():
    out = []
    tls = {'ssl': ssl.create_default_context(cadata=sys.argv[2])} if len(sys.argv) > 2 else {}
    reader, writer = await open_hl7_connection('127.0.0.1', int(sys.argv[1]), encoding='utf-8', limit=64 << 20, **tls)
    for text in json.load(sys.stdin):
        writer.writemessage(hl7.parse(text))
        await writer.drain()
        ack = await asyncio.wait_for(reader.readmessage(), 20)
        msa = ack.segment('MSA')
        out.append([str(msa(1)), str(msa(3)) if len(msa) > 3 else ''])
    writer.close()
    print(json.dumps(out))
asyncio.run(main())
`,
  );
  const child = spawn(PYTHON, [program, String(port), ...(certificate === undefined ? [] : [certificate])]);
  const parts: Buffer[] = [];
  const errors: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => parts.push(bytes));
  child.stderr.on('data', (bytes: Buffer) => errors.push(bytes));
  child.stdin.end(JSON.stringify(messages));
  await new Promise((resolve) => child.once('exit', resolve));
  if (parts.length === 0) throw new Error(Buffer.concat(errors).toString());
  return JSON.parse(Buffer.concat(parts).toString()) as [string, string][];
}
