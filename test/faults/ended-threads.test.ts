import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/test-data.ts';

test('a thread that is ended while it unpacks frames does not end the program', async () => {
  const child = spawn(process.execPath, [join(projectRoot, 'test/faults/end-unpacking-threads.ts')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [[code, signal], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect({ code, signal, errors }).toEqual({ code: 0, signal: null, errors: '' });
});
