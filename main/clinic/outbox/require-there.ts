// Whether the task that somebody names at the central service may be the one that was sent (D126).

import { IsolineError } from '../../../shared/errors.ts';
import type { ClinicContext } from '../context.ts';
import type { ConnectionLink } from '../ports.ts';
import { centralIdOf } from './item.ts';

/** A task that was made there so long before or after ours is another one. */
const SAME_TIME_MS = 600_000;

export const changedMeanwhile = (): IsolineError =>
  new IsolineError('item_not_found', 'This has changed in the meantime. Check it again.');

/** @throws IsolineError `central_task_unknown`, `central_task_other`, `centre_silent`, `item_not_found` */
export async function requireThere(
  { store }: Pick<ClinicContext, 'store'>,
  link: ConnectionLink,
  itemId: number,
  centralId: string,
): Promise<void> {
  const entry = store.outbox.byId(itemId);
  if (entry === undefined) throw changedMeanwhile();
  const createdMs = /^[1-9]\d{0,18}$/.test(centralId)
    ? await link.createdMsOf(entry.connectionId, centralId)
    : undefined;
  if (createdMs === undefined)
    throw new IsolineError(
      'central_task_unknown',
      `The central service has no task ${centralId}. Check the number.`,
    );
  // The number that we know ourselves needs no proof; clocks differ by what the last answer said.
  const { intendedMs } = entry.item;
  const offsetMs = link.stateOf(entry.connectionId).clockOffsetMs ?? 0;
  if (
    centralIdOf(entry.item) !== centralId &&
    Math.abs(createdMs - offsetMs - (intendedMs ?? entry.changedMs)) > SAME_TIME_MS
  )
    throw new IsolineError(
      'central_task_other',
      `Task ${centralId} was created at another time. Check the number.`,
    );
}
