// The /v3 service, open before the data folder is: bringing a large one up to date takes time, in which clients
// are told to wait.

import type { ServiceTrouble } from '../../shared/bridge/views.ts';
import { IsolineError } from '../../shared/errors.ts';
import type { Settings } from '../../shared/settings.ts';
import { nextFreePort } from '../service/free-port.ts';
import { noService, type OpeningService, openService } from '../service/service.ts';
import { furtherNames, tlsIdentity } from '../service/tls-identity.ts';
import { writeDurably } from '../store/files/write-durably.ts';

export interface FirstServiceOptions {
  readonly dataDir: string;
  /** Overrides the setting. */
  readonly host: string | undefined;
  /** Overrides the setting; the thread's replacement takes the port of the first one. */
  readonly port: number | undefined;
  /** A taken port does not stop a workstation with screens: they say that the service is off. */
  readonly isServiceOptional?: boolean;
}

export interface FirstService {
  readonly service: OpeningService;
  /** SHA-256 of the service's certificate, where it has one. */
  readonly fingerprint: string | undefined;
  readonly trouble: ServiceTrouble | undefined;
}

/** @throws IsolineError `port_in_use`, `network_needs_tls`, … */
export async function openFirstService(
  options: FirstServiceOptions,
  settings: Settings,
): Promise<FirstService> {
  const {
    dataDir,
    isServiceOptional,
    host = settings['service.host'],
    port = settings['service.port'],
  } = options;
  const identity =
    settings['service.tls'] === 'off'
      ? undefined
      : await tlsIdentity({ dataDir, writeDurably }, host, settings);
  const fingerprint = identity?.fingerprint;
  const hostNames = identity?.names ?? furtherNames(settings);
  const tls = identity === undefined ? {} : { tls: identity };
  try {
    return {
      service: await openService({ host, port, hostNames, ...tls }),
      fingerprint,
      trouble: undefined,
    };
  } catch (error) {
    const isTaken = error instanceof IsolineError && error.reason === 'port_in_use';
    if (isServiceOptional !== true || !isTaken) throw error;
    const freePort = await nextFreePort(host, port);
    return {
      service: noService(),
      fingerprint,
      trouble: { port, ...(freePort !== undefined && { freePort }) },
    };
  }
}
