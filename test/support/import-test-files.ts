// Recordings from memory or from the test data, imported as a screen imports files, and analysed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bridge } from '../../shared/bridge/contract.ts';
import { importFiles } from '../../shared/bridge/import-files.ts';
import { whenAnalysed } from './running-workstation.ts';
import { dataFolder } from './test-data.ts';

interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const wfdbFiles = (...names: string[]): NamedBytes[] =>
  names.map((name) => ({ name, bytes: readFileSync(join(dataFolder, 'wfdb', name)) }));

/** @returns the task of the first recording */
export async function importTestFiles(bridge: Bridge, files: readonly NamedBytes[]): Promise<number> {
  const sources = files.map(({ name, bytes }) => ({
    name,
    sizeBytes: bytes.length,
    read: async (offset: number, length: number) => Uint8Array.from(bytes.subarray(offset, offset + length)),
  }));
  const { records } = await importFiles(bridge, sources, { autoComplete: false });
  return whenAnalysed(bridge, records[0]?.taskId as number);
}
