// What every command of the command line is made of: its options, its help, its arguments checked once.

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { IsolineError } from '../../../shared/errors.ts';
import type { PoolFile } from '../../clinic/ports.ts';

export interface Option {
  /** Name of the value in the help; absent for a switch. */
  readonly value?: string;
  readonly isRepeatable?: boolean;
  readonly meaning: string;
}

export interface Arguments {
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  required(name: string): string;
  list(name: string): readonly string[];
  isOn(name: string): boolean;
}

export interface Command {
  readonly name: string;
  /** What stands behind `isoline NAME`. */
  readonly usage: string;
  readonly options: Readonly<Record<string, Option>>;
  /** What stands below the options in the help. */
  readonly notes?: string;
  readonly positionals: readonly [minimum: number, maximum: number];
  /** What it does counts more than what it prints: it goes on where nobody reads that any more. */
  readonly outlivesItsReader?: boolean;
  run(args: Arguments): Promise<void>;
}

export const usageError = (message: string, command?: Command): IsolineError =>
  new IsolineError(
    'usage',
    `${message} See "isoline ${command === undefined ? '' : `${command.name} `}--help".`,
  );

/** @param summary what the command does, in one sentence */
export function helpOf(command: Command, summary: string): string {
  const rows = Object.entries({ ...command.options, help: { meaning: 'Show this help.' } as Option }).map(
    ([name, option]) =>
      [`  --${name}${option.value === undefined ? '' : ` ${option.value}`}`, option.meaning] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return [
    summary,
    '',
    `Usage: isoline ${command.name} ${command.usage}`.trimEnd(),
    '',
    ...rows.map(([left, meaning]) => left.padEnd(width) + meaning),
    ...(command.notes === undefined ? [] : ['', command.notes]),
  ].join('\n');
}

/**
 * `--seconds -5`: a number with a sign is the value of the option before it, whose own check then says what
 * it takes.
 */
function joinNegativeNumbers(argv: readonly string[]): string[] {
  const joined: string[] = [];
  for (const argument of argv) {
    const last = joined.at(-1);
    if (/^-\d/.test(argument) && last !== undefined && /^--[\w-]+$/.test(last))
      joined[joined.length - 1] = `${last}=${argument}`;
    else joined.push(argument);
  }
  return joined;
}

/** @throws IsolineError `usage` for anything that the command doesn't know. */
export function parseArguments(
  command: Command,
  argv: readonly string[],
): Arguments & { readonly wantsHelp: boolean } {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      {
        type: option.value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: option.isRepeatable ?? false,
      },
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({
      args: joinNegativeNumbers(argv),
      options: { ...options, help: { type: 'boolean' } },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    const sentence = error instanceof Error ? (error.message.split(/\. |\n/)[0] ?? '') : String(error);
    throw usageError(`${sentence.replace(/\.$/, '')}.`, command);
  }
  const { values, positionals } = parsed;
  const wantsHelp = values.help === true;
  const [minimum, maximum] = command.positionals;
  if (!wantsHelp && positionals.length < minimum)
    throw usageError(`Something is missing: isoline ${command.name} ${command.usage}.`, command);
  if (!wantsHelp && positionals.length > maximum)
    throw usageError(`"${positionals[maximum]}" is too much.`, command);
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    wantsHelp,
    positionals,
    text,
    required(name) {
      const value = text(name);
      if (value === undefined || value === '') throw usageError(`--${name} is missing.`, command);
      return value;
    },
    list(name) {
      const value = values[name];
      return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
    },
    isOn: (name) => values[name] === true,
  };
}

interface NumberLimits {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: boolean;
}

/**
 * The number that an option takes; undefined where it is not given. Signs and exponents are nothing that
 * people type.
 */
export function parseNumber(
  args: Arguments,
  name: string,
  { least, most, isWhole = false }: NumberLimits,
  command: Command,
): number | undefined {
  const text = args.text(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if ((isWhole ? /^\d+$/ : /^(\d+\.?\d*|\.\d+)$/).test(text) && number >= least && number <= most)
    return number;
  throw usageError(`--${name} takes a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`, command);
}

export function parsePort(text: string | undefined, command: Command): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw usageError('--port takes a number from 0 to 65535.', command);
  return Number(text);
}

/** `KEY=VALUE` pairs of `--set`. */
export function parseOverrides(
  pairs: readonly string[],
  command: Command,
): readonly (readonly [string, string])[] {
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 1) throw usageError(`--set takes KEY=VALUE, not "${pair}".`, command);
    return [pair.slice(0, equals), pair.slice(equals + 1)] as const;
  });
}

/** A result must never take the place of a recording, of the other result, or of anything that is no file. */
export function requireFreeOutputs(
  outputs: readonly string[],
  inputs: readonly PoolFile[],
  command: Command,
): void {
  const taken = inputs.map((file) => realpathSync(file.path));
  for (const output of outputs) {
    const known = statSync(output, { throwIfNoEntry: false });
    if (known !== undefined && !known.isFile())
      throw usageError(`"${output}" is not a file that can be written.`, command);
    const path = known === undefined ? resolve(output) : realpathSync(output);
    if (taken.includes(path))
      throw usageError(
        `"${output}" is a file of the recording, or named twice: choose another name.`,
        command,
      );
    taken.push(path);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Texts of files and devices must not steer a terminal (SEC32). */
const harmless = (text: string): string => text.replace(CONTROL, '\ufffd');

export const print = (text: string): void => void process.stdout.write(`${harmless(text)}\n`);

/** One line for people, beside the output. */
export const warn = (sentence: string): void =>
  void process.stderr.write(`isoline: ${harmless(sentence).replaceAll('\n', ' ')}\n`);
