// What may not be deleted, and until when: by the retention that the clinic has set, and by legal hold (SEC54).

import { fullYears } from '../../../shared/civil-time.ts';
import { IsolineError } from '../../../shared/errors.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Store } from '../store.ts';
import type { Task } from './records.ts';

const MAJORITY_YEARS = 18;

function yearsAfter(ms: number, years: number): number {
  const at = new Date(ms);
  at.setUTCFullYear(at.getUTCFullYear() + years);
  return at.getTime();
}

/**
 * Until when a recording with a report is kept: so many years after it came in or, if the patient was under age then,
 * until the birthday that the clinic has set, whichever is later.
 * @param birthDate YYYY-MM-DD, where it is known
 */
export function keptUntilMs(
  madeMs: number,
  birthDate: string | undefined,
  settings: Pick<Settings, 'storage.retentionYears' | 'storage.minorsUntilAge'>,
): number {
  const byYears = yearsAfter(madeMs, settings['storage.retentionYears']);
  const untilAge = settings['storage.minorsUntilAge'];
  const isMinor = birthDate !== undefined && fullYears(birthDate, madeMs) < MAJORITY_YEARS;
  return isMinor && untilAge > 0 ? Math.max(byYears, yearsAfter(Date.parse(birthDate), untilAge)) : byYears;
}

/** @throws IsolineError `held` */
export function requireNotHeld(store: Store, { patientId }: Pick<Task, 'patientId'>): void {
  if (patientId === undefined || store.patients.legalHold(patientId) === undefined) return;
  throw new IsolineError(
    'held',
    'This patient is under legal hold: nothing is deleted, and no recording gets another patient. Release the hold first.',
  );
}
