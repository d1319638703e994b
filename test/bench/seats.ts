// `npm run bench:seats`: a workstation that records twelve leads at 1000 Hz while twenty seats watch the leads and click. Whether a
// sample is lost, and how long a click takes at a seat, beside the same clicks with nobody else there. The seats are a process of
// their own, on the same computer.
//
//   --seats 20    --minutes 10

import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { openDataStore } from '../../main/host/data-folder.ts';
import { attachDesk, openDesk } from '../../main/host/desk-host.ts';
import { keepSeatDoor } from '../../main/host/seats/seat-door.ts';
import { startWorkstation } from '../../main/host/workstation.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import { fillWorklist } from '../support/fill-worklist.ts';
import { openTerminals, PluggedDevice, socatMissing } from '../support/pseudo-terminal.ts';
import { eventually, type RunningWorkstation, whenAnalysed } from '../support/running-workstation.ts';
import { addPeople, certificateOf, pair, SEATS_ON } from '../support/seats.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { printMachine } from './harness.ts';
import type { SeatLoad, SeatsResult } from './seats-load.ts';

const { values: options } = parseArgs({
  options: { seats: { type: 'string', default: '20' }, minutes: { type: 'string', default: '10' } },
});
const SEATS = Number(options.seats);
const SECONDS = 60 * Number(options.minutes);
const ALONE_S = 20;
const TASKS = 10_000;
const RECORDED_BEFORE_MS = 12_000;

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function clickAt(load: SeatLoad): Promise<SeatsResult> {
  const child = fork(new URL('./seats-load.ts', import.meta.url));
  const { promise, resolve, reject } = Promise.withResolvers<SeatsResult>();
  child.once('message', (message) => resolve(message as SeatsResult));
  child.once('exit', (code) => reject(new Error(`the seats ended with ${code}`)));
  child.send(load);
  const result = await promise;
  child.disconnect();
  return result;
}

async function main(): Promise<void> {
  if (socatMissing !== undefined) return print({ leftOut: `seats, for which ${socatMissing}` });
  printMachine();
  await using folder = await tempFolder();
  await using terminals = await openTerminals(folder.path);
  const device = new PluggedDevice('isoline-idp');
  await device.plugInto(terminals.device);
  await using workstation = await startWorkstation({
    dataDir: folder.path,
    port: 0,
    overrides: SEATS_ON,
  });
  using store = openDataStore(folder.path, 'command');
  const bridge = new BridgeClient(workstation.connect());
  const running = { workstation, bridge, dataDir: folder.path } as RunningWorkstation;
  await addPeople(bridge);
  fillWorklist(store, 1, TASKS, Date.now() - 60_000);
  const desk = await openDesk(workstation, { isWatching: false });
  const id = await desk.connect(terminals.host);
  const taskId = await desk.device(id).record({ durationMs: RECORDED_BEFORE_MS });
  await whenAnalysed(bridge, taskId);
  await using door = keepSeatDoor(workstation, attachDesk(desk), new Map());
  const port = await eventually(async () => door.port, 'the door');
  const approach = { port, certificate: certificateOf(running) };
  const secrets: string[] = [];
  for (let n = 0; n < SEATS; n++) {
    const { code } = await bridge.call('seat.invite', { name: `Seat ${n + 1}` });
    secrets.push(String(await pair(approach, code)));
  }
  const alone = await clickAt({ approach, secrets: secrets.slice(0, 1), taskId, seconds: ALONE_S });
  print({ seats: 1, isRecording: false, ...alone });
  await desk.device(id).record({});
  const startMs = performance.now();
  const many = await clickAt({ approach, secrets, taskId, seconds: SECONDS });
  await wait(1000);
  const { recording } = desk.device(id).view;
  print({
    seats: SEATS,
    isRecording: true,
    ...many,
    p95TimesThatOfOne: Math.round((10 * many.clickP95Ms) / alone.clickP95Ms) / 10,
    recordedS: Math.round((recording?.recordedMs ?? 0) / 100) / 10,
    passedS: Math.round((performance.now() - startMs) / 100) / 10,
    lostShare: recording?.lostShare,
    rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  });
  await desk.device(id).stop();
  await device.switchOff();
  await desk.close();
}

await main();
