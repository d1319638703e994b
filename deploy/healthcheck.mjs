// Whether the service in this container answers: any answer but a fault of its own will do, also that a token is missing.

import { get } from 'node:https';

const port = Number(process.argv[2] ?? 8420);
// Its certificate is its own, and this connection does not leave the container.
const request = get(
  { host: '127.0.0.1', port, path: '/ext/v1/about', rejectUnauthorized: false },
  (response) => {
    process.exitCode = (response.statusCode ?? 500) < 500 ? 0 : 1;
    response.resume();
  },
);
request.setTimeout(4000, () => request.destroy(new Error('no answer')));
request.on('error', () => {
  process.exitCode = 1;
});
