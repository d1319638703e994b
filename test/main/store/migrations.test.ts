import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MIGRATIONS } from '../../../main/store/database/migrate.ts';
import { projectRoot } from '../../support/test-data.ts';

test('every file of main/store/database/migrations is a listed step, in the order of the numbers in their names', () => {
  const files = readdirSync(join(projectRoot, 'main', 'store', 'database', 'migrations'))
    .map((name) => /^(\d{3})-/.exec(name)?.[1])
    .filter((number) => number !== undefined);
  expect(MIGRATIONS.map(({ id }) => String(id).padStart(3, '0'))).toEqual(files.sort());
});
