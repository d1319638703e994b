// An item of the outbox as its column holds it: JSON with the version of its shape.

import type {
  Aside,
  ByDelivery,
  ByStream,
  ByUpload,
  Common,
  Going,
  Item,
  StateOfItem,
  Trunk,
  Waiting,
} from '../../clinic/outbox/item.ts';
import { heldItem, trunkOf } from '../../clinic/outbox/item-states.ts';

/**
 * 1: as the first version of this program wrote it, without a number. 2: every field in every state. 3: each
 * state has its own.
 */
const VERSION = 3;

type Untagged<T> = Omit<T, 'state' | 'way'>;
/** What older versions did not know yet is missing, and what they kept beyond a state is passed over. */
export type StoredItem = Pick<Item, 'id' | 'way' | 'state' | 'isCritical' | 'createdMs'> &
  Partial<Common & Untagged<ByUpload> & Untagged<ByStream> & Untagged<ByDelivery>> &
  Partial<Untagged<Going> & Untagged<Waiting> & Untagged<Aside>>;

export const writeItem = (item: Item): string => JSON.stringify({ version: VERSION, ...item });

export function readItem(text: string): Item {
  const stored = JSON.parse(text) as StoredItem;
  const { id, way, isCritical, createdMs } = stored;
  const trunk = trunkOf({ ...heldItem(id, way, isCritical, createdMs), ...stored } as Trunk);
  return { ...trunk, ...stateOf(stored) };
}

function stateOf(stored: StoredItem): StateOfItem {
  const { state, centralId, severity, processedMs } = stored;
  switch (state) {
    case 'HELD':
      return { state };
    case 'READY':
    case 'SENDING':
      return { state, centralId, intent: stored.intent, doubt: stored.doubt };
    case 'WAITING_REPORT':
      return {
        state,
        centralId: centralId as string,
        sentMs: stored.sentMs ?? stored.createdMs,
        polls: stored.polls ?? 0,
        isReportAvailable: stored.isReportAvailable ?? false,
        severity,
        processedMs,
        absentMs: stored.absentMs,
      };
    case 'DONE':
      return { state, centralId: centralId as string, severity };
    case 'REFUSED':
    case 'NEEDS_CHECK':
    case 'STOPPED':
      return { state, cause: stored.cause ?? 'unclearAnswer', centralId, severity, processedMs };
  }
}
