// A real workstation on a temporary data folder: clinic thread, store, worker pool, HTTP service on a free
// port.

import { DEFAULT_ORGANIZATION, ensureOrganization } from '../../main/clinic/clinic.ts';
import { createToken } from '../../main/clinic/people/tokens.ts';
import { commandContext, openDataStore } from '../../main/host/data-folder.ts';
import { threadOf } from '../../main/host/kept-thread.ts';
import { startWorkstation, type Workstation, type WorkstationOptions } from '../../main/host/workstation.ts';
import { BridgeClient } from '../../shared/bridge/client.ts';
import type { Bridge } from '../../shared/bridge/contract.ts';
import { SCOPES, type Scope } from '../../shared/token-scopes.ts';
import { builtClinicThread } from './built-program.ts';
import { CHEAP_SECRETS } from './cheap-secrets.ts';
import { openReusedThread } from './reused-threads.ts';
import { tempFolder } from './temp-folder.ts';

export interface RunningWorkstation extends AsyncDisposable {
  readonly workstation: Workstation;
  readonly dataDir: string;
  readonly url: string;
  readonly bridge: BridgeClient;
  /** A token of the organization `clinic`, made as the command line does, beside the running program. */
  makeToken(scopes?: readonly Scope[], lifeDays?: number): Promise<{ id: number; text: string }>;
  stop(): Promise<void>;
}

/** Overrides for tests that send much, on whatever disk. */
export const FREE_OF_LIMITS: NonNullable<WorkstationOptions['overrides']> = [
  ['storage.reserve', '0'],
  ['service.rate.enabled', 'false'],
];

/** A thread of its own, as when the program is started: for tests of what is there after a restart. */
export const NEW_THREAD: Pick<WorkstationOptions, 'openThread'> =
  builtClinicThread === undefined ? {} : { openThread: threadOf(builtClinicThread) };

/** @param options with `secretCost: undefined`, secrets are hashed at full cost */
export async function runWorkstation(options: Partial<WorkstationOptions> = {}): Promise<RunningWorkstation> {
  const folder = options.dataDir === undefined ? await tempFolder() : undefined;
  const dataDir = options.dataDir ?? (folder?.path as string);
  const workstation = await startWorkstation({
    host: '127.0.0.1',
    port: 0,
    ...(openReusedThread !== undefined && { openThread: openReusedThread }),
    overrides: [['storage.reserve', '0']],
    secretCost: CHEAP_SECRETS,
    ...options,
    dataDir,
  });
  const stop = async (): Promise<void> => {
    await workstation.close();
    await folder?.remove();
  };
  return {
    workstation,
    dataDir,
    url: workstation.serviceUrl,
    bridge: new BridgeClient(workstation.connect()),
    async makeToken(scopes = SCOPES, lifeDays = 1) {
      using store = openDataStore(dataDir, 'command');
      const context = await commandContext(dataDir, store);
      await ensureOrganization(context);
      return await createToken(context, {
        organizationPath: DEFAULT_ORGANIZATION,
        label: 'test',
        scopes,
        lifeDays,
        creator: 'test',
      });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Asks again until the answer is there; fails after a deadline instead of waiting for ever. */
export async function eventually<T>(
  ask: () => Promise<T | undefined>,
  what: string,
  patienceMs = 60_000,
): Promise<T> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen within ${patienceMs} ms`);
}

/** Until a task's findings are stored. @param patienceMs of a day: minutes @returns the same task */
export async function whenAnalysed(bridge: Bridge, taskId: number, patienceMs?: number): Promise<number> {
  await eventually(
    async () => ((await bridge.call('task.get', { taskId })).revision === undefined ? undefined : true),
    'the analysis',
    patienceMs,
  );
  return taskId;
}
