#!/usr/bin/env node
// The command line `isoline`. Errors are one line on stderr; exit code 0 done, 1 failed, 2 called wrongly.

import { exitCodeOf, IsolineError } from '../../../shared/errors.ts';
import { PRODUCT_VERSION } from '../product.ts';
import { analyseCommand } from './analyse.ts';
import { auditCommand } from './audit.ts';
import { type Command, helpOf, parseArguments, print, usageError } from './command.ts';
import { convertCommand } from './convert.ts';
import { demoCommand } from './demo.ts';
import { devicesCommand } from './devices.ts';
import { infoCommand } from './info.ts';
import { recordCommand } from './record.ts';
import { serveCommand } from './serve.ts';
import { settingsCommand } from './settings.ts';
import { simulateCommand } from './simulate.ts';
import { startCommand } from './start.ts';
import { tokenCommand } from './token.ts';

const COMMANDS: readonly Command[] = [
  analyseCommand,
  infoCommand,
  convertCommand,
  startCommand,
  serveCommand,
  devicesCommand,
  recordCommand,
  simulateCommand,
  tokenCommand,
  settingsCommand,
  auditCommand,
  demoCommand,
];

function overview(): string {
  const width = Math.max(...COMMANDS.map((command) => command.name.length)) + 2;
  return [
    `Isoline ${PRODUCT_VERSION}: records, analyses, reports and syncs ECGs.`,
    '',
    'Usage: isoline COMMAND …',
    '',
    ...COMMANDS.map((command) => `  ${command.name.padEnd(width)}${command.summary}`),
    '',
    'isoline COMMAND --help tells more.',
  ].join('\n');
}

function find(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) throw usageError(`There is no command "${name}".`);
  return command;
}

let outlivesItsReader = false;

async function run(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  if (name === 'help' && rest[0] !== undefined) return print(helpOf(find(rest[0])));
  if (name === undefined || name === '--help' || name === 'help') return print(overview());
  if (name === '--version') return print(PRODUCT_VERSION);
  const command = find(name);
  outlivesItsReader = command.outlivesItsReader === true;
  const args = parseArguments(command, rest);
  if (args.wantsHelp) return print(helpOf(command));
  await command.run(args);
}

// A reader that closes early, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && !outlivesItsReader) process.exit(0);
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  // The border of the command line: one sentence for people. A fault of our own keeps its stack behind a switch.
  const isOurs = error instanceof IsolineError;
  const message = isOurs ? error.message : 'Something unexpected happened; nothing recorded is lost. Set ISOLINE_DEBUG=1 to see more.';
  process.stderr.write(`isoline: ${message.replaceAll('\n', ' ')}\n`);
  if (process.env.ISOLINE_DEBUG === '1')
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? '') : String(error)}\n${error instanceof Error && error.cause !== undefined ? String((error.cause as Error).stack ?? error.cause) : ''}\n`,
    );
  process.exitCode = isOurs ? exitCodeOf(error.reason) : 1;
}
