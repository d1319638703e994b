// Measures a piece of work and the plain work beside it in one run, and prints one JSON line each: medians,
// 95th percentiles and the ratio. Ratios hold on any machine; absolute figures count only on a quiet one.

import { availableParallelism, cpus, loadavg } from 'node:os';

const WARM_UPS = 3;
const ROUNDS = 15;

/** What is measured; it returns its result, so that a wrong one can't be fast. */
export type Work<T> = () => T | Promise<T>;

export interface Measurement {
  readonly name: string;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly rounds: number;
}

export interface Comparison<T> {
  readonly name: string;
  readonly work: Work<T>;
  /** The same work in its plainest form. */
  readonly baseline: Work<unknown>;
  /** Throws where the result is wrong. */
  check(result: T): void;
  readonly rounds?: number;
}

const percentile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] as number;
const round = (value: number): number => Math.round(value * 1000) / 1000;
const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

async function timed(work: Work<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function summarise(name: string, times: readonly number[]): Measurement {
  const sorted = [...times].sort((a, b) => a - b);
  return {
    name,
    p50Ms: round(percentile(sorted, 0.5)),
    p95Ms: round(percentile(sorted, 0.95)),
    rounds: sorted.length,
  };
}

/** The first line of every bench: what it ran on. */
export function printMachine(): void {
  print({
    machine: cpus()[0]?.model ?? 'unknown',
    processors: availableParallelism(),
    node: process.version,
    load: loadavg().map(round),
  });
}

/** Runs work and baseline in turn, so that a machine that slows down slows both. */
export async function compare<T>({
  name,
  work,
  baseline,
  check,
  rounds = ROUNDS,
}: Comparison<T>): Promise<{ ratio: number; work: Measurement; baseline: Measurement }> {
  for (let i = 0; i < WARM_UPS; i++) {
    check(await work());
    await baseline();
  }
  const own: number[] = [];
  const plain: number[] = [];
  for (let i = 0; i < rounds; i++) {
    own.push(await timed(work));
    plain.push(await timed(baseline));
  }
  const result = { work: summarise(name, own), baseline: summarise(`${name} (baseline)`, plain) };
  const ratio = round(result.work.p50Ms / result.baseline.p50Ms);
  print({ ...result.work, ratio });
  print(result.baseline);
  return { ...result, ratio };
}
