// What threads load when they start: nothing that only some clinics or some jobs need. It loads with its first use.

import { expect, test } from 'vitest';
import { builtProgram } from '../../support/built-program.ts';
import { startFaults } from '../../support/lean-start.ts';

test('threads start without what few need, and no part starts one again', () => {
  expect(startFaults(builtProgram)).toEqual([]);
});
