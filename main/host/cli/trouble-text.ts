// Why a connection is of no use, in words of the command line.

import type { ConnectionKind } from '../../../shared/connections/connections.ts';
import type { ConnectionTrouble } from '../../../shared/sync-state.ts';
import { kindNamed } from '../../connections/kinds.ts';

const TROUBLES: Readonly<Record<ConnectionTrouble, string>> = {
  offline: 'it is not reached: look at the address and the network',
  broken: 'the connection breaks off: look at the network',
  certificate:
    'its certificate is not trusted: look at the address, or give the certificate of its authority with --ca',
  notTls: 'something answers there that does not encrypt: look at the address',
  proxy: 'the proxy does not let us through: look at the setting sync.proxy',
  silent: 'it does not answer in time',
  server: 'it has a fault of its own: try later',
  limited: 'it asks us to wait: try later',
  noToken: 'its token or secret cannot be read here: add it again, or use the window',
  nameRefused: 'it does not know our AE title, or has another one itself',
  serviceRefused: 'it does not offer what we ask of it',
  storeRefused: "it answers, but does not let ISOLINE store: have this workstation's AE title entered there",
  unconfirmed: 'it stores, and does not answer what it keeps',
  portTaken: 'another program uses our DICOM port: look at the setting dicom.port',
  odd: 'something else answers there: look at the address',
};

/** Some kinds have words of their own. */
export const troubleText = (kind: ConnectionKind, trouble: ConnectionTrouble = 'offline'): string =>
  kindNamed(kind).troubles?.[trouble] ?? TROUBLES[trouble];
