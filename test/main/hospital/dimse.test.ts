// The messages of DICOM: bytes and back, what others send by mistake or on purpose, and a listener that ends in order.

import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { Door, HOSPITAL_BOUNDS } from '../../../main/door/door.ts';
import { commitmentRequest, readCommitment } from '../../../main/formats/dicom/commitment.ts';
import { ConnectionError, type Listener } from '../../../main/hospital/connection.ts';
import { Association, AssociationRefused } from '../../../main/hospital/dimse/association.ts';
import { decodeCommand, encodeCommand } from '../../../main/hospital/dimse/command-set.ts';
import { listen } from '../../../main/hospital/dimse/listener.ts';
import {
  type AssociateRequest,
  dataHead,
  encodePdu,
  PduError,
  PduReader,
} from '../../../main/hospital/dimse/pdu.ts';
import { COMMITMENT, echo, findInWorklist, SUCCESS } from '../../../main/hospital/dimse/requests.ts';
import { startArchiveDouble } from '../../doubles/archive.ts';
import { hasDcmtk } from '../../support/dicom-peers.ts';
import { freePort } from '../../support/free-port.ts';

const IMPLEMENTATION = { uid: '2.25.1', version: 'TEST' };
const REQUEST: AssociateRequest = {
  kind: 'request',
  calledTitle: 'ARCHIVE',
  callingTitle: 'ISOLINE',
  mostBytes: 16_384,
  roles: [{ abstractSyntax: COMMITMENT, isUser: false, isProvider: true }],
  contexts: [{ id: 1, abstractSyntax: '1.2.840.10008.1.1', transferSyntaxes: ['1.2.840.10008.1.2.1'] }],
};

let listener: Listener | undefined;
afterEach(async () => {
  await listener?.[Symbol.asyncDispose]();
  listener = undefined;
});
const start = async (): Promise<Listener> => {
  listener = await listen({
    port: 0,
    host: '127.0.0.1',
    door: new Door({ name: 'dicom', bounds: HOSPITAL_BOUNDS }),
    ownTitle: () => 'ISOLINE',
    onCommitment: async () => true,
  });
  return listener;
};
const peer = (port: number, title = 'ISOLINE') => ({ host: '127.0.0.1', port, title, ownTitle: 'OTHER' });

describe('a unit', () => {
  test('is read as it was written, in whatever pieces it comes', () => {
    const bytes = encodePdu(REQUEST, IMPLEMENTATION);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
        const reader = new PduReader();
        const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
        const read = places.flatMap((place, i) => [
          ...reader.read(bytes.subarray(place, places[i + 1] ?? place)),
        ]);
        expect(read).toEqual([REQUEST]);
      }),
    );
  });

  test('that is damaged is refused, and nothing else is thrown', () => {
    const bytes = encodePdu(REQUEST, IMPLEMENTATION);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (place, value) => {
        const damaged = Buffer.from(bytes);
        damaged[place] = value;
        try {
          [...new PduReader().read(damaged)];
        } catch (error) {
          expect(error).toBeInstanceOf(PduError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('of a length that nobody sends is refused before anything is kept of it', () => {
    expect(() => [...new PduReader().read(Buffer.from([4, 0, 0xff, 0xff, 0xff, 0xff]))]).toThrow(PduError);
    expect(() => [...new PduReader().read(Buffer.from('GET / HTTP/1.1\r\n'))]).toThrow(PduError);
  });
});

test('a command is read as it was written; what is cut off is refused', () => {
  const command = { field: 1, messageId: 7, affectedClass: '1.2.840.10008.1.1', priority: 0, datasetType: 0 };
  const bytes = encodeCommand(command);
  expect(decodeCommand(bytes)).toEqual(command);
  for (let length = 1; length < bytes.length; length++) {
    try {
      decodeCommand(bytes.subarray(0, length));
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
});

test('what an archive says that it keeps is read; anything else says nothing', () => {
  const objects = [{ classUid: '1.2', instanceUid: '1.2.3' }];
  const report = readCommitment(commitmentRequest('2.25.7', objects), false);
  expect(report).toEqual({ transactionUid: '2.25.7', kept: ['1.2.3'] });
  expect(readCommitment(Buffer.from('nonsense'), false)).toBeUndefined();
  expect(readCommitment(new Uint8Array(), true)).toBeUndefined();
});

describe('the listener', () => {
  test('answers who calls it by its name, and refuses everybody else', async () => {
    const { port } = await start();
    expect(await echo(peer(port))).toMatchObject({ status: 0 });
    await expect(echo(peer(port, 'WRONG'))).rejects.toMatchObject({ why: 'name' });
    await expect(Association.open(peer(port), ['1.2.840.10008.5.1.4.1.1.9.1.1'])).rejects.toBeInstanceOf(
      AssociationRefused,
    );
  });

  test('hangs up on who speaks something else, and goes on', async () => {
    const { port } = await start();
    const said = ['GET / HTTP/1.1\r\n\r\n', '\x04\0\xff\xff\xff\xff', 'x'.repeat(100_000)];
    for (const text of said) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(text);
      await new Promise<void>((resolve) => socket.once('close', () => resolve()));
    }
    expect(await echo(peer(port))).toMatchObject({ status: 0 });
  });

  test('takes no data before an association, and no more pieces of a message than anybody needs', async () => {
    const { port } = await start();
    const piece = Buffer.from('x');
    const data = Buffer.concat([
      dataHead({ contextId: 1, isCommand: true, isLast: false, bytes: piece }),
      piece,
    ]);
    const request = encodePdu({ ...REQUEST, calledTitle: 'ISOLINE' }, IMPLEMENTATION);
    for (const { first, pieces } of [
      { first: Buffer.alloc(0), pieces: 1 },
      // A thousand bytes, and a message may have many more.
      { first: request, pieces: 1000 },
    ]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      const isClosed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.write(first);
      if (first.length > 0) await new Promise((resolve) => socket.once('data', resolve));
      socket.resume();
      socket.write(Buffer.concat(Array.from({ length: pieces }, () => data)));
      // Long before an association ends on which nothing happens.
      const tooLate = new Promise((resolve) => setTimeout(resolve, 15_000, 'too late').unref());
      expect(await Promise.race([isClosed, tooLate])).toBeUndefined();
      socket.destroy();
    }
    expect(await echo(peer(port))).toMatchObject({ status: 0 });
  });

  test.skipIf(!hasDcmtk)('is there for echoscu (left out where dcmtk is missing)', async () => {
    const { port } = await start();
    const exit = (title: string): Promise<number | null> =>
      new Promise((resolve) => {
        spawn('echoscu', ['-aec', title, '127.0.0.1', String(port)], { stdio: 'ignore' }).once(
          'exit',
          resolve,
        );
      });
    expect(await exit('ISOLINE')).toBe(0);
    expect(await exit('WRONG')).not.toBe(0);
  });
});

describe('asking', () => {
  test('nobody, or somebody who says nothing, is told apart', async () => {
    const port = await freePort();
    await expect(echo(peer(port))).rejects.toMatchObject({ fault: 'offline' });
    const abort = new AbortController();
    const server = createServer((socket) => {
      socket.resume();
      setTimeout(() => abort.abort(), 50);
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    await expect(echo(peer(port), abort.signal)).rejects.toBeInstanceOf(ConnectionError);
    await new Promise((resolve) => server.close(resolve));
  });

  test('a worklist that answers for ever is given up behind what was wanted', async () => {
    await using worklist = await startArchiveDouble(false);
    const most = 50;
    const { said, entries } = await findInWorklist(peer(worklist.port), () => new Uint8Array(8), most);
    expect([said.status, entries.length]).toEqual([SUCCESS, most]);
    await expect.poll(() => worklist.found).toBeGreaterThan(most);
    const after = worklist.found;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(worklist.found - after).toBeLessThan(2);
  });
});
