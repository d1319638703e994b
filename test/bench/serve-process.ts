// Servers as processes of their own, as they run in a clinic: ours in a new data folder, or any script that prints its address.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/test-data.ts';

const ISOLINE = 'main/host/cli/isoline.ts';
const RATES_OFF = ['--set', 'service.rate.enabled=false', '--set', 'storage.reserve=0'];

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  readonly folder: string;
}

/** A server in a folder of its own, which vanishes with it. */
export async function startServer(
  script: string,
  argsOf: (folder: string) => readonly string[],
): Promise<RunningServer> {
  const folder = mkdtempSync(join(process.env.BENCH_FOLDER ?? tmpdir(), 'isoline-bench-'));
  const child = spawn(process.execPath, [join(projectRoot, script), ...argsOf(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (data: string) => {
    text += data;
    if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
  });
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  void closed.then(() => reject(new Error(`${script} ended before it was ready`)));
  const line = await promise;
  const url = line.startsWith('{') ? (JSON.parse(line) as { listening: string }).listening : line;
  return {
    url,
    child,
    folder,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const startIsoline = (): Promise<RunningServer> =>
  startServer(ISOLINE, (folder) => ['serve', '--data-dir', folder, '--port', '0', ...RATES_OFF]);

/** Adds a token to an organization that is there. */
export function addToken(folder: string, organization: string): string {
  const program = join(projectRoot, ISOLINE);
  const args = ['token', 'create', '--data-dir', folder, '--label', 'bench', '--org', organization];
  const made = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  return made.stdout.trim();
}
