// What somebody who helps has to know of this computer: the system and the last lines of the log.

import { readdir, readFile } from 'node:fs/promises';
import { arch, cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { SupportFacts } from '../clinic/ports.ts';

const GB = 1e9;

function systemLine(): string {
  const { electron, node } = process.versions;
  const host = electron === undefined ? `Node ${node}` : `Electron ${electron}, Node ${node}`;
  return `${process.platform} ${release()} ${arch()}, ${host}, ${cpus().length} processors, ${(totalmem() / GB).toFixed(0)} GB`;
}

/** The last lines of the log's two newest days. */
async function lastLog(dataDir: string, lines: number): Promise<readonly string[]> {
  const folder = join(dataDir, 'logs');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log')).sort();
  const texts = await Promise.all(names.slice(-2).map((name) => readFile(join(folder, name), 'utf8')));
  return texts.join('').trimEnd().split('\n').slice(-lines);
}

export const supportFacts = (dataDir: string): SupportFacts => ({
  system: systemLine(),
  lastLog: (lines) => lastLog(dataDir, lines),
});
