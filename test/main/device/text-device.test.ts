// A board whose sketch prints five columns without names, at a pseudo-terminal: the right one is chosen by hand, and kept.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Desk } from '../../../main/device/desk.ts';
import type { PortInfo } from '../../../main/device/transports/transport.ts';
import { openDesk } from '../../../main/host/desk-host.ts';
import type { CallOutput } from '../../../shared/bridge/contract.ts';
import { openTerminals, socatMissing } from '../../support/pseudo-terminal.ts';
import { eventually, type RunningWorkstation, runWorkstation } from '../../support/running-workstation.ts';
import { type TempFolder, tempFolder } from '../../support/temp-folder.ts';
import { beatCode, printLines } from '../../support/text-device.ts';

const RATE_HZ = 250;
const line = (i: number): string =>
  `${1000 + 4 * i},${500 + ((i * 7) % 5)},${Math.round(600 + 40 * Math.sin(i / 200))},${beatCode(i, RATE_HZ)},0`;

let folder: TempFolder;
let running: RunningWorkstation;
let desk: Desk;
let ports: PortInfo[] = [];
const ask = (name: 'desk.columns', id: string): Promise<CallOutput<'desk.columns'>> =>
  desk.handlersFor('page')[name]({ id }, new AbortController().signal);

beforeEach(async () => {
  folder = await tempFolder();
  running = await runWorkstation({ overrides: [['devices.autoConnect', 'false']] });
  desk = await openDesk(running.workstation, { listPorts: async () => ports });
});
afterEach(async () => {
  await desk.close();
  await running.stop();
  await folder.remove();
});

describe.skipIf(socatMissing)('a text device with five columns, none named', () => {
  test('is asked what it sends, the column is chosen by hand, and it is the same at the next plug-in', async () => {
    const plug = async (path: string, driver?: string): Promise<string> => {
      ports = [{ path, vendorId: '2341', productId: '0043', serialNumber: 'A1' }];
      await eventually(
        async () => (desk.views.some(({ port }) => port === path) ? true : undefined),
        'the port in the list',
      );
      return desk.connect(path, { driver });
    };
    {
      await using pair = await openTerminals(folder.path, 'board');
      using _board = printLines(pair.device, RATE_HZ, line);
      const id = await plug(pair.host, 'text');
      const shown = await eventually(async () => {
        const columns = await ask('desk.columns', id);
        return columns.columns[3]?.beatsPerMinute === undefined ? undefined : columns;
      }, 'heartbeats in column 4');
      expect(shown.lines.at(-1)).toHaveLength(5);
      expect(shown.columns.map(({ isTime, isFlat }) => [isTime, isFlat])).toEqual([
        [true, false],
        [false, false],
        [false, false],
        [false, false],
        [false, true],
      ]);
      expect(shown.columns[3]).toMatchObject({ beatsPerMinute: 75, isDownward: false });
      expect(shown.columns.map(({ beatsPerMinute }) => beatsPerMinute)).toEqual([
        undefined,
        undefined,
        undefined,
        75,
        undefined,
      ]);
      const wanted = shown.columns[3]?.leadSets.find(
        ({ lead, isTurned }) => lead === 'MDC_ECG_LEAD_II' && !isTurned,
      );
      await desk
        .handlersFor('page')
        ['desk.chooseLeads']({ id, leadSet: wanted!.id }, new AbortController().signal);
      expect((await ask('desk.columns', id)).leadSet).toBe(wanted!.id);
      await eventually(
        async () => (desk.device(id).findings?.heartRateBpm === 75 ? true : undefined),
        'its heart rate',
      );
      await desk.disconnect(id);
    }
    await using pair = await openTerminals(folder.path, 'board');
    using _board = printLines(pair.device, RATE_HZ, line);
    const again = await plug(pair.host);
    expect(desk.device(again).view.leadSet).toMatch(/^column-4:/);
  });
});
