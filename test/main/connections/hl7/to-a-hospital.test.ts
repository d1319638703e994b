// Orders and results of a hospital information system, with python3-hl7 as the peer: nothing is lost, nothing is there twice
// without being known as the same, and what is refused waits for a person.

import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredItem } from '../../../../main/store/outbox/outbox-item.ts';
import { freePort } from '../../../support/free-port.ts';
import {
  type Hl7Peer,
  hasHl7,
  sendByPython,
  startHl7Peer,
  untilListening,
} from '../../../support/hl7-peer.ts';
import { hospitalAt } from '../../../support/made-connections.ts';
import { untilItem } from '../../../support/outbox-items.ts';
import {
  eventually,
  FREE_OF_LIMITS,
  type RunningWorkstation,
  runWorkstation,
} from '../../../support/running-workstation.ts';
import { certificateOf } from '../../../support/seats.ts';
import { type TempFolder, tempFolder } from '../../../support/temp-folder.ts';
import { V3Client } from '../../../support/v3-client.ts';
import { smallEdf } from '../../../support/varied-edf.ts';

let folder: TempFolder;
let clinic: RunningWorkstation;
let hospital: Hl7Peer;
let client: V3Client;
let port: number;

const order = (
  number: string,
  { control = 'NW', id = `C${number}`, name = 'Müller^Zoë', kind = 'ORM^O01' } = {},
): string =>
  [
    `MSH|^~\\&|KIS|ST ANNA|ISOLINE|CLINIC|20261125083000||${kind}|${id}|P|2.5.1||||||UNICODE UTF-8`,
    `PID|1||00${number}^^^ST ANNA^MR~99^^^X^SS||${name}||19510314|F`,
    'PV1|1|I|CARD^12^1',
    `ORC|${control}|${number}|||||||20261125083000|||33^Arias^Marta`,
    `OBR|1|${number}||93000^ECG 12 leads^C4|||20261125093000||||||Chest pain \\T\\ dyspnoea|||33^Arias^Marta||ACC${number}|RP${number}`,
  ].join('\r');

const list = async () => (await clinic.bridge.call('order.list', {})).orders;

const untilState = (taskId: number, state: StoredItem['state']): Promise<StoredItem> =>
  untilItem(clinic.dataDir, taskId, state);

async function record(n: number): Promise<number> {
  const { json } = await client.createTask({
    upload_id: await client.upload(smallEdf(n)),
    auto_complete: true,
    patient_last_name: 'Hoff|mann',
    patient_first_name: 'Eva & Ada',
    patient_id: `48^${n}`,
    recording_start_time: '2026-11-21T09:30:00+01:00',
  });
  return (json.created_task_ids as number[])[0] as number;
}

describe.skipIf(!hasHl7)('a hospital that speaks HL7 (left out where python3-hl7 is missing)', () => {
  beforeEach(async () => {
    folder = await tempFolder();
    port = await freePort();
    hospital = await startHl7Peer(folder.path);
    clinic = await runWorkstation({ overrides: [...FREE_OF_LIMITS, ['hl7.port', String(port)]] });
    client = new V3Client(clinic.url, (await clinic.makeToken()).text);
    await untilListening(port);
  });
  afterEach(async () => {
    await clinic?.stop();
    await hospital?.[Symbol.asyncDispose]();
    await folder.remove();
  });

  const addHospital = async (takesUnread = true): Promise<number> => {
    const { connectionId } = await clinic.bridge.call('connection.add', {
      to: hospitalAt(hospital.port),
      label: 'Hospital',
      organization: 'clinic',
    });
    // What these record is approved by the rule that it came with.
    if (takesUnread) await clinic.bridge.call('connection.change', { connectionId, takesUnread });
    return connectionId;
  };

  describe('orders', () => {
    test('are answered when they are stored, and shown with all that they say', async () => {
      expect(await sendByPython(folder.path, port, [order('1001')])).toEqual([['AA', '']]);
      expect(await list()).toMatchObject([
        {
          state: 'new',
          facts: {
            format: 'hl7',
            patient: {
              id: '001001',
              lastName: 'Müller',
              firstName: 'Zoë',
              birthDate: '1951-03-14',
              gender: 'FEMALE',
            },
            orderNumber: '1001',
            examination: 'ECG 12 leads',
            time: '09:30',
            indications: ['Chest pain & dyspnoea'],
            asked: {
              accession: 'ACC1001',
              procedureId: 'RP1001',
              referrer: 'Arias^Marta',
              service: '93000^ECG 12 leads^C4',
            },
          },
        },
      ]);
    });

    test('come in encrypted where the clinic wants that, and then in no other way', async () => {
      await clinic.bridge.call('setting.change', { key: 'hl7.tls', text: 'true' });
      const certificate = await eventually(
        async () =>
          existsSync(join(clinic.dataDir, 'tls', 'certificate.pem')) ? certificateOf(clinic) : undefined,
        'the certificate',
      );
      await eventually(
        () =>
          sendByPython(folder.path, port, [order('1')], certificate).then(
            ([answer]) => (answer?.[0] === 'AA' ? true : undefined),
            () => undefined,
          ),
        'an answer',
      );
      expect((await list()).map(({ facts }) => facts.orderNumber)).toEqual(['1']);
      // Whoever connects and says nothing is let go, and takes no place away for good.
      const silent = connect(port, '127.0.0.1');
      const letGo = new Promise<void>((resolve) => silent.once('close', () => resolve()));
      silent.on('error', () => undefined);
      await new Promise((resolve) => silent.once('connect', resolve));
      await letGo;
      await expect(sendByPython(folder.path, port, [order('2')])).rejects.toThrow();
      // Without a certificate of use nothing is taken at all.
      const change = (key: 'service.tls' | 'hl7.tls', text: string) =>
        clinic.bridge.call('setting.change', { key, text });
      await change('service.tls', 'files');
      await eventually(
        async () =>
          (await clinic.bridge.call('order.list', {})).troubles.includes('hl7') ? true : undefined,
        'the trouble',
      );
      await expect(sendByPython(folder.path, port, [order('2')])).rejects.toThrow();
      await change('service.tls', 'self-signed');
      await change('hl7.tls', 'false');
      await eventually(
        () =>
          sendByPython(folder.path, port, [order('3')]).then(
            () => true as const,
            () => undefined,
          ),
        'an answer in the clear',
      );
      expect((await list()).map(({ facts }) => facts.orderNumber).toSorted()).toEqual(['1', '3']);
    });

    test('that come again, because an answer was lost, are there once; ended ones are gone; changed ones are in place', async () => {
      const sent = [
        order('1'),
        order('1'),
        order('1', { id: 'AGAIN' }),
        order('2', { kind: 'OMI^O23^OMI_O23' }),
        order('2', { control: 'CA', id: 'C2b' }),
        order('3'),
        order('3', { control: 'XO', id: 'C3b', name: 'Roe^Jane' }),
        // Cancelled, and wanted again after all.
        order('4'),
        order('4', { control: 'CA', id: 'C4b' }),
        order('4', { id: 'C4c' }),
      ];
      expect((await sendByPython(folder.path, port, sent)).map(([code]) => code)).toEqual(
        sent.map(() => 'AA'),
      );
      const shown = (await list()).map(({ facts }) => [facts.orderNumber, facts.patient.lastName]).toSorted();
      expect(shown).toEqual([
        ['1', 'Müller'],
        ['3', 'Roe'],
        ['4', 'Müller'],
      ]);
      const { entries } = await clinic.bridge.call('audit.list', { limit: 50 });
      expect(entries.filter(({ action }) => action === 'order.put_away')).toHaveLength(3);
    });

    test('that are faulty, or something else, are answered with a sentence; large ones are taken', async () => {
      const large = order('7').replace('Chest pain', `Chest pain ${'x'.repeat(1_000_000)}`);
      const answers = await sendByPython(folder.path, port, [
        order('5', { kind: 'ADT^A01' }),
        order('5').replace(/PID[^\r]*\r/, ''),
        order('5').replace(/ORC[^\r]*\r/, ''),
        order('5', { control: 'ZZ' }),
        large,
        order('6'),
      ]);
      expect(answers.map(([code]) => code)).toEqual(['AE', 'AE', 'AE', 'AE', 'AA', 'AA']);
      expect(answers[0]?.[1]).toMatch(/ADT\^A01|ADT\\S\\A01/);
      expect(answers[1]?.[1]).toMatch(/names no patient/);
      expect((await list()).map(({ facts }) => facts.orderNumber).toSorted()).toEqual(['6', '7']);
    });

    test('come in any pieces and several at once; who speaks something else is hung up on, and nobody else', async () => {
      const bytes = Buffer.concat(
        ['21', '22', '23'].map((n) =>
          Buffer.concat([Buffer.from([0x0b]), Buffer.from(order(n)), Buffer.from([0x1c, 0x0d])]),
        ),
      );
      const socket = connect(port, '127.0.0.1');
      let answers = '';
      socket.on('data', (data: Buffer) => {
        answers += data.toString();
      });
      for (let at = 0; at < bytes.length; at += 97) {
        socket.write(bytes.subarray(at, at + 97));
        if (at % 970 === 0) await wait(2);
      }
      await eventually(
        async () => (answers.split('MSA|AA').length === 4 ? true : undefined),
        'three answers',
      );
      socket.destroy();
      for (const text of ['GET / HTTP/1.1\r\n', '\x0bnonsense\x1c\r', `\x0b${'x'.repeat(5 << 20)}`]) {
        const other = connect(port, '127.0.0.1');
        other.on('error', () => undefined);
        other.resume();
        other.write(text);
        await new Promise<void>((resolve) => other.once('close', () => resolve()));
      }
      expect(await sendByPython(folder.path, port, [order('24')])).toEqual([['AA', '']]);
      expect((await list()).map(({ facts }) => facts.orderNumber).toSorted()).toEqual([
        '21',
        '22',
        '23',
        '24',
      ]);
    });
  });

  describe('results', () => {
    test('go with numbers, findings and the report, once, when they are approved', async () => {
      const connectionId = await addHospital();
      await hospital.plan('AE');
      expect(await clinic.bridge.call('connection.test', { connectionId })).toMatchObject({
        isReached: true,
      });
      const taskId = await record(1);
      await untilState(taskId, 'DONE');
      const taken = (await hospital.taken()).filter(({ type }) => type.startsWith('ORU'));
      expect(taken).toHaveLength(1);
      expect(taken[0]).toMatchObject({
        processing: 'P',
        // No physician has read it.
        status: 'P',
        patient: '48\\S\\1',
        name: 'Hoff\\F\\mann^Eva \\T\\ Ada',
      });
      const numbers = taken[0]?.obx.filter(([kind]) => kind === 'NM');
      expect(numbers).toContainEqual([
        'NM',
        expect.stringMatching(/^8867-4\^Heart rate\^LN\^147842/),
        expect.stringMatching(/^\d+$/),
        '/min^/min^UCUM',
      ]);
      expect(taken[0]?.obx).toContainEqual(['TX', '8601-7^EKG impression^LN', 'Not read by a physician', '']);
      expect(
        Buffer.from(taken[0]?.pdf ?? '', 'base64')
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
      expect((await clinic.bridge.call('sync.overview', {})).connections).toMatchObject([
        { kind: 'hl7', done: 1, waiting: 0 },
      ]);
    });

    test('that no physician has read stay here until the connection says otherwise', async () => {
      const connectionId = await addHospital(false);
      const taskId = await record(6);
      await untilState(taskId, 'HELD');
      expect((await hospital.taken()).filter(({ type }) => type.startsWith('ORU'))).toEqual([]);
      await clinic.bridge.call('connection.change', { connectionId, takesUnread: true });
      await untilState(taskId, 'DONE');
    });

    test('whose answer is lost, or is for something else, go again as the same message; refused for now, again later', async () => {
      await addHospital();
      await hospital.plan('lose wrong AR AA');
      await untilState(await record(2), 'DONE');
      const taken = await hospital.taken();
      expect(taken.map(({ word }) => word)).toEqual(['lose', 'wrong', 'AR', 'AA']);
      // By which the hospital knows that it is one.
      expect(new Set(taken.map(({ control }) => control)).size).toBe(1);
    });

    test('that are refused wait for a person, with what was said; others go on; sent again they go', async () => {
      const connectionId = await addHospital();
      await hospital.plan('AE');
      const taskId = await record(3);
      expect(await untilState(taskId, 'REFUSED')).toMatchObject({ message: 'Patient not known' });
      await untilState(await record(4), 'DONE');
      const { items } = await clinic.bridge.call('sync.items', { connectionId, list: 'decide', limit: 5 });
      await clinic.bridge.call('sync.answer', { itemId: items[0]?.itemId ?? 0, answer: 'again' });
      await untilState(taskId, 'DONE');
    });
  });
});
