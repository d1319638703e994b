import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tlsIdentity } from '../../../main/service/tls-identity.ts';
import { resolveSettings } from '../../../shared/settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const settings = resolveSettings(new Map([['service.tls', 'self-signed']]));
const writeDurably = async (path: string, text: string): Promise<void> => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

test('a certificate is kept while it names this computer, and renewed with the same key when it does not', async () => {
  await using folder = await tempFolder();
  const own = { dataDir: folder.path, writeDurably };
  const first = await tlsIdentity(own, '127.0.0.1', settings);
  const key = readFileSync(join(folder.path, 'tls', 'key.pem'), 'utf8');
  expect((await tlsIdentity(own, '127.0.0.1', settings)).fingerprint).toBe(first.fingerprint);
  const other = await tlsIdentity(own, '192.0.2.7', settings);
  expect(other.fingerprint).not.toBe(first.fingerprint);
  expect(other.names).toContain('192.0.2.7');
  expect(readFileSync(join(folder.path, 'tls', 'key.pem'), 'utf8')).toBe(key);
});

test('a damaged certificate is replaced', async () => {
  await using folder = await tempFolder();
  const own = { dataDir: folder.path, writeDurably };
  const first = await tlsIdentity(own, '127.0.0.1', settings);
  writeFileSync(join(folder.path, 'tls', 'certificate.pem'), 'nothing');
  const next = await tlsIdentity(own, '127.0.0.1', settings);
  expect(next.fingerprint).not.toBe(first.fingerprint);
});
