// Two workstations of one kind: one records, the other is its centre, behind a bad network where a test wants
// one (architecture, 8).

import { Connections } from '../../main/clinic/outbox/connections.ts';
import { commandContext, openDataStore } from '../../main/host/data-folder.ts';
import type { WorkstationOptions } from '../../main/host/workstation.ts';
import { FaultProxy } from '../faults/fault-proxy.ts';
import { centralAt } from './made-connections.ts';
import { FREE_OF_LIMITS, type RunningWorkstation, runWorkstation } from './running-workstation.ts';
import { V3Client } from './v3-client.ts';

export interface ClinicAndCentre extends AsyncDisposable {
  readonly clinic: RunningWorkstation;
  readonly centre: RunningWorkstation;
  readonly proxy: FaultProxy;
  /** To the service of the clinic, as its devices and programs see it. */
  readonly atClinic: V3Client;
  readonly atCentre: V3Client;
  readonly centreToken: string;
}

export type Overrides = NonNullable<WorkstationOptions['overrides']>;

/** As the command line does, beside the running program. */
export async function addCentre(dataDir: string, url: string, token: string): Promise<number> {
  using store = openDataStore(dataDir, 'command');
  const context = await commandContext(dataDir, store);
  const centre = { to: centralAt(url), label: 'Centre', localPath: 'clinic', secret: token };
  return new Connections(context).add(centre, 'test');
}

/** @param isDirect nothing stands between the two: for benches */
export async function runClinicAndCentre(
  overrides: Overrides = [],
  { isDirect = false } = {},
): Promise<ClinicAndCentre> {
  const centre = await runWorkstation({ overrides: FREE_OF_LIMITS });
  const clinic = await runWorkstation({
    overrides: [...FREE_OF_LIMITS, ['sync.simulated', 'true'], ...overrides],
  });
  const proxy = await FaultProxy.before(centre.url);
  const centreToken = (await centre.makeToken()).text;
  await addCentre(clinic.dataDir, isDirect ? centre.url : proxy.url, centreToken);
  return {
    clinic,
    centre,
    proxy,
    centreToken,
    atClinic: new V3Client(clinic.url, (await clinic.makeToken()).text),
    atCentre: new V3Client(centre.url, centreToken),
    async [Symbol.asyncDispose]() {
      await clinic.stop();
      await proxy[Symbol.asyncDispose]();
      await centre.stop();
    },
  };
}
