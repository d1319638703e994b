// `npm run test:fuzz:service [-- COUNT [SEED]]`: generated requests against the service (20,000).

import { fuzzService } from './fuzz-service.ts';

const [count = '20000', seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2);
console.log(`seed ${seed}`);
const found = await fuzzService(Number(count), Number(seed));
console.log(
  `${found.requests} requests, of them ${found.halves} cut in the middle; answers ${JSON.stringify(found.statuses)}; ${found.faults.length} faults`,
);
for (const fault of found.faults) console.log(`  ${fault}`);
process.exit(found.faults.length === 0 ? 0 : 1);
