// A release folder, served to this computer for the length of an update: what is given out, and what is not.

import { request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveReleaseFolder } from '../../../main/updates/release-folder.ts';
import { appImageName, makeRelease } from '../../support/made-release.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** With a path exactly as it is written, which `fetch` would put in order. */
function statusOf(origin: string, path: string, method = 'GET'): Promise<number | undefined> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) =>
    request({ hostname, port, path, method }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(),
  );
}

test('other programs find nothing, and what is not listed stays where it is', async () => {
  await using folder = await tempFolder();
  makeRelease(folder.path, { version: '9.1.0' });
  const name = appImageName('9.1.0');
  const files = [{ name, sizeBytes: 1, sha512: '' }];
  const notes = { en: '', es: '' };
  await using served = await serveReleaseFolder(folder.path, {
    version: '9.1.0',
    minimumVersion: '0.1.0',
    notes,
    files,
  });
  const secret = new URL(served.url).pathname;
  expect(await statusOf(served.url, `${secret}/${name}`)).toBe(200);
  expect(await statusOf(served.url, `${secret}/latest-linux.yml?noCache=1`)).toBe(200);
  for (const path of [
    '//',
    '/',
    `/${name}`,
    `/wrong/${name}`,
    secret,
    `${secret}/`,
    `${secret}/release.json`,
    `${secret}/../${secret.slice(1)}/${name}`,
    `${secret}/%2e%2e/etc/passwd`,
    `${secret}/${join('..', '..', 'etc', 'passwd')}`,
    `${secret}/${name}/`,
    `${secret}/latest.yml`,
  ])
    expect([path, await statusOf(served.url, path)]).toEqual([path, 404]);
  expect(await statusOf(served.url, `${secret}/${name}`, 'POST')).toBe(404);
});
