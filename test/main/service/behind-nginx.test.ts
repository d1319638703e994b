// Two services behind a real proxy (nginx), set up as `deploy/` shows: chosen by name, with TLS, and each for its own clinic.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { hasProgram } from '../../support/independent.ts';
import { eventually, type RunningWorkstation, runWorkstation } from '../../support/running-workstation.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { projectRoot } from '../../support/test-data.ts';

const NAMES = ['anna.example.org', 'bonn.example.org'] as const;
type Name = (typeof NAMES)[number];
const deployed = (name: string): string => readFileSync(join(projectRoot, 'deploy', name), 'utf8');

const cleanup = new AsyncDisposableStack();
afterEach(() => cleanup.disposeAsync());

interface Proxied {
  readonly certificate: string;
  readonly port: number;
}

/** The blocks of `deploy/nginx.conf`, with our ports, and a certificate of this test. */
async function startNginx(folder: string, ports: readonly number[]): Promise<Proxied> {
  const port = await freePort();
  const { cert, private: key } = await generate([{ name: 'commonName', value: NAMES[0] }], {
    extensions: [{ name: 'subjectAltName', altNames: NAMES.map((value) => ({ type: 2, value })) }],
  });
  await writeFile(join(folder, 'a.crt'), cert);
  await writeFile(join(folder, 'a.key'), key);
  await writeFile(join(folder, 'isoline-proxy.conf'), deployed('isoline-proxy.conf'));
  const servers = deployed('nginx.conf')
    .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll(/\/etc\/isoline\/\w+\.(crt|key)/g, join(folder, 'a.$1'))
    .replace('127.0.0.1:8137', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:8138', `127.0.0.1:${ports[1]}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  );
  const whole = `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'log')};
events {}
http { access_log off; ${temporary.join(' ')}
${servers}
}`;
  await writeFile(join(folder, 'whole.conf'), whole);
  const nginx = spawn('nginx', ['-p', folder, '-e', join(folder, 'log'), '-c', join(folder, 'whole.conf')], {
    stdio: 'ignore',
  });
  cleanup.defer(async () => {
    nginx.kill('SIGQUIT');
    if (nginx.exitCode === null) await once(nginx, 'exit');
  });
  return { certificate: cert, port };
}

describe.skipIf(!hasProgram('nginx'))('behind nginx (left out where it is missing)', () => {
  test('each name leads to its own service, with uploads in pieces; another name and the documents lead nowhere', async () => {
    const services = new Map<Name, RunningWorkstation>();
    for (const name of NAMES) {
      const running = await runWorkstation({
        overrides: [
          ['storage.reserve', '0'],
          ['service.hostNames', name],
        ],
      });
      cleanup.use(running);
      services.set(name, running);
    }
    const folder = await tempFolder();
    cleanup.defer(() => folder.remove());
    const { certificate, port } = await startNginx(
      folder.path,
      [...services.values()].map(({ url }) => Number(new URL(url).port)),
    );
    // Names are looked up by nobody: both are this computer.
    const agent = new Agent({
      connect: {
        ca: certificate,
        lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      },
    });
    cleanup.defer(() => agent.destroy());
    const ask = async (name: string, path: string, token: string, body?: Uint8Array | string) => {
      const { statusCode, body: said } = await request(`https://${name}:${port}${path}`, {
        dispatcher: agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'X-Api-Token': token,
          ...(body !== undefined && {
            'Content-Type': typeof body === 'string' ? 'application/json' : 'application/octet-stream',
          }),
        },
        ...(body !== undefined && { body }),
      });
      return { status: statusCode, text: await said.text() };
    };
    const tokens = new Map<Name, string>();
    for (const [name, running] of services) tokens.set(name, (await running.makeToken()).text);
    const [anna = '', bonn = ''] = NAMES.map((name) => tokens.get(name));
    await eventually(
      async () =>
        (await ask(NAMES[0], '/v3/orgs/clinic/tasks/1/status', anna).catch(() => undefined)) && true,
      'nginx answers',
    );
    const bytes = Buffer.alloc(3 << 20, 7);
    // Each knows its own tokens alone.
    const hash = createHash('sha256').update(bytes).digest('base64');
    const wanted = JSON.stringify({ total_size: bytes.length, hash_sum: hash });
    expect((await ask(NAMES[1], '/v3/uploads', anna, wanted)).status).toBe(401);
    const made = await ask(NAMES[1], '/v3/uploads', bonn, wanted);
    const { upload_id: uploadId } = JSON.parse(made.text) as { upload_id: string };
    for (let offset = 0; offset < bytes.length; offset += 1 << 20) {
      const path = `/v3/uploads/${uploadId}/chunks?offset=${offset}`;
      expect(
        (await ask(NAMES[1], path, bonn, bytes.subarray(offset, offset + (1 << 20)))).status,
      ).toBeLessThan(300);
    }
    expect((await ask(NAMES[0], '/docs', anna)).status).toBe(404);
    const direct = services.get(NAMES[0])?.url ?? '';
    const foreign = await request(`${direct}/v3/orgs/clinic/tasks/1/status`, {
      headers: { Host: 'evil.example.org', 'X-Api-Token': anna },
    });
    expect(foreign.statusCode).toBe(400);
    await foreign.body.dump();
  });
});
