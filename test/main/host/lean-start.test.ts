// What threads load when they start: nothing that only some clinics or some jobs need. It loads with its first use.

import { expect, test } from 'vitest';
import { builtProgram } from '../../support/built-program.ts';
import { importersOfEntries, loadedBy, STARTS } from '../../support/lean-start.ts';

test.each(STARTS)('%s starts without what few need', (_what, entry, needed, notYet) => {
  const loaded = loadedBy(builtProgram, entry);
  expect(needed.filter((name) => !loaded.has(name))).toEqual([]);
  expect(notYet.filter((name) => loaded.has(name))).toEqual([]);
});

test('no part imports an entry', () => {
  expect(importersOfEntries(builtProgram)).toEqual([]);
});
