// What somebody who helps has to know of a workstation, as text that is read before it is sent: versions, settings, counts,
// the last lines of the log. No name, no text that a person typed, no path, no token (SEC70, SEC71).

import { SETTING_KEYS, SETTINGS } from '../../shared/settings.ts';
import type { Backups } from './backups/backups.ts';
import type { ClinicContext } from './context.ts';
import type { Storage } from './storage-state.ts';

const LOG_LINES = 300;
const GB = 1e9;

export interface SupportParts {
  readonly context: ClinicContext;
  readonly backups: Backups;
  readonly storage: Storage;
}

/** Codes, names of events, numbers and times: what may stand in the log in any case. */
const PLAIN = /^[\w .:+-]{0,80}$/;

/** Where an error was, by files of the program alone: its message, and the folders, are of this computer. */
function placesOf(stack: string): string {
  const [first = ''] = stack.split('\n');
  const name = /^\w+/.exec(first)?.[0] ?? 'Error';
  const places = [...stack.matchAll(/([\w.-]+\.m?[jt]sx?:\d+)(?::\d+)?\)?$/gm)].map(([, place]) => place);
  return [name, ...places].join(' < ');
}

/** A line of the log without what it should not hold, and holds only where something has gone wrong. */
function withoutTexts(line: string): string {
  try {
    const facts = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const told = Object.entries(facts).map(([key, value]) => {
      if (typeof value !== 'string' || PLAIN.test(value)) return [key, value];
      return [key, value.includes('\n    at ') ? placesOf(value) : '…'];
    });
    return JSON.stringify(Object.fromEntries(told));
  } catch {
    // The power went in the middle of it.
    return '…';
  }
}

/** The settings that were changed; where one is a text, only its name is told. */
function changedSettings({ settings }: ClinicContext): string[] {
  const now = settings();
  return SETTING_KEYS.filter((key) => now[key] !== SETTINGS[key].initial).map(
    (key) => `  ${key}: ${SETTINGS[key].kind === 'text' ? 'set' : String(now[key])}`,
  );
}

async function state({ context, backups, storage }: SupportParts): Promise<string[]> {
  const { store } = context;
  const backup = await backups.state();
  const room = await storage.state();
  const counts = [...store.tasks.countByState()].map(([name, count]) => `${name} ${count}`);
  return [
    `Tasks: ${counts.join(', ') || 'none'}`,
    `Recordings that run: ${store.streams.countOpen()}`,
    `Accounts: ${store.users.all().filter(({ isActive }) => isActive).length}`,
    `Connections: ${store.connections.all().length}`,
    `Audit trail: ${store.audit.lastSeq()} entries`,
    `Free: ${(room.freeBytes / GB).toFixed(1)} GB, disk encryption ${room.encryption}`,
    `Backup: ${backup.folder === undefined ? 'none' : backup.isLate ? 'late' : 'good'}${
      backup.failed === undefined ? '' : `, failed: ${backup.failed.reason}`
    }`,
  ];
}

export async function supportText(parts: SupportParts): Promise<string> {
  const { productVersion, clock, support } = parts.context;
  return `${[
    `Isoline ${productVersion}, ${new Date(clock.nowMs()).toISOString()}`,
    support.system,
    '',
    ...(await state(parts)),
    '',
    'Settings that were changed:',
    ...changedSettings(parts.context),
    '',
    'Log:',
    ...(await support.lastLog(LOG_LINES)).map(withoutTexts),
  ].join('\n')}\n`;
}
