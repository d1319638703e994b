// Which orders somebody means who types a part of a name or a number, and in which order they stand.

import type { OrderFacts, OrderState } from '../order.ts';
import { nameKeys } from './name-key.ts';

/** Every word that was typed begins a word of the name or one of the numbers. */
export function isMeantOrder({ patient, orderNumber }: OrderFacts, text: string): boolean {
  const words = nameKeys(text);
  if (words.length === 0) return text.trim() === '';
  const names = nameKeys(`${patient.lastName ?? ''} ${patient.firstName ?? ''}`);
  const numbers = [patient.id ?? '', orderNumber ?? ''].map((number) =>
    number.replaceAll(' ', '').toLowerCase(),
  );
  return words.every((word) => [...names, ...numbers].some((each) => each.startsWith(word)));
}

interface Placed {
  readonly facts: OrderFacts;
  readonly state: OrderState;
}

/** Stands behind every time of the day. */
const NO_TIME = '99:99';

/**
 * People who are still to come stand first: those of today in the order of their times, then those of other days; then those
 * who were there.
 * @param today as YYYY-MM-DD; what says no day is of today
 */
export const byOrderTime =
  (today: string) =>
  (a: Placed, b: Placed): number => {
    const dayOf = ({ facts: { day = today } }: Placed): string => (day === today ? '' : day);
    return (
      Number(a.state === 'done') - Number(b.state === 'done') ||
      dayOf(a).localeCompare(dayOf(b)) ||
      (a.facts.time ?? NO_TIME).localeCompare(b.facts.time ?? NO_TIME)
    );
  };
