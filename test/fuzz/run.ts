// `npm run test:fuzz [-- COUNT [READER…]]`: every reader against COUNT mutated files (50,000), two readers at
// a time. A crash, more than a second beyond the file before mutation, more than 512 MB, or no progress for
// half a minute is a failure.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../support/test-data.ts';
import type { FuzzFindings } from './fuzz-reader.ts';
import { SEEDS } from './seeds.ts';

const SILENCE_MS = 30_000;
const EXTRA_MS = 1000;
const PEAK_BYTES = 512 * 2 ** 20;

function fuzzReader(reader: string, count: number): Promise<FuzzFindings | string> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [join(projectRoot, 'test/fuzz/fuzz-reader.ts'), reader, String(count)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let output = '';
    const lastLine = (): string => output.trimEnd().split('\n').at(-1) ?? '';
    let watch = setTimeout(() => undefined, 0);
    const expectProgress = (): void => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        child.kill('SIGKILL');
        resolve(`no progress behind file ${lastLine()}`);
      }, SILENCE_MS);
    };
    expectProgress();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      expectProgress();
      output = (output + text).slice(-100_000);
    });
    child.on('close', (code) => {
      clearTimeout(watch);
      resolve(
        code === 0
          ? (JSON.parse(lastLine()) as FuzzFindings)
          : `ended with ${code} behind file ${lastLine()}`,
      );
    });
  });
}

function judge(reader: string, found: FuzzFindings | string): boolean {
  if (typeof found === 'string') {
    console.log(`${reader.padEnd(18)}FAILED: ${found}`);
    return false;
  }
  const { files, read, crashes, slowestExtraMs, slowest, peakBytes } = found;
  const isFine = crashes.length === 0 && slowestExtraMs <= EXTRA_MS && peakBytes <= PEAK_BYTES;
  console.log(
    `${reader.padEnd(18)}${files} files, ${read} read, ${files - read} refused, ${crashes.length} crashes, slowest +${slowestExtraMs.toFixed(0)} ms (file ${slowest}), peak ${(peakBytes / 2 ** 20).toFixed(0)} MB${isFine ? '' : '  FAILED'}`,
  );
  for (const crash of crashes) console.log(`  ${crash}`);
  return isFine;
}

async function main(): Promise<void> {
  const [count = '50000', ...readers] = process.argv.slice(2);
  const waiting = readers.length > 0 ? [...readers] : Object.keys(SEEDS);
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let reader = waiting.shift(); reader !== undefined; reader = waiting.shift())
      if (!judge(reader, await fuzzReader(reader, Number(count)))) failed++;
  };
  await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, work));
  console.log(failed === 0 ? 'All readers passed.' : `${failed} readers failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await main();
