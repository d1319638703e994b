// A worklist as a clinic has it after years: tasks of many patients, with their findings as far as the list
// shows them.

import { listTask } from '../../main/clinic/tasks/task-listing.ts';
import { seededRandom } from '../../main/signal/synthetic/random.ts';
import type { OpenStore } from '../../main/store/store.ts';
import { inTransaction } from './in-transaction.ts';

const LAST = [
  'Hoffmann',
  'Okafor',
  'Brügge-Sørensen',
  'Kowalski',
  'Nakamura',
  'De la Fuente',
  'Abrams',
  'Ivanova',
  'Müller',
  'Łukasz',
];
const FIRST = [
  'Anneliese',
  'Chidi',
  'Mette Marie',
  'Jan',
  'Aiko',
  'María José',
  'Noah',
  'Elena',
  'Karl-Heinz',
  'Zoë',
];
const AT_ONCE = 2000;
const MINUTE_MS = 60_000;

const two = (value: number): string => String(value).padStart(2, '0');

/** @param nowMs when the newest was made; each one before it is some minutes older */
export function fillWorklist(store: OpenStore, organizationId: number, count: number, nowMs: number): void {
  const random = seededRandom(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  for (let made = 0; made < count; made += AT_ONCE)
    inTransaction(store, (tx) => {
      for (let n = made; n < Math.min(count, made + AT_ONCE); n++) {
        const id = store.tasks.add({
          localId: String(n).padStart(12, '0'),
          organizationId,
          recordingId: undefined,
          patientId: undefined,
          state: n % 7 === 0 ? 'FAILED' : n % 5 === 0 ? 'AWAITING_APPROVAL' : 'DRAFT',
          isAutoComplete: false,
          origin: 'v3',
          identity: undefined,
          fields: {
            patient: {
              lastName: `${pick(LAST)}${n % 3 === 0 ? '' : `-${pick(LAST)}`}`,
              firstName: pick(FIRST),
              birthDate: `${1930 + Math.floor(random() * 90)}-${two(1 + Math.floor(random() * 12))}-${two(1 + Math.floor(random() * 28))}`,
              id: String(100_000 + n),
            },
            tags: [pick(['pre-op', 'sports', 'ward 3', 'follow-up'])],
          },
          warnings: [],
          channels: undefined,
          createdMs: nowMs - (count - n) * 7 * MINUTE_MS,
        });
        listTask(tx, store, id);
      }
    });
}
