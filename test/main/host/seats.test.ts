// Seats over the network: who gets in, what they may, and what everybody else gets.

import { type AddressInfo, connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { generate } from 'selfsigned';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Desk } from '../../../main/device/desk.ts';
import { attachDesk, connectPage, openDesk } from '../../../main/host/desk-host.ts';
import { keepSeatDoor, type SeatDoor } from '../../../main/host/seats/seat-door.ts';
import { BridgeClient } from '../../../shared/bridge/client.ts';
import { isReason } from '../../../shared/errors.ts';
import { eventually, type RunningWorkstation, runWorkstation } from '../../support/running-workstation.ts';
import {
  type Approach,
  addPeople,
  certificateOf,
  newSeat,
  openSeats,
  PASSWORD,
  PIN,
  pair,
  SEATS_ON,
  signIn,
  sitDown,
} from '../../support/seats.ts';

let running: RunningWorkstation;
let desk: Desk;
let door: SeatDoor;
let approach: Approach;

beforeEach(async () => {
  running = await runWorkstation({ overrides: SEATS_ON });
  desk = await openDesk(running.workstation, { isWatching: false });
  door = await openSeats(running, desk);
  approach = { port: door.port ?? 0, certificate: certificateOf(running) };
});
afterEach(async () => {
  await door[Symbol.asyncDispose]();
  await desk.close();
  await running.stop();
});

const reasonOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'done',
    (error: { reason?: string }) => (isReason(error.reason ?? '') ? String(error.reason) : 'fault'),
  );

describe('a seat', () => {
  test('is added once by its code, named, shown, renamed and removed; all of it is in the audit trail', async () => {
    const { bridge } = running;
    const { code } = await bridge.call('seat.invite', { name: 'Reading room' });
    const secret = await pair(approach, code);
    expect(secret).toMatch(/^[\w-]{40,}$/);
    // Twice it is nobody's.
    expect(await pair(approach, code)).toBe(403);
    const seat = await sitDown(approach, String(secret));
    expect(await seat.bridge.call('workstation.about', {})).toMatchObject({ seat: 'Reading room' });
    await signIn(seat, 'Dr. Lind');
    const { seats, urls, fingerprint } = await bridge.call('seat.list', {});
    expect(seats).toMatchObject([{ name: 'Reading room', isOpen: true, person: { name: 'Dr. Lind' } }]);
    expect(urls.every((url) => url.startsWith('https://') && url.endsWith(`:${door.port}`))).toBe(true);
    expect(fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    const seatId = seats[0]?.seatId ?? 0;
    await bridge.call('seat.rename', { seatId, name: 'Ward 3' });
    expect(await seat.bridge.call('workstation.about', {})).toMatchObject({ seat: 'Ward 3' });
    await bridge.call('seat.remove', { seatId });
    await seat.closed;
    await expect(sitDown(approach, String(secret))).rejects.toThrow('403');
    expect((await bridge.call('seat.list', {})).seats).toEqual([]);
    const { entries } = await bridge.call('audit.list', { limit: 50 });
    const told = entries.filter(({ subject }) => subject === `seat:${seatId}`).map(({ action }) => action);
    expect(told.toReversed()).toEqual(['seat.added', 'seat.renamed', 'seat.removed']);
    expect(
      entries.find(({ action, detail }) => action === 'user.signed_in' && 'seat' in detail),
    ).toBeDefined();
  });

  test('gets nothing before somebody signs in, and then what that one may; the computer itself stays at the desk', async () => {
    const seat = await newSeat(running, approach, 'Tablet');
    const heard: string[] = [];
    for (const event of ['desk.samples', 'desk.changed', 'task.changed', 'order.changed'] as const)
      seat.bridge.on(event, () => heard.push(event));
    const id = await desk.connect('simulator:isoline-idp?rhythm=sinus');
    const taskId = await desk.device(id).record({});
    await new Promise((resolve) => setTimeout(resolve, 1500));
    // At the desk an emergency needs no PIN; a tablet lies about.
    const asked: readonly (() => Promise<unknown>)[] = [
      () => seat.bridge.call('order.list', {}),
      () => seat.bridge.call('task.get', { taskId }),
      () => seat.bridge.call('desk.list', {}),
      () => seat.bridge.call('desk.record', { id }),
      () => seat.bridge.call('desk.stop', { id }),
      () => seat.bridge.call('setting.list', {}),
    ];
    for (const ask of asked) expect(await reasonOf(ask())).toBe('sign_in_needed');
    expect(heard).toEqual([]);
    await signIn(seat, 'Tom');
    await eventually(async () => (heard.includes('desk.samples') ? true : undefined), 'the leads');
    expect((await seat.bridge.call('desk.list', {})).devices).toHaveLength(1);
    const deskOnly: readonly (() => Promise<unknown>)[] = [
      () => seat.bridge.call('desk.connect', { port: 'simulator:isoline-idp' }),
      () => seat.bridge.call('desk.disconnect', { id }),
      () => seat.bridge.call('opened.list', {}),
      () => seat.bridge.call('update.install', {}),
      () => seat.bridge.call('backup.stop', {}),
    ];
    for (const ask of deskOnly) expect(await reasonOf(ask())).toBe('desk_only');
    expect(await reasonOf(seat.bridge.call('seat.list', {}))).toBe('not_allowed');
    // Started at the desk, stopped at the tablet.
    expect(await seat.bridge.call('desk.stop', { id })).toEqual({ taskId });
    const { entries } = await running.bridge.call('audit.list', { limit: 50 });
    const tom = (await running.bridge.call('session.get', {})).users.find(({ name }) => name === 'Tom');
    expect(entries.find(({ action }) => action === 'stream.finished')).toMatchObject({
      actor: `user:${tom?.userId}`,
      subject: `task:${taskId}`,
    });
    await seat.bridge.call('session.signOut', {});
    await new Promise((resolve) => setTimeout(resolve, 1500));
    heard.length = 0;
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(heard).toEqual([]);
  });

  test('goes on when the computer of the workstation is locked', async () => {
    const seat = await newSeat(running, approach, 'Tablet');
    await signIn(seat, 'Tom');
    await desk.lockPages();
    expect((await running.bridge.call('session.get', {})).person).toBeUndefined();
    expect((await seat.bridge.call('session.get', {})).person).toMatchObject({ name: 'Tom' });
  });
});

describe('everybody else', () => {
  test('gets nothing: no secret, a foreign page, a foreign name, a foreign certificate, no TLS', async () => {
    const { secret } = await newSeat(running, approach, 'Tablet');
    await expect(sitDown(approach, '')).rejects.toThrow('403');
    await expect(sitDown(approach, `${secret}x`)).rejects.toThrow('403');
    const foreign = { ...approach, origin: 'https://elsewhere.example' };
    await expect(sitDown(foreign, secret)).rejects.toThrow('403');
    const { code } = await running.bridge.call('seat.invite', { name: 'Other' });
    expect(await pair(foreign, code)).toBe(403);
    const renamed = { ...approach, host: 'rebound.example', origin: 'https://rebound.example' };
    expect(await pair(renamed, code)).toBe(403);
    const { cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }]);
    await expect(pair({ ...approach, certificate: cert }, code)).rejects.toMatchObject({
      code: expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY/),
    });
    const plain = connect(approach.port, '127.0.0.1');
    plain.on('error', () => undefined);
    plain.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${approach.port}\r\n\r\n`);
    plain.resume();
    await new Promise<void>((resolve) => plain.once('close', () => resolve()));
    // The code is still good for whoever it is for.
    expect(await pair(approach, code)).toMatch(/^[\w-]+$/);
  });

  test('finds no door where nobody has an account', async () => {
    await using other = await runWorkstation({ overrides: SEATS_ON });
    const otherDesk = await openDesk(other.workstation, { isWatching: false });
    await using closed = keepSeatDoor(other.workstation, attachDesk(otherDesk), new Map());
    expect(await other.bridge.call('seat.list', {})).toMatchObject({
      isOn: true,
      trouble: 'accounts',
      urls: [],
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(closed.port).toBeUndefined();
    // The first account opens it.
    await addPeople(other.bridge);
    await eventually(async () => closed.port, 'the door');
    await otherDesk.close();
  });
});

test('a clinic thread that dies takes the pages with it, and seats come back to the same', async () => {
  const seat = await newSeat(running, approach, 'Tablet');
  await running.workstation.crash();
  await seat.closed;
  const again = await eventually(
    () => sitDown({ ...approach, port: door.port ?? 0 }, seat.secret).catch(() => undefined),
    'the seat',
  );
  expect(await again.bridge.call('workstation.about', {})).toMatchObject({ seat: 'Tablet' });
});

test('an administrator sets at a seat what is no folder, port or program of the computer', async () => {
  const seat = await newSeat(running, approach, 'Tablet');
  await signIn(seat, 'Ada');
  const change = (key: string, text: string) => reasonOf(seat.bridge.call('setting.change', { key, text }));
  expect(await change('report.paper', 'Letter')).toBe('done');
  for (const [key, text] of [
    ['backup.folder', ''],
    ['orders.folder', '/etc'],
    ['service.host', '0.0.0.0'],
    ['seats.on', 'false'],
  ] as const)
    expect(await change(key, text)).toBe('desk_only');
});

test('a port that another program has is said once, and taken when it is free', async () => {
  const { bridge } = running;
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as AddressInfo;
  let news = 0;
  bridge.on('seat.changed', () => news++);
  await using other = await runWorkstation({
    overrides: [...SEATS_ON.filter(([key]) => key !== 'seats.port'), ['seats.port', String(port)]],
  });
  await addPeople(other.bridge);
  other.bridge.on('seat.changed', () => news++);
  await using late = keepSeatDoor(other.workstation, attachDesk(desk), new Map());
  await eventually(
    async () => ((await other.bridge.call('seat.list', {})).trouble === 'port' ? true : undefined),
    'the trouble',
  );
  news = 0;
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(news).toBe(0);
  await new Promise((resolve) => taken.close(resolve));
  await eventually(async () => (late.port === port ? true : undefined), 'the door');
  expect((await other.bridge.call('seat.list', {})).trouble).toBeUndefined();
});

test('who is refused and does not hang up keeps nobody from closing the door', async () => {
  const socket = connectTls({
    host: '127.0.0.1',
    port: approach.port,
    ca: approach.certificate,
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // It reads nothing, and so never learns that it was refused.
  socket.pause();
  socket.write(
    `GET /bridge HTTP/1.1\r\nHost: 127.0.0.1:${approach.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  await door[Symbol.asyncDispose]();
  socket.destroy();
  await closed;
});

test('after the clinic thread was started again another seat can be added', async () => {
  await running.workstation.crash();
  const bridge = new BridgeClient(
    await eventually(async () => {
      const port = running.workstation.connect();
      const client = new BridgeClient(port);
      return (await client.call('session.get', {}).catch(() => undefined)) && port;
    }, 'the clinic'),
  );
  const { users } = await bridge.call('session.get', {});
  const userId = users.find(({ name }) => name === 'Ada')?.userId ?? 0;
  await bridge.call('session.signIn', { userId, secret: PASSWORD });
  const { urls } = await eventually(async () => {
    const list = await bridge.call('seat.list', {});
    return list.urls.length > 0 ? list : undefined;
  }, 'the address');
  expect(urls[0]).toBe(`https://127.0.0.1:${door.port}`);
});

test('one couch: a name is recorded at the place where a patient was confirmed last, an emergency everywhere', async () => {
  const seat = await newSeat(running, approach, 'Tablet');
  await signIn(seat, 'Tom');
  const here = new BridgeClient(connectPage(running.workstation, desk));
  const { users } = await here.call('session.get', {});
  const userId = users.find(({ name }) => name === 'Tom')?.userId ?? 0;
  await here.call('session.signIn', { userId, secret: PIN });
  const id = await desk.connect('simulator:isoline-idp?rhythm=sinus');
  const entryOf = (name: string) => ({
    fields: { patient_last_name: name, patient_id: name },
    identity: { name: 'said', birth: 'said' } as const,
  });
  const record = (bridge: BridgeClient, name?: string) =>
    reasonOf(bridge.call('desk.record', { id, ...(name !== undefined && { entry: entryOf(name) }) }));
  await here.call('desk.forgetPast', {});
  await seat.bridge.call('desk.forgetPast', {});
  expect(await record(here, 'A')).toBe('patient_confirmed_elsewhere');
  expect(await reasonOf(here.call('desk.saveLast', { id, entry: entryOf('A') }))).toBe(
    'patient_confirmed_elsewhere',
  );
  expect(await record(here)).toBe('done');
  await here.call('desk.stop', { id });
  await eventually(async () => (desk.device(id).isRecording ? undefined : true), 'the end of the recording');
  await here.call('desk.forgetPast', {});
  expect(await record(seat.bridge, 'B')).toBe('patient_confirmed_elsewhere');
  expect(await record(here, 'A')).toBe('done');
  await here.call('desk.stop', { id });
});
