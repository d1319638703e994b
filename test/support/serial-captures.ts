// The raw captures of devices with their expected results, and which driver and variant reads each.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from './test-data.ts';

export interface Expected {
  readonly driver: string;
  readonly packetBytes?: number;
  readonly samplesPerChannel: number;
  readonly firstRows: readonly (readonly number[] | number)[];
  readonly lastRow: readonly number[] | number;
  readonly columnSums?: readonly number[];
  readonly channels?: readonly {
    readonly name: string;
    readonly lsbMicrovolt: number;
    readonly zero: number;
  }[];
  readonly counter?: object | null;
  readonly damaged?: {
    readonly samplesPerChannel: number;
    readonly gaps: readonly (readonly [number, number])[];
    readonly rejectedBytes: number;
    readonly columnSums: readonly number[];
  };
}

/** File → driver and variant. */
export const CAPTURES: Readonly<Record<string, readonly [driver: string, variant: string]>> = {
  cyton: ['openbci-cyton', 'cyton'],
  'cyton-daisy': ['openbci-cyton', 'daisy'],
  healthypi4: ['protocentral', 'healthypi4'],
  healthypi5: ['protocentral', 'healthypi5'],
  'healthypi5-batch': ['protocentral', 'healthypi5-batch'],
  ads1292r: ['protocentral', 'ads1292r'],
  ads1293: ['protocentral', 'ads1293'],
  max30003: ['protocentral', 'max30003-17'],
  'olimex-p2': ['olimex-p2', 'olimex'],
  'openeeg-p3': ['openeeg-p3', 'p3-6'],
  'bitalino-6ch': ['bitalino', '6ch'],
  'bitalino-1ch': ['bitalino', '1ch'],
  'ads1x9x-fe': ['ti-ads1x9x', 'stream'],
  mobilecg: ['mobilecg', 'mobilecg'],
  'chords-uno-r3': ['chords', 'uno-r3'],
  'chords-uno-r4': ['chords', 'uno-r4'],
  'byb-heart': ['byb-spikerbox', '1ch'],
  'isoline-idp': ['isoline-idp', 'idp'],
  'text-ad8232': ['text', 'text'],
  'text-csv-header': ['text', 'text'],
};

export function readCapture(name: string): {
  bytes: Uint8Array;
  damaged: Uint8Array | undefined;
  expected: Expected;
} {
  const folder = join(dataFolder, 'serial');
  const expected = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Expected;
  const ending = name.startsWith('text') ? 'txt' : 'bin';
  const damaged =
    expected.damaged === undefined ? undefined : readFileSync(join(folder, `${name}-damaged.${ending}`));
  return { bytes: readFileSync(join(folder, `${name}.${ending}`)), damaged, expected };
}
