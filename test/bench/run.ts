// `npm run bench [name …]`: runs the named benches, or all of them.

import { benchAnalysis } from './analysis.ts';
import { printMachine } from './harness.ts';
import { benchReading } from './reading.ts';

const BENCHES: Readonly<Record<string, () => Promise<void>>> = {
  reading: benchReading,
  analysis: benchAnalysis,
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => BENCHES[name] === undefined);
if (unknown !== undefined) {
  process.stderr.write(`There is no bench "${unknown}"; there are: ${Object.keys(BENCHES).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  printMachine();
  for (const [name, bench] of Object.entries(BENCHES))
    if (wanted.length === 0 || wanted.includes(name)) await bench();
}
