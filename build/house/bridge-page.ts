// The operations of the bridge as a page, printed from the contract.

import { AUDIT_COMMANDS, AUDIT_QUERIES } from '../../shared/bridge/contract/audit.ts';
import { BACKUP_COMMANDS, BACKUP_QUERIES } from '../../shared/bridge/contract/backups.ts';
import { DESK_COMMANDS, DESK_QUERIES } from '../../shared/bridge/contract/desk.ts';
import { EVENTS } from '../../shared/bridge/contract/events.ts';
import { OPENED_COMMANDS, OPENED_QUERIES } from '../../shared/bridge/contract/opened.ts';
import type { Call, Operation } from '../../shared/bridge/contract/operation.ts';
import { ORDER_COMMANDS, ORDER_QUERIES } from '../../shared/bridge/contract/orders.ts';
import { PATIENT_COMMANDS, PATIENT_QUERIES } from '../../shared/bridge/contract/patients.ts';
import { PEOPLE_COMMANDS, PEOPLE_QUERIES } from '../../shared/bridge/contract/people.ts';
import { RECORDER_CALLS } from '../../shared/bridge/contract/recorder.ts';
import { REVIEW_QUERIES } from '../../shared/bridge/contract/review.ts';
import { SEAT_COMMANDS, SEAT_DOOR_CALLS, SEAT_QUERIES } from '../../shared/bridge/contract/seats.ts';
import { SETTING_COMMANDS, SETTING_QUERIES } from '../../shared/bridge/contract/settings.ts';
import { SYNC_COMMANDS, SYNC_QUERIES } from '../../shared/bridge/contract/sync.ts';
import { TASK_COMMANDS, TASK_QUERIES } from '../../shared/bridge/contract/tasks.ts';
import { INSTALLER_CALLS, UPDATE_COMMANDS, UPDATE_QUERIES } from '../../shared/bridge/contract/updates.ts';

type Calls = Readonly<Record<string, Call | Operation>>;

const AGGREGATES: readonly (readonly [title: string, queries: Calls, commands: Calls])[] = [
  ['Tasks', TASK_QUERIES, TASK_COMMANDS],
  ['Review', REVIEW_QUERIES, {}],
  ['Patients', PATIENT_QUERIES, PATIENT_COMMANDS],
  ['Orders', ORDER_QUERIES, ORDER_COMMANDS],
  ['People', PEOPLE_QUERIES, PEOPLE_COMMANDS],
  ['Seats', SEAT_QUERIES, SEAT_COMMANDS],
  ['Sync', SYNC_QUERIES, SYNC_COMMANDS],
  ['Settings', SETTING_QUERIES, SETTING_COMMANDS],
  ['Backups', BACKUP_QUERIES, BACKUP_COMMANDS],
  ['Audit', AUDIT_QUERIES, AUDIT_COMMANDS],
  ['Updates', UPDATE_QUERIES, UPDATE_COMMANDS],
  ['Desk', DESK_QUERIES, DESK_COMMANDS],
  ['Files opened with the program', OPENED_QUERIES, OPENED_COMMANDS],
  ['Recorder (no page may)', {}, RECORDER_CALLS],
  ['Installer (no page may)', {}, INSTALLER_CALLS],
  ['Door to the seats (no page may)', {}, SEAT_DOOR_CALLS],
];

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** `taskId, reason?`; what may be left out has a question mark. */
function fieldsOf(schema: unknown): string {
  const { properties = {}, required = [] } = schema as ObjectSchema;
  const names = Object.keys(properties).map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``);
  return names.length === 0 ? '–' : names.join(', ');
}

/** Who asks what no page may, by the first part of the name. */
const ASKING: Readonly<Record<string, string>> = {
  recorder: 'the recorder',
  installer: 'the clinic',
  door: 'the door to the seats',
};

function whoMay(name: string, call: Call | Operation): string {
  if (!('right' in call)) return ASKING[name.split('.')[0] ?? ''] ?? '';
  const isDeskOnly = call.isDeskOnly === true ? ', at the workstation itself' : '';
  return `${call.right}${call.needsAccount === true ? ', with an account' : ''}${isDeskOnly}`;
}

const rows = (calls: Calls, kind: string): string[] =>
  Object.entries(calls).map(
    ([name, call]) =>
      `| \`${name}\` | ${kind} | ${whoMay(name, call)} | ${fieldsOf(call.input)} | ${fieldsOf(call.output)} |`,
  );

export function bridgePage(): string {
  const sections = AGGREGATES.map(([title, queries, commands]) =>
    [
      `## ${title}`,
      '',
      '| Operation | Kind | Who may | In | Out |',
      '| --- | --- | --- | --- | --- |',
      ...rows(queries, 'query'),
      ...rows(commands, 'command'),
    ].join('\n'),
  );
  const events = ['## Events', '', '| Event | Holds |', '| --- | --- |'];
  for (const [name, schema] of Object.entries(EVENTS)) events.push(`| \`${name}\` | ${fieldsOf(schema)} |`);
  return [
    '# The bridge',
    'What a page asks of the workstation, over Electron’s IPC, a WebSocket or a message port. Printed from `shared/bridge/contract/` by `npm run house`; the schemas there say what each field holds. `anybody`: also before signing in. `signedIn`: whoever is signed in, where people have to. Everything else is a right of a role (`shared/roles.ts`). At a seat, somebody with an account has to be signed in for everything but signing in (`shared/bridge/seat-rules.ts`).',
    ...sections,
    events.join('\n'),
  ].join('\n\n');
}
