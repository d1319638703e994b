// What the command line does: finds the command, runs it, says what hindered it. Errors are one line on
// stderr; exit code 0 done, 1 failed, 2 called wrongly.

import { exitCodeOf, IsolineError } from '../../../shared/errors.ts';
import { PRODUCT_VERSION } from '../../product/product.ts';
import { type Command, helpOf, parseArguments, print, usageError, warn } from './command.ts';

interface Listed {
  readonly summary: string;
  load(): Promise<Command>;
}

/** Each is read when it is called: none waits for what only others need. */
const COMMANDS: Readonly<Record<string, Listed>> = {
  analyse: {
    summary: 'Analyse recordings: results as JSON, table or annotations, reports as PDF.',
    load: async () => (await import('./analyse/analyse.ts')).analyseCommand,
  },
  merge: {
    summary:
      'Join the tables of "isoline analyse --shard" runs to the one that a single run would have written.',
    load: async () => (await import('./merge.ts')).mergeCommand,
  },
  info: {
    summary: 'Describe a recording or an archive as JSON.',
    load: async () => (await import('./info.ts')).infoCommand,
  },
  import: {
    summary: 'Take recordings, archives and reports with recordings into a data folder.',
    load: async () => (await import('./import.ts')).importCommand,
  },
  convert: {
    summary: 'Convert a recording to another format.',
    load: async () => (await import('./convert.ts')).convertCommand,
  },
  start: {
    summary: 'Run the workstation.',
    load: async () => (await import('./start.ts')).startCommand,
  },
  serve: {
    summary: 'Run the /v3 service of a data folder without a window.',
    load: async () => (await import('./serve.ts')).serveCommand,
  },
  devices: {
    summary: 'List the ports of this computer and the drivers that match.',
    load: async () => (await import('./devices.ts')).devicesCommand,
  },
  record: {
    summary: 'Record a device into a data folder.',
    load: async () => (await import('./record.ts')).recordCommand,
  },
  simulate: {
    summary: 'Simulate a device on a serial port.',
    load: async () => (await import('./simulate.ts')).simulateCommand,
  },
  sync: {
    summary: 'Sync to the central services without a window.',
    load: async () => (await import('./sync.ts')).syncCommand,
  },
  connection: {
    summary:
      'Add, list, test or remove connections: central services, archives, hospital systems, FHIR servers, folders.',
    load: async () => (await import('./connection.ts')).connectionCommand,
  },
  central: {
    summary: 'The same for central services.',
    load: async () => (await import('./connection.ts')).centralCommand,
  },
  archive: {
    summary: 'The same for archives (PACS).',
    load: async () => (await import('./connection.ts')).archiveCommand,
  },
  fhir: {
    summary: 'The same for servers that take results as FHIR (R4).',
    load: async () => (await import('./connection.ts')).fhirCommand,
  },
  hospital: {
    summary: 'The same for hospital systems that take results (HL7).',
    load: async () => (await import('./connection.ts')).hospitalCommand,
  },
  token: {
    summary: 'Create, list or revoke tokens for the /v3 service.',
    load: async () => (await import('./token.ts')).tokenCommand,
  },
  settings: {
    summary: 'Show or change the settings of a data folder.',
    load: async () => (await import('./settings.ts')).settingsCommand,
  },
  verify: {
    summary: 'Check that a report is one that was approved here, unchanged, or that a backup is whole.',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  backup: {
    summary: 'Back up a data folder, also while the program is running.',
    load: async () => (await import('./backup.ts')).backupCommand,
  },
  restore: {
    summary: 'Restore a data folder from a backup into an empty folder.',
    load: async () => (await import('./restore.ts')).restoreCommand,
  },
  audit: {
    summary: 'Check the audit trail of a data folder.',
    load: async () => (await import('./audit.ts')).auditCommand,
  },
  demo: {
    summary: 'Demonstrate the whole path: a synthetic recording through /v3 to its report.',
    load: async () => (await import('./demo.ts')).demoCommand,
  },
};

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length)) + 2;
  return [
    `Isoline ${PRODUCT_VERSION}: records, analyses, reports and syncs ECGs.`,
    '',
    'Usage: isoline COMMAND …',
    '',
    ...Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`),
    '',
    'isoline COMMAND --help shows the options.',
  ].join('\n');
}

function find(name: string): Listed {
  if (!Object.hasOwn(COMMANDS, name)) throw usageError(`There is no command "${name}".`);
  return COMMANDS[name] as Listed;
}

let outlivesItsReader = false;

async function run(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  if (name === 'help' && rest[0] !== undefined) return run([rest[0], '--help']);
  if (name === undefined || name === '--help' || name === 'help') return print(overview());
  if (name === '--version') return print(PRODUCT_VERSION);
  const { summary, load } = find(name);
  const command = await load();
  outlivesItsReader = command.outlivesItsReader === true;
  const args = parseArguments(command, rest);
  if (args.wantsHelp) return print(helpOf(command, summary));
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
  const message = isOurs ? error.message : 'Something unexpected happened. Set ISOLINE_DEBUG=1 to see more.';
  warn(message);
  if (process.env.ISOLINE_DEBUG === '1')
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? '') : String(error)}\n${error instanceof Error && error.cause !== undefined ? String((error.cause as Error).stack ?? error.cause) : ''}\n`,
    );
  process.exitCode = isOurs ? exitCodeOf(error.reason) : 1;
}
