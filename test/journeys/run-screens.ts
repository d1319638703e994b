// `npm run test:journeys:screens -- [--days 20] [--seed N]`: random days in real Chromium, each rule that does not hold with the
// first day that found it. A day goes on to its first fault, and later days go on regardless.

import { parseArgs } from 'node:util';
import { launchChromium } from '../support/chromium.ts';
import { runScreenDays } from './screen-journeys.ts';

const { values } = parseArgs({
  options: { days: { type: 'string', default: '20' }, seed: { type: 'string' } },
});
const days = Number(values.days);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const browser = await launchChromium();
const found = new Set<string>();
const taken = await runScreenDays(browser, {
  days,
  seed,
  onFault({ day, sentence, steps }) {
    if (!found.has(sentence)) process.stdout.write(`day ${day}: ${sentence}\n  ${steps.join(', ')}\n`);
    found.add(sentence);
  },
});
await browser.close();
const counts = [...taken].map(([step, count]) => `${step} ${count}`).join(', ');
process.stdout.write(`${days} days (seed ${seed}): ${found.size} rules broken; steps taken: ${counts}\n`);
process.exitCode = found.size === 0 ? 0 : 1;
