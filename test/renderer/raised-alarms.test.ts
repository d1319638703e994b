// Alarms: raised, over, silenced, and raised again.

import { describe, expect, test } from 'vitest';
import {
  afterFindings,
  areSilenced,
  NO_ALARMS,
  ofDevices,
  silencedNow,
} from '../../renderer/parts/alarms/raised-alarms.ts';

const VF = { arrest: 'ventricularFibrillation' } as const;
const DESK = 'path:/dev/tty USB 0';

describe('an alarm', () => {
  test('stands since it was raised, however often it is said again, and ends when it is not', () => {
    const first = afterFindings(NO_ALARMS, { id: DESK, ...VF }, 1000);
    expect(afterFindings(first, { id: DESK, ...VF }, 5000)).toBe(first);
    expect(first.get(DESK)).toEqual({ kind: 'ventricularFibrillation', sinceMs: 1000 });
    expect(afterFindings(first, { id: DESK }, 6000).size).toBe(0);
  });

  test('of another kind is another one, and each device has its own; a standstill goes before a rate', () => {
    const first = afterFindings(NO_ALARMS, { id: 'a', rateAlarm: 'verySlow' }, 1000);
    const second = afterFindings(first, { id: 'a', rateAlarm: 'verySlow', arrest: 'asystole' }, 2000);
    const both = afterFindings(second, { id: 'b', ...VF }, 3000);
    expect([...both]).toEqual([
      ['a', { kind: 'asystole', sinceMs: 2000 }],
      ['b', { kind: 'ventricularFibrillation', sinceMs: 3000 }],
    ]);
  });

  test('of a device that is lost is over, also when the device comes back; the others stand', () => {
    const both = afterFindings(
      afterFindings(NO_ALARMS, { id: DESK, ...VF }, 1000),
      { id: 'b', rateAlarm: 'veryFast' },
      2000,
    );
    const without = ofDevices(both, ['b']);
    expect([...without.keys()]).toEqual(['b']);
    expect(ofDevices(without, ['b', DESK])).toBe(without);
    expect(ofDevices(both, [DESK, 'b'])).toBe(both);
  });
});

describe('silence', () => {
  const first = afterFindings(NO_ALARMS, { id: 'a', ...VF }, 1000);
  const silenced = silencedNow(first);

  test('is of what stands, as long as that stands', () => {
    expect(areSilenced(first, silenced)).toBe(true);
    expect(areSilenced(afterFindings(first, { id: 'a', ...VF }, 9000), silenced)).toBe(true);
  });

  test('ends with the next alarm: the same again, another kind, another device', () => {
    const over = afterFindings(first, { id: 'a' }, 2000);
    expect(areSilenced(afterFindings(over, { id: 'a', ...VF }, 30_000), silenced)).toBe(false);
    expect(areSilenced(afterFindings(first, { id: 'a', arrest: 'asystole' }, 2000), silenced)).toBe(false);
    expect(areSilenced(afterFindings(first, { id: 'b', ...VF }, 2000), silenced)).toBe(false);
  });

  test('stays where one of two silenced alarms ends', () => {
    const both = afterFindings(first, { id: 'b', rateAlarm: 'pause' }, 2000);
    expect(areSilenced(afterFindings(both, { id: 'b' }, 3000), silencedNow(both))).toBe(true);
  });
});
