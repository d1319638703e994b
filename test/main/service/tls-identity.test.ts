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

test("a clinic's own certificate says by which names this computer is reached; others that are set are not shown", async () => {
  await using folder = await tempFolder();
  const own = { dataDir: folder.path, writeDurably };
  const theirs = resolveSettings(
    new Map([
      ['service.tls', 'self-signed'],
      ['service.hostNames', 'ecg.clinic.example'],
    ]),
  );
  const made = await tlsIdentity(own, '192.0.2.9', theirs);
  expect(made.certifiedNames).toEqual(made.names);
  const files = resolveSettings(
    new Map([
      ['service.tls', 'files'],
      ['service.tlsCertificate', join(folder.path, 'tls', 'certificate.pem')],
      ['service.tlsKey', join(folder.path, 'tls', 'key.pem')],
      ['service.hostNames', 'proxy.clinic.example'],
    ]),
  );
  const read = await tlsIdentity(own, '0.0.0.0', files);
  expect(read.fingerprint).toBe(made.fingerprint);
  expect(read.certifiedNames).toEqual(expect.arrayContaining(['ecg.clinic.example', '192.0.2.9']));
  expect(read.names).toContain('proxy.clinic.example');
  expect(read.certifiedNames).not.toContain('proxy.clinic.example');
});
