// What may be asked at a seat: another computer or a tablet, which anybody may hold in their hands. Stricter than at the
// workstation itself, where an emergency is recorded without signing in.

import { IsolineError } from '../errors.ts';
import type { Operation } from './contract/operation.ts';
import type { CallName } from './contract.ts';

/** Before anybody has signed in, and while nobody is: what a device of the page sends goes on. */
const BEFORE_SIGNING_IN: readonly CallName[] = [
  'session.get',
  'session.signIn',
  'session.signOut',
  'session.touch',
  'workstation.about',
  'desk.openPipe',
  'desk.fillPipe',
  'desk.closePipe',
];

/** Folders, ports, certificates and programs of this computer: beginnings of settings. */
const DESK_SETTINGS = ['backup.', 'orders.', 'service.', 'updates.', 'seats.', 'hl7.'];

const deskOnly = (): IsolineError =>
  new IsolineError('desk_only', 'This can only be done at the workstation itself.');

/** @throws IsolineError `desk_only` */
export function requireSettingAtSeat(key: string): void {
  if (DESK_SETTINGS.some((beginning) => key.startsWith(beginning))) throw deskOnly();
}

type Guard = Pick<Operation, 'right' | 'needsAccount'>;

/**
 * @returns who may ask for the operation at a seat
 * @throws IsolineError `desk_only`
 */
export function guardAtSeat(name: CallName, { right, isDeskOnly }: Operation): Guard {
  if (isDeskOnly === true) throw deskOnly();
  if (BEFORE_SIGNING_IN.includes(name)) return { right };
  return { right: right === 'anybody' ? 'signedIn' : right, needsAccount: true };
}
