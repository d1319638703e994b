// The resumable uploads that others use: @tus/server with its file store. `node test/bench/bare-tus.ts
// FOLDER` prints its address.

import { createServer } from 'node:http';
import { FileStore } from '@tus/file-store';
import { Server } from '@tus/server';

const tus = new Server({
  path: '/files',
  datastore: new FileStore({ directory: process.argv[2] as string }),
});
const server = createServer((request, response) => void tus.handle(request, response));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
