import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { unpackFile } from '../../../main/pool/unpack.ts';
import { commandLine } from '../../support/built-program.ts';
import { makeTar, makeZip } from '../../support/make-archives.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const content = Uint8Array.from({ length: 65_536 }, (_, i) => i * i);
const members = [{ name: 'a/b.dat', content }];
const archives: [string, Uint8Array][] = [
  ['zip', makeZip(members)],
  ['tar', makeTar(members)],
];

describe('unpacking into a folder', () => {
  test.each(archives)(
    'writes the members of a %s into numbered files, and tells their SHA-256',
    async (kind, bytes) => {
      await using folder = await tempFolder();
      const path = join(folder.path, `archive.${kind}`);
      writeFileSync(path, bytes);
      const into = join(folder.path, 'into');
      mkdirSync(into);
      const { files } = await unpackFile({ name: 'archive', path }, into, {
        reserveBytes: 0,
        isDurable: true,
      });
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(files).toEqual([{ name: 'a/b.dat', path: join(into, '0'), sizeBytes: content.length, sha256 }]);
      expect(readFileSync(join(into, '0')).equals(content)).toBe(true);
    },
  );

  test.each(archives)('leaves the room on the disk that must stay free (%s)', async (kind, bytes) => {
    await using folder = await tempFolder();
    const path = join(folder.path, `archive.${kind}`);
    writeFileSync(path, bytes);
    const unpacked = unpackFile({ name: 'archive', path }, folder.path, {
      reserveBytes: Number.MAX_SAFE_INTEGER,
      isDurable: true,
    });
    await expect(unpacked).rejects.toMatchObject({ reason: 'storage_full' });
  });

  // A limit on the size of a file stands for a disk that is full in the middle of one.
  test.each(archives)('calls a full disk by its name, not a damaged %s', async (kind, bytes) => {
    await using folder = await tempFolder();
    const path = join(folder.path, `archive.${kind}`);
    writeFileSync(path, bytes);
    const temporary = join(folder.path, 'tmp');
    mkdirSync(temporary);
    const limited = promisify(execFile)(
      'sh',
      ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, commandLine, 'info', path],
      {
        env: { ...process.env, TMPDIR: temporary },
      },
    );
    await expect(limited).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^isoline: .*disk is full.*Make room.*\n$/),
    });
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('names the folder for temporary files where it is of no use', async () => {
    await using folder = await tempFolder();
    const path = join(folder.path, 'archive.zip');
    writeFileSync(path, makeZip(members));
    const missing = join(folder.path, 'missing');
    const run = promisify(execFile)(process.execPath, [commandLine, 'info', path], {
      env: { ...process.env, TMPDIR: missing, TEMP: missing },
    });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(`"${missing}"`) });
  });
});
