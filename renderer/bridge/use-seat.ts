// Whether this page is the workstation's own, or that of another computer or tablet of the clinic.

import { useBridgeQuery } from './use-bridge.tsx';

export interface PagePlace {
  /** At the workstation itself; false also as long as that is not known. */
  readonly isDesk: boolean;
  /** What the seat is called; undefined at the workstation itself. */
  readonly seat: string | undefined;
}

export function useSeat(): PagePlace {
  const { data } = useBridgeQuery('workstation.about', {});
  return { isDesk: data !== undefined && data.seat === undefined, seat: data?.seat };
}
