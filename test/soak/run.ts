// `npm run soak -- --minutes N [--slow-sync] [--crash-every SECONDS]`

import { parseArgs } from 'node:util';
import { socatMissing } from '../support/pseudo-terminal.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    'slow-sync': { type: 'boolean', default: false },
    'crash-every': { type: 'string', default: '0' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);

if (socatMissing !== undefined) {
  say(`Left out: ${socatMissing} (package socat).`);
} else {
  const found = await soak({
    minutes: Number(values.minutes),
    hasSlowSync: values['slow-sync'],
    crashEverySeconds: Number(values['crash-every']),
    say,
  });
  const { rssMb, ...rest } = found;
  say(
    JSON.stringify(
      { ...rest, rssMb: [rssMb[0], rssMb.at(Math.floor(rssMb.length / 2)), rssMb.at(-1)] },
      undefined,
      2,
    ),
  );
  const isRight = found.lostShare === 0 && found.isSignalRight && found.p99Ms < 15 && found.maxMs < 100;
  say(
    isRight
      ? 'No sample lost, main thread free.'
      : 'NOT as it must be: no sample lost, p99 below 15 ms, longest below 100 ms.',
  );
  process.exitCode = isRight ? 0 : 1;
}
