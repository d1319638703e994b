// `npm run release:keys` prints a new pair of keys; `npm run release:sign -- FOLDER --key FILE` signs the installers of a
// folder. docs/releasing.md says when.

import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { billOfMaterials } from './shipped-parts.ts';
import { makeReleaseKeys, signRelease } from './sign-release.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    key: { type: 'string' },
    'minimum-version': { type: 'string', default: '0.1.0' },
    'notes-en': { type: 'string', default: '' },
    'notes-es': { type: 'string', default: '' },
    days: { type: 'string', default: '30' },
  },
});
const [job, folder] = positionals;

if (job === 'keys') {
  const { publicKey, privateKey } = makeReleaseKeys();
  process.stdout.write(`${publicKey}\n${privateKey}`);
} else if (job === 'sign' && folder !== undefined && values.key !== undefined) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const names = signRelease(
    folder,
    {
      version,
      minimumVersion: values['minimum-version'],
      notes: { en: values['notes-en'], es: values['notes-es'] },
      nowMs: Date.now(),
      lifeDays: Number(values.days),
    },
    createPrivateKey(readFileSync(values.key)),
  );
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(root));
  process.stdout.write(`Signed version ${version}: ${names.join(', ')}\n`);
} else {
  process.stderr.write(
    'Usage: run.ts keys | run.ts sign FOLDER --key FILE [--notes-en TEXT] [--notes-es TEXT]\n',
  );
  process.exitCode = 2;
}
