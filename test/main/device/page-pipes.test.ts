// Devices that pages bring: each pipe belongs to one page, and only it hears what goes to its device.

import { expect, test } from 'vitest';
import { PagePipes } from '../../../main/device/transports/page-pipes.ts';

const PATH = 'bluetooth:polar-h10:Polar H10 A';

function pipesWithTold() {
  const told: string[] = [];
  const pipes = new PagePipes((session, path, bytes) => told.push(`${session} ${path} ${bytes.length}`));
  const events = { onBytes: () => told.push('bytes'), onGone: () => told.push('gone') };
  return { pipes, told, events };
}

test('a device that is paired at another page comes from there, and the page before lets go of it', async () => {
  const { pipes, told, events } = pipesWithTold();
  pipes.begin(PATH, 'page a', 1);
  const transport = await pipes.open(PATH, { baud: 9600, dtr: false, rts: false }, events);
  await transport.write(Uint8Array.of(1, 2));
  pipes.begin(PATH, 'page b', 2);
  expect(told).toEqual([`page a ${PATH} 2`, 'gone', `page a ${PATH} 0`]);
  expect(() => pipes.receive(PATH, 'page a', new Uint8Array(3))).toThrow(/is not connected by Bluetooth/);
});

test('a device that is out of reach is let go of, too', async () => {
  const { pipes, told, events } = pipesWithTold();
  pipes.begin(PATH, 'page a', undefined);
  await pipes.open(PATH, { baud: 9600, dtr: false, rts: false }, events);
  pipes.end(PATH, 'page a');
  pipes.letGo(PATH);
  expect(told).toEqual(['gone', `page a ${PATH} 0`]);
});

test('whoever had it is known again, at the same seat also behind a new page', () => {
  const { pipes } = pipesWithTold();
  pipes.begin(PATH, 'page a', 1);
  pipes.end(PATH, 'page a');
  expect(pipes.isOwner(PATH, 'page a', 1)).toBe(true);
  expect(pipes.isOwner(PATH, 'page c', 1)).toBe(true);
  expect(pipes.isOwner(PATH, 'page b', 7)).toBe(false);
  pipes.letGo(PATH);
  expect(pipes.isOwner(PATH, 'page a', 1)).toBe(false);
});
