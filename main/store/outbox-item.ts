// An item of the outbox as its column holds it: JSON with the version of its shape.

import { type Item, newItem } from '../clinic/outbox/item.ts';

/** 1: as the first version of this program wrote it, without a number. */
const VERSION = 2;

type StoredItem = Pick<Item, 'id' | 'way' | 'isCritical' | 'createdMs'> &
  Partial<Item> & { readonly version?: number };

export const writeItem = (item: Item): string => JSON.stringify({ version: VERSION, ...item });

/** What an older version did not know yet is as it is in a new item. */
export function readItem(text: string): Item {
  const { version: _version, ...stored } = JSON.parse(text) as StoredItem;
  return { ...newItem(stored.id, stored.way, stored.isCritical, stored.createdMs), ...stored };
}
