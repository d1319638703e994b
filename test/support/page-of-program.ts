// A page of a program that runs in a process of its own, as a browser opens it by its link.

import { WebSocket } from 'ws';
import { overWebSocket } from '../../main/bridge/web-socket.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import { protocolsWith } from '../../shared/bridge/page.ts';

export async function openSocket(origin: string, secret: string): Promise<WebSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/bridge`, protocolsWith(secret), {
    headers: { Origin: origin },
  });
  socket.on('error', () => undefined);
  await new Promise<void>((done, fail) => {
    socket.once('open', () => done());
    socket.once('close', () => fail(new Error('refused')));
  });
  return socket;
}

export interface ProgramPage {
  readonly origin: string;
  readonly secret: string;
  readonly bridge: BridgeClient;
  close(): void;
}

/** @param link as the program prints it */
export async function openPage(link: string): Promise<ProgramPage> {
  const { origin, hash } = new URL(link);
  const answer = await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { Origin: origin },
    body: hash.replace('#key=', ''),
  });
  const secret = await answer.text();
  const port = overWebSocket(await openSocket(origin, secret));
  return { origin, secret, bridge: new BridgeClient(port), close: () => port.close() };
}
