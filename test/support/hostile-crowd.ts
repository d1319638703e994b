// A crowd at the ports of a workstation, as a process of its own: connections that say nothing, speak something else, shake
// hands by halves, or send a byte a second; whoever is hung up on comes again.
// `node hostile-crowd.ts CONNECTIONS PORT…`

import { spawn } from 'node:child_process';
import { connect } from 'node:net';

const ADDRESSES = 5;
const AGAIN_MS = 100;
const DRIP_MS = 1000;

/** The beginning of a ClientHello. */
const HALF_HANDSHAKE = Buffer.from('16030100f1010000ed0303', 'hex');

type Manner = (n: number) => { readonly says: Uint8Array; readonly drips: boolean };
const MANNERS: readonly Manner[] = [
  () => ({ says: new Uint8Array(), drips: false }),
  () => ({ says: HALF_HANDSHAKE, drips: false }),
  () => ({ says: Buffer.from('GET /v3/health HTTP/1.1\r\nX-A: '), drips: true }),
  (n) => ({ says: Buffer.from(`\u000bMSH|^~\\&|CROWD|${n}|`), drips: true }),
  (n) => ({ says: Buffer.alloc(2000, n), drips: false }),
];

function come(port: number, n: number): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (n % ADDRESSES)}` });
  const { says, drips } = (MANNERS[n % MANNERS.length] as Manner)(n);
  socket.on('connect', () => {
    if (says.length > 0) socket.write(says);
  });
  const drip = drips ? setInterval(() => socket.writable && socket.write('x'), DRIP_MS) : undefined;
  socket.on('data', () => undefined);
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(drip);
    setTimeout(() => come(port, n), AGAIN_MS);
  });
}

/** Comes to each of the ports with so many connections, until it is ended. */
export function sendCrowd(connections: number, ports: readonly number[]): Disposable {
  const child = spawn(process.execPath, [import.meta.filename, String(connections), ...ports.map(String)], {
    stdio: 'inherit',
  });
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

if (import.meta.main) {
  const [connections = 0, ...ports] = process.argv.slice(2).map(Number);
  for (const port of ports) for (let n = 0; n < connections; n++) come(port, n);
}
