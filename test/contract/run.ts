// `npm run test:contract -- --url U --token T [--org O]`: the contract suite against a /v3 service. Without
// arguments against a workstation of its own, with its extensions off (D113).

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runWorkstation } from '../support/running-workstation.ts';
import { projectRoot } from '../support/test-data.ts';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

function runSuite(
  service: { readonly url: string; readonly token: string; readonly org: string },
  more: readonly string[],
): Promise<number> {
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'contract', ...more], {
    cwd: projectRoot,
    stdio: 'inherit',
    env: {
      ...process.env,
      ISOLINE_CONTRACT_URL: service.url,
      ISOLINE_CONTRACT_TOKEN: service.token,
      ISOLINE_CONTRACT_ORG: service.org,
    },
  });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

const { values, positionals } = parseArgs({
  options: { url: { type: 'string' }, token: { type: 'string' }, org: { type: 'string', default: 'clinic' } },
  allowPositionals: true,
});
const { url, token, org } = values;
if ((url === undefined) !== (token === undefined)) {
  process.stderr.write(
    'Usage: npm run test:contract -- --url http://127.0.0.1:8137 --token isl_… [--org clinic]\n',
  );
  process.exitCode = 2;
} else if (url !== undefined && token !== undefined)
  process.exitCode = await runSuite({ url, token, org }, positionals);
else {
  const off = ['service.rate.enabled', 'service.extensions'].map((key) => [key, 'false'] as const);
  await using own = await runWorkstation({ overrides: [['storage.reserve', '0'], ...off] });
  process.exitCode = await runSuite({ url: own.url, token: (await own.makeToken()).text, org }, positionals);
}
