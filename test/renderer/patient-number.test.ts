// Whose signal is on the screen: what was drawn of one patient is never drawn under the name of the next.

import { describe, expect, test } from 'vitest';
import { NO_PATIENT, nextPatient, type PatientFacts } from '../../renderer/entry/patient-number.ts';

/** How often the patient changed. */
const patients = (...facts: readonly Partial<PatientFacts>[]): number => {
  let state = NO_PATIENT;
  for (const each of facts)
    state = nextPatient(state, { entered: 'nobody', runningId: undefined, begunId: undefined, ...each });
  return state.number;
};
const [SOMEBODY, CONFIRMED] = [{ entered: 'somebody' }, { entered: 'confirmed' }] as const;

describe('the signal is another patient’s', () => {
  test('when somebody is confirmed, and when the form is empty again', () => {
    expect(patients(SOMEBODY)).toBe(0);
    expect(patients(SOMEBODY, CONFIRMED)).toBe(1);
    expect(patients(SOMEBODY, CONFIRMED, {})).toBe(2);
  });

  test('behind an emergency, and behind a recording that the form has left meanwhile', () => {
    expect(patients({}, { runningId: 7 }, { runningId: 7 })).toBe(1);
    expect(patients({}, { runningId: 7 }, {})).toBe(2);
    const running = { ...CONFIRMED, runningId: 7, begunId: 7 };
    // The next one is entered and confirmed while the first is recorded.
    expect(patients(CONFIRMED, running, { runningId: 7 }, { ...CONFIRMED, runningId: 7 })).toBe(1);
    expect(patients(CONFIRMED, running, { runningId: 7 }, { ...CONFIRMED, runningId: 7 }, CONFIRMED)).toBe(2);
  });
});

describe('the signal goes on as the same patient’s', () => {
  test('while a recording is begun, runs, is repeated, and ends', () => {
    const [starting, running] = [
      { ...CONFIRMED, runningId: 7 },
      { ...CONFIRMED, runningId: 7, begunId: 7 },
    ];
    const ended = { ...CONFIRMED, begunId: 7 };
    expect(patients(CONFIRMED, starting, running, running, ended)).toBe(1);
    expect(
      patients(
        CONFIRMED,
        starting,
        running,
        ended,
        CONFIRMED,
        { ...CONFIRMED, runningId: 8, begunId: 8 },
        ended,
      ),
    ).toBe(1);
  });

  test('when the confirmation has become old', () => {
    expect(patients(CONFIRMED, SOMEBODY)).toBe(1);
  });
});
