// The program under soak, a process of its own: workstation and desk on one main thread, as `isoline start`
// has them. Records the device at a path and prints what its main thread felt. Arguments: data folder, path,
// minutes.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { BroadcastChannel } from 'node:worker_threads';
import { openDesk } from '../../main/host/desk-host.ts';
import { threadOf } from '../../main/host/kept-thread.ts';
import { startWorkstation } from '../../main/host/workstation.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';

const WARM_UP_MS = 2000;
const REPORT_MS = 60_000;

const [dataDir = '', path = '', minutesText = '1', crashEverySeconds = '0'] = process.argv.slice(2);
const say = (facts: object): void => void process.stdout.write(`${JSON.stringify(facts)}\n`);

const workstation = await startWorkstation({
  dataDir,
  port: 0,
  openThread: threadOf(new URL('./measured-clinic-thread.ts', import.meta.url)),
  overrides: [
    ['storage.reserve', '0'],
    ['service.rate.enabled', 'false'],
  ],
});
const desk = await openDesk(workstation, { isWatching: false });
const page = desk.onEvent(() => undefined);
say({ listening: workstation.serviceUrl });
const id = await desk.connect(path, { driver: 'isoline-idp' });
const device = desk.device(id);

await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const base = device.link.nextSample;
await device.record({});
const startMs = performance.now();
let clinicHeap = { heapUsed: 0, external: 0 };
const channel = new BroadcastChannel('isoline.soak.clinic-heap');
channel.onmessage = (message: unknown) => {
  clinicHeap = (message as MessageEvent).data as typeof clinicHeap;
};
channel.unref();
const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
const milliseconds = (nanoseconds: number): number => Math.round(nanoseconds / 1e4) / 100;
const felt = () => ({
  minutes: Math.round((performance.now() - startMs) / 6000) / 10,
  p50Ms: milliseconds(delay.percentile(50)),
  p99Ms: milliseconds(delay.percentile(99)),
  maxMs: milliseconds(delay.max),
  rssMb: megabytes(process.memoryUsage.rss()),
  heapMb: megabytes(process.memoryUsage().heapUsed),
  externalMb: megabytes(process.memoryUsage().external),
  clinicHeapMb: megabytes(clinicHeap.heapUsed),
  clinicExternalMb: megabytes(clinicHeap.external),
  recordedMs: device.view.recording?.recordedMs ?? 0,
  lostShare: device.view.recording?.lostShare ?? 0,
  waitingMs: device.view.recording?.waitingMs ?? 0,
});
const reporting = setInterval(() => say(felt()), Math.min(REPORT_MS, (Number(minutesText) * 60_000) / 4));
const crashing =
  Number(crashEverySeconds) > 0
    ? setInterval(() => void workstation.crash(), 1000 * Number(crashEverySeconds))
    : undefined;

await new Promise((resolve) => setTimeout(resolve, Number(minutesText) * 60_000));
clearInterval(reporting);
clearInterval(crashing);
const last = felt();
delay.disable();
const { taskId, recordedMs, lostShare } = await device.stop();
page();
// Its file is there when its task knows it.
const bridge = new BridgeClient(workstation.connect());
while ((await bridge.call('task.get', { taskId })).format === undefined)
  await new Promise((resolve) => setTimeout(resolve, 100));
say({ ...last, isDone: true, taskId, recordedMs, lostShare, base });
await desk.close();
await workstation.close();
