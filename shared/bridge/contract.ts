// What a page may ask of the workstation, by aggregate in contract/: name → schema of input and output, and
// who may; and the events. Every transport, the typed client and the guard of rights derive from these maps;
// a message is validated where it arrives.

import type { Static } from 'typebox';
import { AUDIT_COMMANDS, AUDIT_QUERIES } from './contract/audit.ts';
import { BACKUP_COMMANDS, BACKUP_QUERIES } from './contract/backups.ts';
import { CHANNEL_COMMANDS, CHANNEL_QUERIES } from './contract/channels.ts';
import { DAY_QUERIES } from './contract/day.ts';
import { DESK_COMMANDS, DESK_QUERIES } from './contract/desk.ts';
import { DOOR_QUERIES } from './contract/doors.ts';
import { EVENTS } from './contract/events.ts';
import { OPENED_COMMANDS, OPENED_QUERIES } from './contract/opened.ts';
import { ORDER_COMMANDS, ORDER_QUERIES } from './contract/orders.ts';
import { PATIENT_COMMANDS, PATIENT_QUERIES } from './contract/patients.ts';
import { PEOPLE_COMMANDS, PEOPLE_QUERIES } from './contract/people.ts';
import { READER_COMMANDS, READER_QUERIES } from './contract/readers.ts';
import { RECORDER_CALLS } from './contract/recorder.ts';
import { REVIEW_COMMANDS, REVIEW_QUERIES } from './contract/review.ts';
import { SEAT_COMMANDS, SEAT_DOOR_CALLS, SEAT_QUERIES } from './contract/seats.ts';
import { SETTING_COMMANDS, SETTING_QUERIES } from './contract/settings.ts';
import { SYNC_COMMANDS, SYNC_QUERIES } from './contract/sync.ts';
import { TASK_COMMANDS, TASK_QUERIES } from './contract/tasks.ts';
import { INSTALLER_CALLS, UPDATE_COMMANDS, UPDATE_QUERIES } from './contract/updates.ts';

const QUERIES = {
  ...TASK_QUERIES,
  ...CHANNEL_QUERIES,
  ...REVIEW_QUERIES,
  ...DAY_QUERIES,
  ...READER_QUERIES,
  ...PATIENT_QUERIES,
  ...ORDER_QUERIES,
  ...PEOPLE_QUERIES,
  ...SEAT_QUERIES,
  ...DOOR_QUERIES,
  ...SYNC_QUERIES,
  ...SETTING_QUERIES,
  ...BACKUP_QUERIES,
  ...AUDIT_QUERIES,
  ...UPDATE_QUERIES,
  ...OPENED_QUERIES,
} as const;

const COMMANDS = {
  ...TASK_COMMANDS,
  ...CHANNEL_COMMANDS,
  ...REVIEW_COMMANDS,
  ...READER_COMMANDS,
  ...PATIENT_COMMANDS,
  ...ORDER_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...SEAT_COMMANDS,
  ...SYNC_COMMANDS,
  ...SETTING_COMMANDS,
  ...BACKUP_COMMANDS,
  ...AUDIT_COMMANDS,
  ...UPDATE_COMMANDS,
  ...OPENED_COMMANDS,
} as const;

/** What a page may ask of the desk. */
export const DESK_CALLS = { ...DESK_QUERIES, ...DESK_COMMANDS };
/** What a page may ask of the clinic. */
export const CLINIC_CALLS = { ...QUERIES, ...COMMANDS };
/** What a page may ask, wherever it is answered. */
export const PAGE_CALLS = { ...CLINIC_CALLS, ...DESK_CALLS };
export const CALLS = { ...PAGE_CALLS, ...RECORDER_CALLS, ...INSTALLER_CALLS, ...SEAT_DOOR_CALLS };

/** Answers stay what they are until an event says otherwise. */
export type QueryName = keyof typeof QUERIES | keyof typeof DESK_QUERIES;
export type CommandName = keyof typeof COMMANDS | keyof typeof DESK_COMMANDS | keyof typeof OPENED_COMMANDS;
export type ClinicCall = keyof typeof CLINIC_CALLS;
export type DeskCall = keyof typeof DESK_CALLS;
export type RecorderCall = keyof typeof RECORDER_CALLS;
export type SeatDoorCall = keyof typeof SEAT_DOOR_CALLS;
export type InstallerCall = keyof typeof INSTALLER_CALLS;
export type CallName = keyof typeof CALLS;
// As maps, so that the compiler works each one out once.
type Inputs = { [K in keyof typeof CALLS]: Static<(typeof CALLS)[K]['input']> };
type Outputs = { [K in keyof typeof CALLS]: Static<(typeof CALLS)[K]['output']> };
type Payloads = { [K in keyof typeof EVENTS]: Static<(typeof EVENTS)[K]> };

export type CallInput<K extends CallName> = Inputs[K];
export type CallOutput<K extends CallName> = Outputs[K];
export type EventName = keyof typeof EVENTS;
export type EventPayload<K extends EventName> = Payloads[K];

export const isCallName = (name: string): name is CallName => Object.hasOwn(CALLS, name);
export const isEventName = (name: string): name is EventName => Object.hasOwn(EVENTS, name);

/** What a screen holds in its hand, whatever the transport. */
export interface Bridge {
  /** @throws IsolineError with the reason that the workstation gives, or `bridge_closed`. */
  call<K extends CallName>(name: K, input: CallInput<K>, signal?: AbortSignal): Promise<CallOutput<K>>;
  /** @returns the function that ends the subscription. */
  on<K extends EventName>(name: K, listener: (payload: EventPayload<K>) => void): () => void;
}
