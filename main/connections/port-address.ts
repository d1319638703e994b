// Where a port in the network of a hospital is, for whoever connects to it.

import type { NetworkPort } from '../../shared/connections/network-address.ts';
import type { Address } from '../hospital/connection.ts';

export const addressOf = ({ host, port, isTls, certificates }: NetworkPort): Address => ({
  host,
  port,
  ...(isTls && { tls: certificates === undefined ? {} : { certificates: [certificates] } }),
});
