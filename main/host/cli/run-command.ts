// What the command line does: finds the command, runs it, says what hindered it. Errors are one line on
// stderr; exit code 0 done, 1 failed, 2 called wrongly.

import { exitCodeOf, IsolineError } from '../../../shared/errors.ts';
import { PRODUCT_VERSION } from '../../product/product.ts';
import { type Command, helpOf, parseArguments, print, usageError, warn } from './command.ts';

/** Each is read when it is called: none waits for what only others need. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  analyse: async () => (await import('./analyse/analyse.ts')).analyseCommand,
  merge: async () => (await import('./merge.ts')).mergeCommand,
  info: async () => (await import('./info.ts')).infoCommand,
  import: async () => (await import('./import.ts')).importCommand,
  convert: async () => (await import('./convert.ts')).convertCommand,
  start: async () => (await import('./start.ts')).startCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  devices: async () => (await import('./devices.ts')).devicesCommand,
  record: async () => (await import('./record.ts')).recordCommand,
  simulate: async () => (await import('./simulate.ts')).simulateCommand,
  sync: async () => (await import('./sync.ts')).syncCommand,
  central: async () => (await import('./central.ts')).centralCommand,
  archive: async () => (await import('./archive.ts')).archiveCommand,
  fhir: async () => (await import('./fhir.ts')).fhirCommand,
  hospital: async () => (await import('./hospital.ts')).hospitalCommand,
  token: async () => (await import('./token.ts')).tokenCommand,
  settings: async () => (await import('./settings.ts')).settingsCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
};

async function overview(): Promise<string> {
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const width = Math.max(...commands.map((command) => command.name.length)) + 2;
  return [
    `Isoline ${PRODUCT_VERSION}: records, analyses, reports and syncs ECGs.`,
    '',
    'Usage: isoline COMMAND …',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}${command.summary}`),
    '',
    'isoline COMMAND --help shows the options.',
  ].join('\n');
}

async function find(name: string): Promise<Command> {
  if (!Object.hasOwn(COMMANDS, name)) throw usageError(`There is no command "${name}".`);
  return (COMMANDS[name] as () => Promise<Command>)();
}

let outlivesItsReader = false;

async function run(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  if (name === 'help' && rest[0] !== undefined) return print(helpOf(await find(rest[0])));
  if (name === undefined || name === '--help' || name === 'help') return print(await overview());
  if (name === '--version') return print(PRODUCT_VERSION);
  const command = await find(name);
  outlivesItsReader = command.outlivesItsReader === true;
  const args = parseArguments(command, rest);
  if (args.wantsHelp) return print(helpOf(command));
  await command.run(args);
}

// Recordings and results are of patients: what a command writes is its owner's alone (SEC62).
process.umask(0o077);

// A reader that closes early, such as `head`, is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && !outlivesItsReader) process.exit(0);
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  // The border of the command line: one sentence for people. A fault of our own keeps its stack behind a
  // switch.
  const isOurs = error instanceof IsolineError;
  const message = isOurs
    ? error.message
    : 'Something unexpected happened; nothing recorded is lost. Set ISOLINE_DEBUG=1 to see more.';
  warn(message);
  if (process.env.ISOLINE_DEBUG === '1')
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? '') : String(error)}\n${error instanceof Error && error.cause !== undefined ? String((error.cause as Error).stack ?? error.cause) : ''}\n`,
    );
  process.exitCode = isOurs ? exitCodeOf(error.reason) : 1;
}
