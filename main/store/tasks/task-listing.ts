// The worklist's way into the tasks: filters, full-text search, pages.

import { severityRank } from '../../../shared/severity.ts';
import type { TaskFilter, TaskStore } from '../../clinic/tasks/store.ts';
import type { Db } from '../database/database.ts';
import { toMatch } from '../database/full-text.ts';
import { listedTasks } from './listed-tasks.ts';

interface Question {
  readonly from: string;
  readonly conditions: readonly string[];
  readonly values: readonly (string | number)[];
}

/**
 * What is found by words comes from their index, which holds no deleted task; everything else from the tasks
 * themselves.
 */
function questionOf({
  terms,
  states,
  sinceMs,
  lowestSeverity,
  isRealOnly,
  isPatientMissing,
  newestId,
}: TaskFilter): Question {
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const ask = (condition: string, ...given: (string | number)[]): void => {
    conditions.push(condition);
    values.push(...given);
  };
  const hasWords = terms.length > 0;
  if (hasWords) ask('task_word MATCH ?', toMatch(terms));
  else ask("task.state <> 'DELETED'");
  if (states !== undefined) ask(`task.state IN (${states.map(() => '?').join(', ')})`, ...states);
  if (sinceMs !== undefined) ask('task.created_ms >= ?', sinceMs);
  if (lowestSeverity !== undefined) ask('task.severity >= ?', severityRank(lowestSeverity));
  if (isRealOnly === true) ask('task.is_simulated = 0');
  if (isPatientMissing === true) ask("task.desk_identity = '{}'");
  const isByWordsAlone = hasWords && conditions.length === 1;
  if (newestId !== undefined) ask(hasWords ? 'task_word.rowid <= ?' : 'task.id <= ?', newestId);
  const from = isByWordsAlone
    ? 'task_word'
    : hasWords
      ? 'task_word JOIN task ON task.id = task_word.rowid'
      : 'task';
  return { from, conditions, values };
}

export function taskListing(
  db: Db,
): Pick<TaskStore, 'setListing' | 'unlisted' | 'list' | 'wordsFrom' | 'listed'> {
  const listed = listedTasks(db);
  // The table belongs to this connection alone, and shows what the index has.
  db.exec("CREATE VIRTUAL TABLE temp.task_vocabulary USING fts5vocab('main', 'task_word', 'row')");
  const wordsFrom = db
    .prepare<[string, string], string>('SELECT term FROM temp.task_vocabulary WHERE term >= ? AND term < ?')
    .pluck();
  const addWords = db.prepare('INSERT INTO task_word (rowid, words) VALUES (?, ?)');
  const removeWords = db.prepare('DELETE FROM task_word WHERE rowid = ?');
  const set = db.prepare(
    'UPDATE task SET is_listed = 1, severity = ?, first_finding = ?, is_simulated = ? WHERE id = ?',
  );
  const unlisted = db
    .prepare<[number, number], number>(
      'SELECT id FROM task WHERE is_listed = 0 AND id < ? ORDER BY id DESC LIMIT ?',
    )
    .pluck();
  return {
    setListing(id, listing) {
      removeWords.run(id);
      const { severity, firstFinding, isSimulated = false } = listing ?? {};
      set.run(
        severity === undefined ? null : severityRank(severity),
        firstFinding === undefined ? null : JSON.stringify(firstFinding),
        isSimulated ? 1 : 0,
        id,
      );
      if (listing !== undefined) addWords.run(id, listing.words.join(' '));
    },
    unlisted: (limit, before = Number.MAX_SAFE_INTEGER) => unlisted.all(before, limit),
    wordsFrom: (letter) => wordsFrom.all(letter, `${letter}\u{10ffff}`),
    listed,
    list(filter, limit, offset) {
      const { from, conditions, values } = questionOf(filter);
      const where = conditions.join(' AND ');
      const key = from.startsWith('task_word') ? 'task_word.rowid' : 'task.id';
      const find = (more: string, end: string): number[] =>
        db
          .prepare<unknown[], number>(`SELECT ${key} FROM ${from} WHERE ${where}${more} ${end}`)
          .pluck()
          .all(...values);
      // Whole numbers by the border's schema, and few: they stand in the text of the question.
      const wanted = (filter.first ?? []).map(Number).join(', ');
      const isFirst = new Set(wanted === '' ? [] : find(` AND ${key} IN (${wanted})`, ''));
      const first = (filter.first ?? []).filter((id) => isFirst.has(id));
      const others = first.length === 0 ? '' : ` AND ${key} NOT IN (${wanted})`;
      const ahead = first.slice(offset, offset + limit);
      const rest = find(
        others,
        `ORDER BY ${key} DESC LIMIT ${limit - ahead.length} OFFSET ${Math.max(0, offset - first.length)}`,
      );
      const count = db.prepare<unknown[], number>(`SELECT count(*) FROM ${from} WHERE ${where}`).pluck();
      return {
        tasks: listed([...ahead, ...rest]),
        total: count.get(...values) ?? 0,
      };
    },
  };
}
