// Which alarms stand, from what the live analysis says of each device, and which of them somebody has silenced.

import type { LiveFindings } from '../../../shared/signal/live/live-findings.ts';

export type AlarmKind = NonNullable<LiveFindings['arrest'] | LiveFindings['rateAlarm']>;

export interface RaisedAlarm {
  readonly kind: AlarmKind;
  readonly sinceMs: number;
}

/** By the id of the device. */
export type RaisedAlarms = ReadonlyMap<string, RaisedAlarm>;

export const NO_ALARMS: RaisedAlarms = new Map();

/** @returns the same map where nothing is new */
export function afterFindings(
  raised: RaisedAlarms,
  { id, arrest, rateAlarm }: Pick<LiveFindings, 'id' | 'arrest' | 'rateAlarm'>,
  nowMs: number,
): RaisedAlarms {
  const kind = arrest ?? rateAlarm;
  if (raised.get(id)?.kind === kind) return raised;
  const after = new Map(raised);
  if (kind === undefined) after.delete(id);
  else after.set(id, { kind, sinceMs: nowMs });
  return after;
}

/** What a device raised before it was lost is over, also when it comes back. */
export const ofDevices = (raised: RaisedAlarms, ids: readonly string[]): RaisedAlarms =>
  [...raised.keys()].every((id) => ids.includes(id))
    ? raised
    : new Map([...raised].filter(([id]) => ids.includes(id)));

/** An alarm that ends and begins again is another one. */
const keyOf = (id: string, { kind, sinceMs }: RaisedAlarm): string => `${id} ${kind} ${sinceMs}`;

/** @returns what is silenced by somebody who silences all that stands */
export const silencedNow = (raised: RaisedAlarms): ReadonlySet<string> =>
  new Set([...raised].map(([id, alarm]) => keyOf(id, alarm)));

/** Whether each alarm that stands was silenced: any other one is heard. */
export const areSilenced = (raised: RaisedAlarms, silenced: ReadonlySet<string>): boolean =>
  [...raised].every(([id, alarm]) => silenced.has(keyOf(id, alarm)));
