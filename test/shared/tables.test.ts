import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  nextStreamState,
  STREAM_STATES,
  STREAM_TRANSITIONS,
} from '../../main/clinic/streams/stream-state.ts';
import { RECORDER_CALLS } from '../../shared/bridge/contract/recorder.ts';
import { CALLS, CLINIC_CALLS, DESK_CALLS } from '../../shared/bridge/contract.ts';
import {
  exitCodeOf,
  fromPlainError,
  IsolineError,
  REASONS,
  type Reason,
  toPlainError,
} from '../../shared/errors.ts';
import { isNamedOn } from '../../shared/patient-text.ts';
import { parseSetting, resolveSettings, SETTING_KEYS, SETTINGS } from '../../shared/settings.ts';
import {
  isProcessed,
  nextTaskState,
  TASK_STATES,
  TASK_TRANSITIONS,
  type TaskEvent,
  type TaskState,
} from '../../shared/task-state.ts';
import { projectRoot } from '../support/test-data.ts';

const english = JSON.parse(readFileSync(join(projectRoot, 'renderer/text/en.json'), 'utf8')) as {
  error: Record<string, string>;
  state: Record<string, string>;
};

function sourcesOf(...folders: string[]): string {
  return folders
    .flatMap((folder) => readdirSync(join(projectRoot, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe('reasons', () => {
  const source = sourcesOf('main', 'shared').replace(/export const REASONS = \{[\s\S]*?\} as const/, '');
  const names = Object.keys(REASONS) as Reason[];

  test('every reason is given by some code, or made from a field’s name', () => {
    const fields = readFileSync(join(projectRoot, 'shared/v3/v3.ts'), 'utf8');
    const unused = names.filter(
      (name) =>
        !source.includes(`'${name}'`) &&
        !(name.startsWith('invalid_') && fields.includes(`${name.slice(8)}:`)),
    );
    expect(unused).toEqual([]);
  });

  test('every reason has a sentence, and no sentence lacks its reason', () => {
    expect(Object.keys(english.error).sort()).toEqual([...names].sort());
    for (const sentence of Object.values(english.error)) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });

  test('an error crosses a border without its stack and its cause', () => {
    const error = new IsolineError(
      'task_not_found',
      'This task does not exist.',
      { task: 3 },
      { cause: new Error('secret') },
    );
    const plain = toPlainError(error);
    expect(JSON.stringify(plain)).not.toContain('secret');
    expect(fromPlainError(plain)).toMatchObject({ reason: 'task_not_found', detail: { task: 3 } });
    expect(toPlainError(new TypeError('x.y is undefined'))).toMatchObject({
      reason: 'internal',
      message: expect.not.stringContaining('undefined'),
    });
  });

  test('wrong calls of the command line exit with 2, failures with 1', () => {
    expect(exitCodeOf('usage')).toBe(2);
    expect(exitCodeOf('record_unreadable')).toBe(1);
  });
});

describe('task states (D60)', () => {
  const pairs = TASK_STATES.flatMap((state) =>
    (Object.entries(TASK_TRANSITIONS[state]) as [TaskEvent, TaskState][]).map(
      ([event, next]) => [state, event, next] as const,
    ),
  );

  test('every state can be reached from a first state', () => {
    const reached = new Set<TaskState>(['DRAFT', 'WAITING', 'QUEUED']);
    for (let grew = true; grew; ) {
      grew = false;
      for (const [state, , next] of pairs)
        if (reached.has(state) && !reached.has(next)) grew = reached.add(next).size > 0;
    }
    expect([...reached].sort()).toEqual([...TASK_STATES].sort());
  });

  test('every state but the last can be left, and a deleted task stays deleted', () => {
    for (const state of TASK_STATES)
      expect(Object.keys(TASK_TRANSITIONS[state]).length > 0).toBe(state !== 'DELETED');
  });

  test('a completed task can’t be cancelled, a failed one can be tried again', () => {
    expect(nextTaskState('COMPLETED', 'cancelled')).toBeUndefined();
    expect(nextTaskState('FAILED', 'retried')).toBe('QUEUED');
  });

  test('only what waits for nobody counts as processed (D61)', () => {
    expect(TASK_STATES.filter(isProcessed)).toEqual(['COMPLETED', 'FAILED', 'CANCELLED']);
  });

  test('every state has a word', () => {
    for (const state of TASK_STATES) expect(english.state[state]).toBeTruthy();
  });
});

describe('names on pages (E4)', () => {
  const page = 'HOFFMANN, Anneliese · 14 Mar 1951 · female NGUYỄN, Thị Minh  WEISS É ?? Task 12';
  test.each([
    [{ lastName: 'Hoffmann', firstName: 'Anneliese' }, true],
    [{ lastName: 'Nguyễn'.normalize('NFD'), firstName: 'Thị Minh' }, true],
    [{ lastName: 'É'.normalize('NFC') }, true],
    [{ lastName: '山田', firstName: '太郎' }, true],
    [{}, true],
    [{ lastName: 'Hofmann', firstName: 'Anneliese' }, false],
    [{ lastName: 'Müller' }, false],
  ])('%j: %s', (patient, isNamed) => {
    expect(isNamedOn(page, patient)).toBe(isNamed);
  });

  test('a name that is shortened on paper is still the patient’s', () => {
    const lastName = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3);
    expect(isNamedOn(`${lastName.toUpperCase().slice(0, 60)}… 1951`, { lastName })).toBe(true);
  });
});

describe('settings', () => {
  test('the defaults lie in their own ranges', () => {
    for (const key of SETTING_KEYS)
      expect(parseSetting(key, String(SETTINGS[key].initial))).toBe(SETTINGS[key].initial);
  });

  test('later layers win', () => {
    const settings = resolveSettings(
      new Map([['service.port', '9000']]),
      new Map([
        ['service.port', '9001'],
        ['service.rate.enabled', 'false'],
      ]),
    );
    expect([settings['service.port'], settings['service.rate.enabled'], settings['report.paper']]).toEqual([
      9001,
      false,
      'A4',
    ]);
  });

  test.each([
    ['service.port', '70000', 'invalid_setting'],
    ['service.port', '', 'invalid_setting'],
    ['service.port', 'NaN', 'invalid_setting'],
    ['service.port', '8137.5', 'invalid_setting'],
    ['service.rate.enabled', '1', 'invalid_setting'],
    ['report.paper', 'A3', 'invalid_setting'],
    ['no.such', '1', 'unknown_setting'],
    ['toString', '1', 'unknown_setting'],
  ])('%s = "%s" is refused', (key, text, reason) => {
    expect(() => parseSetting(key, text)).toThrow(expect.objectContaining({ reason }));
  });

  test('every setting is used by some code', () => {
    const source = sourcesOf('main') + sourcesOf('renderer');
    expect(SETTING_KEYS.filter((key) => !source.includes(key))).toEqual([]);
  });
});

describe('states of a stream', () => {
  test('end where nothing follows, and every one of them can be reached', () => {
    const reached = new Set(['absent']);
    for (const state of STREAM_STATES)
      for (const next of Object.values(STREAM_TRANSITIONS[state])) reached.add(next);
    expect([...reached].sort()).toEqual([...STREAM_STATES].sort());
    expect(STREAM_STATES.filter((state) => Object.keys(STREAM_TRANSITIONS[state]).length === 0)).toEqual([
      'stored',
    ]);
  });

  test('are those of the specification: frames and reports only while it is open, and no second end', () => {
    for (const event of ['frameStored', 'reported', 'startedAgain', 'finished', 'emptied'] as const)
      expect(STREAM_STATES.filter((state) => nextStreamState(state, event) !== undefined)).toEqual(['open']);
    expect([
      nextStreamState('open', 'finished'),
      nextStreamState('open', 'emptied'),
      nextStreamState('absent', 'started'),
    ]).toEqual(['finished', 'absent', 'open']);
  });
});

describe('who answers what', () => {
  test('calls and events of the desk, and no others, are named so: a page’s messages are sorted by it', () => {
    const isOfDesk = (name: string): boolean => name.startsWith('desk.');
    expect(Object.keys(DESK_CALLS).filter((name) => !isOfDesk(name))).toEqual([]);
    expect(Object.keys(CLINIC_CALLS).filter(isOfDesk)).toEqual([]);
    expect(Object.keys(RECORDER_CALLS).filter((name) => !name.startsWith('recorder.'))).toEqual([]);
  });

  test('a page cannot name the task that it records into: only a new one, for whom it says', () => {
    expect(Check(CALLS['desk.record'].input, { id: 'a' })).toBe(true);
    expect(Check(CALLS['desk.record'].input, { id: 'a', taskId: 5 })).toBe(false);
  });
});
