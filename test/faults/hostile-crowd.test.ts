// A crowd of strangers at every port of the workstation while twelve leads are recorded: no sample is lost, and those who are
// known get in.

import { expect, test } from 'vitest';
import type { Desk } from '../../main/device/desk.ts';
import { Door, HOSPITAL_BOUNDS } from '../../main/door/door.ts';
import { listen } from '../../main/hospital/dimse/listener.ts';
import { echo, SUCCESS } from '../../main/hospital/dimse/requests.ts';
import { sendMllp } from '../../main/hospital/mllp/mllp.ts';
import { startBrowserHost } from '../../main/host/browser/browser.ts';
import { connectPage, openDesk } from '../../main/host/desk-host.ts';
import { loadRenderer } from '../../main/host/page/renderer-files.ts';
import { builtScreens } from '../support/built-screens-folder.ts';
import { launchChromium } from '../support/chromium.ts';
import { freePort } from '../support/free-port.ts';
import { sendCrowd } from '../support/hostile-crowd.ts';
import { NEW_THREAD, type RunningWorkstation, runWorkstation } from '../support/running-workstation.ts';
import { certificateOf, newSeat, openSeats, SEATS_ON, sitDown } from '../support/seats.ts';
import { V3Client } from '../support/v3-client.ts';

const CONNECTIONS = 150;
const isFull = process.env.ISOLINE_FAULTS_FULL === '1';
const SECONDS = isFull ? 60 : 5;
const PAUSE_MS = 200;

const order = (id: number): Buffer =>
  Buffer.from(
    [
      `MSH|^~\\&|KIS|ST ANNA|ISOLINE|CLINIC|20261125083000||ORM^O01|M${id}|P|2.5.1||||||UNICODE UTF-8`,
      `PID|1||${4000 + id}^^^KIS^MR||Hoffmann^Eva||19510304|F`,
      `ORC|NW|A${id}`,
      `OBR|1|A${id}||ECG^ECG`,
    ].join('\r'),
  );

/** A page in Chromium, and how long it takes from a click to what it shows. */
async function openClicks({ workstation }: RunningWorkstation, desk: Desk) {
  const browser = await launchChromium();
  const host = await startBrowserHost(() => connectPage(workstation, desk), loadRenderer(builtScreens));
  const page = await browser.newPage();
  await page.goto(host.newLink());
  await page.getByRole('link', { name: 'Worklist' }).first().waitFor();
  let n = 0;
  return {
    port: Number(new URL(host.url).port),
    click: () =>
      page.evaluate(
        (name) => {
          const link = [...document.querySelectorAll('a')].find(({ textContent }) =>
            textContent?.includes(name),
          );
          const startMs = performance.now();
          link?.click();
          return new Promise<number>((resolve) =>
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startMs))),
          );
        },
        n++ % 2 === 0 ? 'Worklist' : 'Live',
      ),
    async [Symbol.asyncDispose]() {
      await browser.close();
      await host.close();
    },
  };
}

test('150 strangers at each port: nothing recorded is lost, and known peers are served', async () => {
  const hl7Port = await freePort();
  await using running = await runWorkstation({
    ...NEW_THREAD,
    overrides: [...SEATS_ON, ['hl7.port', String(hl7Port)], ['service.rate.enabled', 'false']],
  });
  const desk = await openDesk(running.workstation, { isWatching: false });
  await using seatDoor = await openSeats(running, desk);
  const door = new Door({ name: 'dicom', bounds: HOSPITAL_BOUNDS });
  await using dicom = await listen({
    port: 0,
    host: '127.0.0.1',
    door,
    ownTitle: () => 'ISOLINE',
    onCommitment: async () => true,
  });
  const approach = { port: seatDoor.port as number, certificate: certificateOf(running) };
  const { secret, bridge: seated } = await newSeat(running, approach, 'Tablet');
  const client = new V3Client(running.url, (await running.makeToken()).text);
  const deviceId = await desk.connect('simulator:isoline-idp');
  const taskId = await desk.device(deviceId).record({});
  await using clicks = isFull ? await openClicks(running, desk) : undefined;

  const waits = new Map<string, number[]>();
  const timed = async (what: string, ask: () => Promise<unknown>): Promise<void> => {
    const startMs = performance.now();
    await ask();
    waits.set(what, [...(waits.get(what) ?? []), performance.now() - startMs]);
  };
  {
    const service = Number(new URL(running.url).port);
    using _crowd = sendCrowd(CONNECTIONS, [
      service,
      hl7Port,
      approach.port,
      dicom.port,
      ...(clicks === undefined ? [] : [clicks.port]),
    ]);
    // The crowd has come.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    let id = 0;
    for (const end = performance.now() + 1000 * SECONDS; performance.now() < end; ) {
      id++;
      await timed('service', async () => expect((await client.status(taskId)).status).toBe(200));
      await timed('hl7', async () =>
        expect((await sendMllp({ host: '127.0.0.1', port: hl7Port }, order(id))).toString()).toContain(
          'MSA|AA',
        ),
      );
      await timed('dicom', async () =>
        expect(
          await echo({ host: '127.0.0.1', port: dicom.port, title: 'ISOLINE', ownTitle: 'ARCHIVE' }),
        ).toMatchObject({ status: SUCCESS }),
      );
      await timed('seats', async () => {
        const { socket, bridge, closed } = await sitDown(approach, secret);
        await bridge.call('session.get', {});
        socket.close();
        await closed;
      });
      await timed('seated', () => seated.call('session.get', {}));
      if (clicks !== undefined) waits.set('click', [...(waits.get('click') ?? []), await clicks.click()]);
      await timed('page', () => running.bridge.call('task.list', { limit: 20 }));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
  const { doors } = await running.bridge.call('door.crowded', {});
  const { recordedMs, lostShare } = await desk.device(deviceId).stop();
  await desk.close();
  const quantile = (values: readonly number[], share: number): number =>
    Math.round([...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0);
  const said = [...waits].map(([what, ms]) => `${what} ${quantile(ms, 0.5)} / ${quantile(ms, 0.95)}`);
  console.info(`${SECONDS} s, median and 95 % in ms: ${said.join(', ')}`);
  expect(lostShare).toBe(0);
  expect(recordedMs).toBeGreaterThan(1000 * SECONDS);
  // The others have room for so many.
  expect(doors.map(({ name }) => name)).toContain('hl7');
});
